// Adopts existing resources: writes manifests that declare the present state.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>
#include <vector>

#include "app/command_line.h"
#include "app/commands/import_policies.h"
#include "app/plan/import_room.h"
#include "app/plan/imported_text.h"
#include "app/plan/manifest_folder.h"
#include "app/plan/manifest_import.h"
#include "app/plan/replaced_parts.h"
#include "app/process/progress_bar.h"
#include "app/process/waiting_line.h"
#include "app/shell/common.h"
#include "core/text/count.h"
#include "core/text/text_search.h"
#include "manifests/files/file_names.h"
#include "manifests/schema/checks.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string token;
  std::string name;  ///< Of the manifest; what the names begin with where there are several.
  std::string id;
  std::string all;   ///< A file with an id a line, "-": standard input. Instead of `id`.
  std::string file;  ///< Within the manifests directory; empty: NAME.yaml.
  bool keep_going = false;
  PolicyImportArguments many;  ///< Its options are those of both.
};

/// One id per line; skips empty lines and lines that begin with '#'.
Expected<std::vector<std::string>> ReadList(const std::string& name) {
  std::ifstream file;
  if (name != "-") {
    file.open(name);
    if (!file) {
      return Fail(Code::kNotFound,
                  "\"" + name + "\" cannot be read: name a readable file, or - for standard input");
    }
  }
  std::istream& in = name == "-" ? std::cin : file;
  std::vector<std::string> ids;
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    ids.push_back(line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1));
  }
  if (ids.empty()) {
    return Fail(Code::kInvalidArgument, "\"" + name + "\" lists no ids: write one id a line");
  }
  return ids;
}

/// The wishes for the ids: one for each kind, as a token may stand for many kinds.
Expected<std::vector<ImportWish>> MakeWishes(const ImportArguments& arguments,
                                             const providers::Kinds& kinds) {
  if (arguments.name.empty()) {
    return Fail(Code::kInvalidArgument,
                "name a kind and a manifest, or what to import with --scope, --assets or "
                "--policies");
  }
  if (const auto fault = manifests::CheckManifestName(arguments.name)) {
    return Fail(Code::kInvalidArgument, fault->message);
  }
  const bool many = !arguments.all.empty();
  if (many != arguments.id.empty()) {
    return Fail(Code::kInvalidArgument, "name one ID, or a list of them with --all FILE");
  }
  std::vector<std::string> ids = {arguments.id};
  if (many) {
    auto listed = ReadList(arguments.all);
    if (!listed) return Fail(listed.error());
    ids = *std::move(listed);
  }
  std::vector<ImportWish> wishes;
  for (std::string& id : ids) {
    const Expected<const reconcilers::Kind*> kind = FindKindByToken(kinds, arguments.token, id);
    if (!kind) return Fail(many ? kind.error().Wrap(id) : kind.error());
    auto wish = std::ranges::find(wishes, *kind, &ImportWish::kind);
    if (wish == wishes.end()) {
      wishes.push_back({*kind,
                        arguments.name,
                        {},
                        many,
                        arguments.many.protect,
                        arguments.keep_going,
                        arguments.many.to_stdout});
      wish = std::prev(wishes.end());
    }
    wish->ids.push_back(std::move(id));
  }
  return wishes;
}

/// Where the manifests go: a file that does not exist, of a name that scans look at.
Expected<fs::path> GetFile(const ImportArguments& arguments, const fs::path& directory) {
  const fs::path given = arguments.file.empty() ? arguments.name + ".yaml" : arguments.file;
  const fs::path file = (directory / given).lexically_normal();
  const fs::path below = file.lexically_relative(directory.lexically_normal());
  if (below.empty() || *below.begin() == "..") {
    return Fail(Code::kInvalidArgument, "\"" + given.string() +
                                            "\" is not in the manifests directory \"" +
                                            directory.string() + "\"");
  }
  if (!manifests::IsManifestName(file.filename().string()) || file.extension() == ".json") {
    return Fail(Code::kInvalidArgument,
                "\"" + given.string() + "\" is not the name of a manifest file: end it in .yaml");
  }
  std::error_code ignored;
  // A link may lead out of the directory.
  const std::string folder = fs::weakly_canonical(file.parent_path(), ignored).string();
  if (!IsWithin(folder, fs::weakly_canonical(directory, ignored).string())) {
    return Fail(Code::kInvalidArgument, "\"" + given.string() +
                                            "\" leads out of the manifests directory \"" +
                                            directory.string() + "\"");
  }
  if (fs::exists(fs::symlink_status(file, ignored))) {
    return Fail(Code::kAlreadyExists,
                "\"" + file.string() +
                    "\" exists already and is never overwritten: name another one with --file");
  }
  return file;
}

