// Turns the programs and exports of other tools into manifests.

#include "convert/convert.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/command_line.h"
#include "app/directory/offline_check.h"
#include "app/plan/export_text.h"
#include "app/plan/held_claims.h"
#include "app/plan/manifest_writer.h"
#include "app/plan/replaced_parts.h"
#include "app/shell/common.h"
#include "core/text/printable.h"
#include "manifests/documents/loader.h"
#include "providers/foreign_types.h"
#include "providers/registry/kinds.h"
#include "reconcilers/just_in_time.h"
#include "reconcilers/kind.h"

namespace bindery::app {
namespace {

struct ConvertArguments {
  std::string file;       ///< "-": standard input.
  std::string form;       ///< A tool; empty: what it looks like.
  std::string target;     ///< "//HOST/NAME": of a policy that names no resource.
  std::string directory;  ///< Where the manifests go; empty: standard output.
};

namespace fs = std::filesystem;

/// The project of the provider that serves a manifest without `options.provider`.
std::string FindDefaultProject(const config::Config& config) {
  for (const auto& [name, provider] : config.providers) {
    if (name == provider.type && !provider.project.empty()) return provider.project;
  }
  return "";
}

/// The drafts as a directory of them would be scanned, each in a file of its own.
controller::ScanInput MakeScan(const convert::Conversion& conversion,
                               const providers::Kinds& kinds) {
  controller::ScanInput scan;
  std::vector<manifests::SharedFile> files;
  for (const convert::Draft& draft : conversion.drafts) {
    files.push_back(std::make_shared<const manifests::FileContent>(
        manifests::LoadFile(convert::ManifestText(draft), draft.name + ".yaml", kinds)));
  }
  std::sort(files.begin(), files.end(),
            [](const manifests::SharedFile& a, const manifests::SharedFile& b) {
              return a->path < b->path;
            });
  scan.manifests = files.size();
  scan.files = manifests::FileList(std::move(files));
  return scan;
}

std::vector<manifests::Problem> WithoutWarnings(std::vector<manifests::Problem> problems) {
  std::erase_if(problems, [](const manifests::Problem& problem) {
    return problem.severity != manifests::ProblemSeverity::kError;
  });
  return problems;
}

/// References between manifests are judged like in `validate`, until no error is left. Names are
/// compared as the default project completes them; empty: the project is unknown.
void CheckTogether(const config::Config& config, const providers::Kinds& kinds,
                   const std::string& default_project, convert::Conversion& conversion) {
  const bool by_condition = config.reconcile.binding_key == BindingKey::kRoleAndCondition;
  std::vector<manifests::Problem> problems;
  do {
    problems = WithoutWarnings(CheckOffline(config, kinds, MakeScan(conversion, kinds)));
    const std::vector<manifests::Problem> taken =
        TakenFromLeftOut(conversion, kinds, by_condition, default_project);
    problems.insert(problems.end(), taken.begin(), taken.end());
  } while (!problems.empty() && convert::TakeOut(problems, conversion));
  std::stable_sort(conversion.remarks.begin(), conversion.remarks.end(),
                   [](const convert::Remark& a, const convert::Remark& b) { return a.at < b.at; });
}

/// Puts each draft into a separate file; all or none.
Expected<void> WriteFiles(const fs::path& directory, const convert::Conversion& conversion) {
  std::vector<NewManifestFile> files;
  for (const convert::Draft& draft : conversion.drafts) {
    files.push_back({draft.name + ".yaml", convert::ManifestText(draft)});
  }
  std::error_code ignored;
  fs::create_directories(directory, ignored);
  Expected<void> written = WriteNewFiles(directory, files);
  if (written || written.error().code != Code::kAlreadyExists) return written;
  return Fail(Code::kAlreadyExists,
              written.error().message + "; nothing is written: name a folder without these files");
}

Json MakeRemarks(const convert::Conversion& conversion, bool left_out) {
  Json remarks = Json::array();
  for (const convert::Remark& remark : conversion.remarks) {
    if (remark.left_out != left_out) continue;
    remarks.push_back({{"line", remark.at.line},
                       {"column", remark.at.column},
                       {"path", remark.path},
                       {"reason", remark.reason}});
  }
  return remarks;
}

std::string FileOfDraft(const ConvertArguments& arguments, const convert::Draft& draft) {
  return (fs::path(arguments.directory) / (draft.name + ".yaml")).string();
}

Json ConversionReport(const ConvertArguments& arguments, const convert::Conversion& conversion) {
  Json manifests = Json::array();
  for (const convert::Draft& draft : conversion.drafts) {
    Json one = {{"name", draft.name}, {"kind", draft.kind->token.Text()}, {"from", draft.origin}};
    if (arguments.directory.empty()) {
      one["manifest"] = yaml::ToJson(draft.document);
    } else {
      one["file"] = FileOfDraft(arguments, draft);
    }
    manifests.push_back(std::move(one));
  }
  return {{"from", convert::ToString(conversion.form)},
          {"manifests", std::move(manifests)},
          {"leftOut", MakeRemarks(conversion, true)},
          {"notes", MakeRemarks(conversion, false)}};
}

std::string ConvertedText(const ConvertArguments& arguments,
                          const convert::Conversion& conversion) {
  std::string text;
  for (const convert::Draft& draft : conversion.drafts) {
    text += FileOfDraft(arguments, draft) + ": from " + draft.origin + "\n";
  }
  return text;
}

void PrintRemarks(const std::string& file, const convert::Conversion& conversion) {
  for (const convert::Remark& remark : conversion.remarks) {
    manifests::Problem line;
    line.file = file == "-" ? "standard input" : file;
    line.line = remark.at.line;
    line.column = remark.at.column;
    line.path = remark.path;
    line.message = (remark.left_out ? "left out: " : "note: ") + remark.reason;
    std::fprintf(stderr, "%s\n", PrintableOutput(line.Text()).c_str());
  }
}

/// Prints what the manifests replace and keep, for readers of the remarks.
void PrintWhatIsReplaced(const convert::Conversion& conversion, const providers::Kinds& kinds,
                         const config::Config& config) {
  std::vector<WrittenManifest> written;
  for (const convert::Draft& draft : conversion.drafts) {
    const reconcilers::Kind* kind = kinds.Find(draft.kind->token);
    const yaml::Node* spec = draft.document.Find("spec");
    if (kind != nullptr && spec != nullptr) written.push_back({kind, yaml::ToJson(*spec)});
  }
  const std::vector<std::string> sentences = ReplacedParts(written, config);
  for (const std::string& sentence : sentences) {
    std::fprintf(stderr, "note: %s\n", sentence.c_str());
  }
  if (sentences.empty()) return;
  std::fputs("note: start with reconcile.mode: observe, and look at bindery plan.\n", stderr);
}

constexpr convert::ProgramForm kForms[] = {
    convert::ProgramForm::kPulumi, convert::ProgramForm::kTerraform, convert::ProgramForm::kGcloud,
    convert::ProgramForm::kConfigConnector};

std::optional<convert::ProgramForm> FindForm(const std::string& text) {
  for (const convert::ProgramForm form : kForms) {
    if (text == convert::ToString(form)) return form;
  }
  return std::nullopt;
}

convert::ConvertWish MakeConvertWish(const ConvertArguments& arguments,
                                     const std::string& default_project,
                                     const providers::Kinds& kinds) {
  convert::ConvertWish wish;
  wish.form = FindForm(arguments.form);
  wish.target = arguments.target;
  wish.default_project = default_project;
  wish.facts.grants_access = providers::GrantsAccess;
  wish.facts.granting_field = providers::FindGrantingField;
  wish.facts.is_given_to_each = providers::IsGivenToEach;
  wish.facts.derived = providers::DerivedAttributes;
  wish.facts.connector_domain = providers::ConnectorDomain();
  wish.facts.family_of_connector_kind = providers::FamilyOfConnectorKind;
  wish.facts.policy_kind = [&kinds](const std::string& resource) {
    return kinds.FindForResource({"cloudnative:iam", "IamPolicy"}, resource);
  };
  wish.facts.is_deleted = [&kinds](const manifests::KindSchema& schema,
                                   const std::string& principal) {
    const reconcilers::Kind* kind = kinds.Find(schema.token);
    const reconcilers::PrincipalRules* rules =
        kind == nullptr ? nullptr : kind->traits().principals;
    return rules != nullptr && !rules->deleted(principal).empty();
  };
  wish.facts.is_on_request = [&kinds](const manifests::KindSchema& schema, const std::string& title,
                                      const std::string& expression) {
    const reconcilers::Kind* kind = kinds.Find(schema.token);
    const reconcilers::JustInTimeService* service =
        kind == nullptr ? nullptr : kind->traits().just_in_time;
    return reconcilers::FindMarkedForm(service, {"", "", Condition{expression, title, ""}})
        .has_value();
  };
  return wish;
}

int ConvertCommand(const CommandContext& context, const ConvertArguments& arguments) {
  const Expected<config::Config> config = ReadConfigOrDefaults(context);
  if (!config) return PrintError(config.error());
  const Expected<std::string> text = ReadExportText(arguments.file);
  if (!text) return PrintError(text.error());
  const providers::Kinds kinds;
  const std::string project = FindDefaultProject(*config);
  Expected<convert::Conversion> made = convert::ConvertProgram(
      *text, arguments.file, MakeConvertWish(arguments, project, kinds), kinds);
  if (!made) return PrintError(made.error());
  CheckTogether(WithPlaceholderProjects(*config, context), kinds, project, *made);

  PrintRemarks(arguments.file, *made);
  PrintWhatIsReplaced(*made, kinds, *config);
  if (!arguments.directory.empty()) {
    if (auto written = WriteFiles(arguments.directory, *made); !written) {
      return PrintError(written.error());
    }
  }
  if (arguments.directory.empty() && context.output == Output::kText) {
    const char* separator = "";
    for (const convert::Draft& draft : made->drafts) {
      std::printf("%s%s", std::exchange(separator, "---\n"), convert::ManifestText(draft).c_str());
    }
  } else {
    Print(context, ConversionReport(arguments, *made),
          [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
            return ConvertedText(arguments, *made);
          });
  }
  const bool complete = std::none_of(
      made->remarks.begin(), made->remarks.end(),
      [](const convert::Remark& remark) { return remark.left_out && !remark.harmless; });
  return complete ? kExitOk : kExitDiffers;
}

}  // namespace

void DefineConvert(CommandLine& line) {
  auto& arguments = line.Keep<ConvertArguments>();
  const Command convert(line, "convert",
                        "Turn programs, states and policies of other tools into manifests");
  convert.Notes(
      "Reads Pulumi YAML programs and pulumi stack export, Terraform JSON, states and\n"
      "terraform show -json, policies of gcloud, and Config Connector's IAM manifests.\n"
      "What could not be carried over is told on standard error. Exit codes: 0 all access was\n"
      "carried over, 1 some was left out, 2 the file cannot be used.");
  convert.Examples(
      "bindery convert Pulumi.yaml -d manifests\n"
      "terraform show -json | bindery convert - > manifests.yaml");
  convert->add_option("file", arguments.file, "The program or export; -: standard input")
      ->required()
      ->type_name(kFileType);
  convert->add_option("--from", arguments.form, "What it is; told by its contents if absent")
      ->check(CLI::IsMember({"pulumi", "terraform", "gcloud", "configConnector"}));
  convert->add_option("--target", arguments.target,
                      "//HOST/NAME of the resource, for a policy that names none");
  convert
      ->add_option("-d,--directory", arguments.directory,
                   "Folder for NAME.yaml of each manifest; default: standard output")
      ->type_name(kFolderType);
  convert.Output({"text", "json", "yaml"});
  convert.Runs(
      [&arguments](const CommandContext& context) { return ConvertCommand(context, arguments); });
}

}  // namespace bindery::app
