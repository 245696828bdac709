#include "convert/convert.h"

#include <set>
#include <utility>
#include <vector>

#include "convert/formats.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "core/text/first_character.h"
#include "manifests/documents/loader.h"
#include "manifests/schema/check_text.h"
#include "yaml/reader.h"

namespace bindery::convert {
namespace {

using yaml::Node;

/// Of one document: what a state of 64 MiB may hold.
constexpr std::size_t kMostNodes = 3'000'000;

yaml::ReadResult Read(std::string_view text, const std::string& file) {
  yaml::Limits limits;
  limits.max_bytes = kLargestExport;
  limits.max_nodes = kMostNodes;
  if (file.ends_with(".json") || file.ends_with(".tfstate")) return yaml::ReadJson(text, limits);
  if (const char first = FirstCharacter(text); first == '{' || first == '[') {
    yaml::ReadResult json = yaml::ReadJson(text, limits);
    // A YAML text may begin so too, but is not as large.
    if (json.faults.empty() || text.size() > yaml::Limits().max_bytes) return json;
  }
  return yaml::ReadYaml(text);
}

/// The documents of the text.
Expected<std::vector<Node>> ReadDocuments(std::string_view text, const std::string& file) {
  yaml::ReadResult read = Read(text, file);
  if (!read.faults.empty()) {
    const yaml::Fault& fault = read.faults.front();
    manifests::Problem problem;
    problem.file = file;
    problem.line = fault.at.line;
    problem.column = fault.at.column;
    problem.message = fault.message;
    return Fail(Code::kInvalidArgument, problem.Text() + HintFor(text, file));
  }
  std::vector<Node> documents;
  for (yaml::Document& document : read.documents) documents.push_back(std::move(document.root));
  return documents;
}

/// Drafts refer to names that were never made, because some of their values cannot be converted.
void CheckNames(const Draft& draft, const std::set<std::string>& names,
                std::vector<manifests::Problem>& problems) {
  const auto report = [&](const std::string& name, const std::string& path) {
    if (names.count(name) > 0) return;
    manifests::Problem problem;
    problem.resource = draft.name;
    problem.path = path;
    problem.message = "it names " + manifests::Quote(name) + ", which is left out";
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

void CheckDrafts(const manifests::KindSchemas& kinds, Conversion& conversion) {
  std::set<std::string> names;
  for (const Draft& draft : conversion.drafts) names.insert(draft.name);
  std::vector<manifests::Problem> problems;
  for (const Draft& draft : conversion.drafts) {
    CheckNames(draft, names, problems);
    manifests::FileContent content =
        manifests::LoadFile(ManifestText(draft), draft.name + ".yaml", kinds);
    for (manifests::Problem& problem : content.problems) {
      problem.resource = draft.name;
      problems.push_back(std::move(problem));
    }
  }
  TakeOut(problems, conversion);
}

}  // namespace

Expected<Conversion> ConvertProgram(std::string_view text, const std::string& file,
                                    const ConvertWish& wish, const manifests::KindSchemas& kinds) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  const Expected<std::vector<Node>> documents = ReadDocuments(text, file);
  if (!documents) return Fail(documents.error());
  const Expected<Format> format = ReadFormat(*documents, file, wish);
  if (!format) return Fail(Code::kInvalidArgument, format.error().message + HintFor(text, file));
  Conversion conversion;
  conversion.form = GetTool(*format);
  const Node& root = documents->front();
  switch (*format) {
    case Format::kPulumiProgram:
      ConvertPulumi(root, wish, kinds, conversion);
      break;
    case Format::kPulumiExport:
      ConvertPulumiExport(root, wish, kinds, conversion);
      break;
    case Format::kTerraformConfiguration:
      ConvertTerraform(root, wish, kinds, conversion);
      break;
    case Format::kTerraformState:
      ConvertTerraformState(root, wish, kinds, conversion);
      break;
    case Format::kGcloudPolicies:
      ConvertGcloudPolicies(*documents, wish, kinds, conversion);
      break;
    case Format::kConfigConnector:
      ConvertConfigConnector(*documents, wish, kinds, conversion);
      break;
  }
  CheckDrafts(kinds, conversion);
  return conversion;
}

}  // namespace bindery::convert