Json ImportReport(const fs::path& file, const ImportResult& made) {
  Json manifests = Json::array();
  for (const ImportedManifest& manifest : made.manifests) {
    manifests.push_back({{"name", manifest.name},
                         {"kind", manifest.target.kind},
                         {"target", manifest.target.name},
                         {"id", manifest.id}});
  }
  return {{"file", file.string()}, {"manifests", std::move(manifests)}};
}

/// The same without a file.
Json ListDocuments(const ImportResult& made) {
  Json documents = Json::array();
  for (const ImportedManifest& manifest : made.manifests) documents.push_back(manifest.document);
  return {{"manifests", std::move(documents)}};
}

void Tell(const ImportResult& made) {
  for (const std::string& error : made.errors) PrintError(error);
  for (const std::string& warning : made.warnings) PrintError("warning: " + warning);
  for (const std::string& note : made.notes) PrintError("note: " + note);
}

std::vector<std::string> ReplacedBy(const ImportResult& made, const config::Config& config,
                                    const std::string& provider) {
  std::vector<WrittenManifest> written;
  for (const ImportedManifest& manifest : made.manifests) {
    written.push_back({manifest.kind, manifest.document.value("spec", Json::object()), provider});
  }
  return ReplacedParts(written, config);
}

std::string ImportedText(const fs::path& file, const ImportResult& made,
                         const std::vector<std::string>& replaced,
                         const PolicyImportArguments& arguments) {
  std::string text = file.string() + ": " + Count(made.manifests.size(), "manifest") + "\n";
  for (const ImportedManifest& manifest : made.manifests) {
    text += "  " + manifest.name + ": " + manifest.id + "\n";
  }
  text += AdviseToPlan(arguments, "takes it up by itself");
  if (replaced.empty()) return text;
  text += "From then on, unless options.mode or reconcile.mode is observe:\n";
  for (const std::string& sentence : replaced) text += "- " + sentence + "\n";
  return text;
}

/// The manifests of all wishes; those of one are taken by the next.
ImportResult MakeAll(const config::Config& config, const OpenedProvider& provider,
                     std::vector<ImportWish>& wishes, DeclaredFolder declared) {
  ImportResult all;
  const auto append = [](auto& to, auto& from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  };
  for (const ImportWish& wish : wishes) {
    ImportResult made = MakeManifests(config, provider, wish, declared);
    for (const ImportedManifest& one : made.manifests) {
      declared.manifests.push_back(
          {one.name, "this import", {one.target, provider.name, one.role}});
    }
    if (!all.text.empty() && !made.text.empty()) all.text += "---\n";
    all.text += made.text;
    append(all.manifests, made.manifests);
    append(all.errors, made.errors);
    append(all.warnings, made.warnings);
    append(all.notes, made.notes);
  }
  return all;
}

/// Whether bindery reads a file of that size.
Expected<void> CheckFile(const ImportResult& made) {
  const FileLimits limits = LimitsOfReader();
  if (made.manifests.size() <= limits.documents && made.text.size() <= limits.bytes) return {};
  return Fail(Code::kFailedPrecondition,
              Count(made.manifests.size(), "manifest") + " with " +
                  Count(made.text.size(), "byte") + " are more than bindery reads of one file (" +
                  std::to_string(limits.documents) + " and " + std::to_string(limits.bytes) +
                  "): import the list in parts, with another --file for each");
}

void TellWhatIsReplaced(const std::vector<std::string>& replaced) {
  for (const std::string& sentence : replaced) PrintError("note: " + sentence);
}

/// Instead of a file.
void PrintManifests(const CommandContext& context, const ImportResult& made) {
  if (context.output == Output::kJson) {
    Print(context, ListDocuments(made), {});
  } else {
    EndWaiting();
    std::fwrite(made.text.data(), 1, made.text.size(), stdout);
  }
}

