#include "convert/convert.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "convert/nodes.h"
#include "convert/programs.h"
#include "manifests/check_text.h"
#include "manifests/loader.h"
#include "yaml/reader.h"

namespace bindery {
namespace {

using yaml::Node;
using yaml::NodeKind;

yaml::ReadResult Read(std::string_view text, const std::string& file) {
  if (file.ends_with(".json")) return yaml::ReadJson(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    yaml::ReadResult json = yaml::ReadJson(text);
    if (json.faults.empty()) return json;
  }
  return yaml::ReadYaml(text);
}

std::string HintFor(const std::string& file) {
  if (!file.ends_with(".tf")) return "";
  return "; Terraform's own language is not read, only its JSON form";
}

/// The one document of the text.
Expected<Node> ReadProgram(std::string_view text, const std::string& file) {
  yaml::ReadResult read = Read(text, file);
  if (!read.faults.empty()) {
    const yaml::Fault& fault = read.faults.front();
    Problem problem;
    problem.file = file;
    problem.line = fault.at.line;
    problem.column = fault.at.column;
    problem.message = fault.message;
    return Fail(Code::kInvalidArgument, problem.Text() + HintFor(file));
  }
  if (read.documents.size() != 1) {
    return Fail(Code::kInvalidArgument, file + ": a program is one document, there are " +
                                            std::to_string(read.documents.size()));
  }
  Node root = std::move(read.documents.front().root);
  if (root.kind != NodeKind::kMap) {
    return Fail(Code::kInvalidArgument, file + ": expected a map, found a " +
                                            std::string(ToString(root.kind)) + HintFor(file));
  }
  return root;
}

bool HasAny(const Node& root, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const char* key) { return root.Find(key) != nullptr; });
}

Expected<ProgramForm> FormOf(const Node& root, const std::string& file) {
  const bool pulumi = HasAny(root, {"resources", "variables", "runtime", "outputs"});
  const bool terraform = HasAny(root, {"resource", "data", "terraform", "provider", "locals",
                                       "variable", "module", "output"});
  if (pulumi != terraform) return pulumi ? ProgramForm::kPulumi : ProgramForm::kTerraform;
  std::string why = "is neither a Pulumi YAML program nor Terraform's JSON configuration";
  if (pulumi) why = "could be Pulumi's or Terraform's: say which with --from";
  if (HasAny(root, {"apiVersion"})) why = "is a manifest already";
  if (HasAny(root, {"planned_values", "values"})) {
    why = "is a state or plan of Terraform: only configurations can be converted";
  }
  return Fail(Code::kInvalidArgument, file + ": the document " + why);
}

/// Drafts name others that were never made, as some of their values cannot be carried over.
void CheckNames(const Draft& draft, const std::set<std::string>& names,
                std::vector<Problem>& problems) {
  const auto report = [&](const std::string& name, const std::string& path) {
    if (names.count(name) > 0) return;
    Problem problem;
    problem.resource = draft.name;
    problem.path = path;
    problem.message = "it names " + Quote(name) + ", which is left out";
    problems.push_back(std::move(problem));
  };
  for (const std::string& name : draft.refers_to) report(name, "");
  const Node* options = draft.document.Find("options");
  const Node* needed = options == nullptr ? nullptr : options->Find("dependsOn");
  if (needed == nullptr) return;
  for (std::size_t i = 0; i < needed->items.size(); ++i) {
    report(needed->items[i].text, ItemPath("options.dependsOn", i));
  }
}

void CheckDrafts(const KindSchemas& kinds, Conversion& conversion) {
  std::set<std::string> names;
  for (const Draft& draft : conversion.drafts) names.insert(draft.name);
  std::vector<Problem> problems;
  for (const Draft& draft : conversion.drafts) {
    CheckNames(draft, names, problems);
    FileContent content = LoadFile(ManifestText(draft), draft.name + ".yaml", kinds);
    for (Problem& problem : content.problems) {
      problem.resource = draft.name;
      problems.push_back(std::move(problem));
    }
  }
  TakeOut(problems, conversion);
}

}  // namespace

Expected<Conversion> ConvertProgram(std::string_view text, const std::string& file,
                                    std::optional<ProgramForm> form, const KindSchemas& kinds) {
  const Expected<Node> root = ReadProgram(text, file);
  if (!root) return Fail(root.error());
  const Expected<ProgramForm> found = form ? Expected<ProgramForm>(*form) : FormOf(*root, file);
  if (!found) return Fail(found.error());
  Conversion conversion;
  conversion.form = *found;
  if (conversion.form == ProgramForm::kPulumi) {
    ConvertPulumi(*root, kinds, conversion);
  } else {
    ConvertTerraform(*root, kinds, conversion);
  }
  CheckDrafts(kinds, conversion);
  return conversion;
}

}  // namespace bindery