int ImportCommand(const CommandContext& context, const ImportArguments& arguments) {
  const bool to_stdout = arguments.many.to_stdout;
  const providers::Kinds kinds;
  Expected<std::vector<ImportWish>> wishes = MakeWishes(arguments, kinds);
  if (!wishes) return PrintError(wishes.error());
  const Expected<config::Config> config = ReadImportConfig(context, arguments.many);
  if (!config) return PrintError(config.error());
  const Expected<fs::path> file = GetFile(arguments, config->manifests.directory);
  if (!file && !to_stdout) return PrintError(file.error());
  const Expected<OpenedProvider> provider =
      OpenProvider(*config, *wishes->front().kind, arguments.many.provider);
  if (!provider) return PrintError(provider.error());
  const auto declared = ReadDeclared(*config, {{provider->name, provider->connection}}, kinds);
  if (!declared) return PrintError(declared.error());

  static const SystemClock kClock;
  ProgressBar progress("reading", kClock, ProgressBar::StandardError(context.quiet));
  for (ImportWish& wish : *wishes) {
    wish.progress = [&](std::size_t done, std::size_t all) { progress.Show(done, all); };
  }
  ImportResult made = MakeAll(*config, *provider, *wishes, *declared);
  progress.Clear();
  if (context.quiet) made.notes.clear();
  Tell(made);
  const int exit_code = made.errors.empty() ? kExitOk : kExitError;
  if (exit_code != kExitOk && !arguments.keep_going) return exit_code;
  if (made.manifests.empty()) return exit_code;
  const auto replaced = ReplacedBy(made, *config, provider->name);
  if (to_stdout) {
    if (!context.quiet) TellWhatIsReplaced(replaced);
    PrintManifests(context, made);
    return exit_code;
  }
  if (auto fits = CheckFile(made); !fits) return PrintError(fits.error());
  ImportRoom room = ImportRoom::Measure(config->manifests);
  const fs::path below = file->lexically_relative(config->manifests.directory.lexically_normal());
  if (auto fits = room.Take(below.string(), made.text); !fits) return PrintError(fits.error());
  if (auto written = WriteNewBelow(config->manifests.directory, *file, made.text); !written) {
    return PrintError(written.error());
  }
  Print(context, ImportReport(*file, made),
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          return ImportedText(*file, made, replaced, arguments.many);
        });
  return exit_code;
}

int ImportOneOrMany(const CommandContext& context, const ImportArguments& arguments) {
  if (!arguments.many.IsGiven()) return ImportCommand(context, arguments);
  if (arguments.token.empty()) return ImportPoliciesCommand(context, arguments.many);
  return PrintError(
      "INVALID_ARGUMENT: --scope, --assets and --policies say what to import: name "
      "no kind and no manifest beside them");
}

void AddManyOptions(const Command& import, PolicyImportArguments& many) {
  import->add_option(
      "--scope", many.scope,
      "All of organizations/NUMBER, folders/NUMBER or projects/ID that a scan found");
  import
      ->add_option("--assets", many.assets,
                   "All in a file: gcloud asset search-all-iam-policies --format=json")
      ->type_name(kFileType);
  import
      ->add_option("--policies", many.policies,
                   "//HOST/NAME=FILE with the policy of the resource, or as --assets; repeatable")
      ->type_name(kFileType);
  import->add_option("--kind", many.kinds,
                     "Only manifests of these kinds: a part of a token, or a pattern with *");
  import->add_option("--as", many.shape, "One manifest for each: binding, member or policy")
      ->capture_default_str();
  import->add_option("--layout", many.layout,
                     "Files by project, kind and resource; default: project/kind/resource");
}

}  // namespace

void DefineImport(CommandLine& line) {
  auto& arguments = line.Keep<ImportArguments>();
  const Command import(line, "import", "Write manifests of existing resources");
  import.Notes(
      "Example:\n  bindery import monitoring:index/restrictionPolicy:RestrictionPolicy my-policy"
      " \"dashboard:abc-def-ghi\"\n"
      "  bindery import --scope organizations/123456789012\n"
      "  bindery import cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding payments\n"
      "    projects/acme/locations/global/authorizationPolicies/payments");
  import->add_option("token", arguments.token, "A kind")->type_name(kTokenType);
  import->add_option("name", arguments.name, "Manifest name, or prefix when several are written");
  import->add_option("id", arguments.id,
                     "ID in the form of the provider: \"TARGET ROLE\", or TARGET for all roles");
  import->add_option("--all", arguments.all, "File with one ID per line; -: standard input")
      ->type_name(kFileType);
  import->add_option("--file", arguments.file,
                     "File in the manifests directory; default: NAME.yaml");
  import
      ->add_option("-d,--directory", arguments.many.directory,
                   "Folder for the manifests; default: that of the configuration")
      ->type_name(kFolderType);
  import->add_option("--provider", arguments.many.provider, kProviderHelp);
  import->add_flag("--stdout", arguments.many.to_stdout, "Print the manifest, write no file");
  import->add_flag("--protect", arguments.many.protect, "Set options.protect");
  import->add_flag("--keep-going", arguments.keep_going,
                   "Continue with the list after a failure; the exit code is then 2");
  import.Waits("No progress and no notes");
  AddManyOptions(import, arguments.many);
  import.Output({"text", "json", "yaml"});
  import.Runs([&arguments](const CommandContext& context) {
    return ImportOneOrMany(context, arguments);
});
}  // namespace bindery::app

}  // namespace bindery::app
