// Adopts existing resources: writes manifests that declare the present state.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <utility>

#include "app/command_line.h"
#include "app/plan/manifest_import.h"
#include "app/plan/manifest_writer.h"
#include "app/plan/replaced_parts.h"
#include "app/shell/common.h"
#include "manifests/files/file_names.h"
#include "manifests/schema/checks.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string token;
  std::string name;  ///< Of the manifest; what the names begin with where there are several.
  std::string id;
  std::string all;   ///< A file with an id a line, "-": standard input. Instead of `id`.
  std::string file;  ///< Within the manifests directory; empty: NAME.yaml.
  std::string provider;
  bool to_stdout = false;
  bool protect = false;
  bool keep_going = false;
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

Expected<ImportWish> WishOf(const ImportArguments& arguments, const Kind& kind) {
  ImportWish wish;
  wish.kind = &kind;
  wish.name = arguments.name;
  wish.many = !arguments.all.empty();
  wish.protect = arguments.protect;
  wish.keep_going = arguments.keep_going;
  wish.only_shown = arguments.to_stdout;
  if (const auto fault = CheckManifestName(arguments.name)) {
    return Fail(Code::kInvalidArgument, fault->message);
  }
  if (wish.many != arguments.id.empty()) {
    return Fail(Code::kInvalidArgument, "name one ID, or a list of them with --all FILE");
  }
  wish.ids = {arguments.id};
  if (!wish.many) return wish;
  auto ids = ReadList(arguments.all);
  if (!ids) return Fail(ids.error());
  wish.ids = std::move(*ids);
  return wish;
}

/// Where the manifests go: a file that does not exist, of a name that scans look at.
Expected<fs::path> FileOf(const ImportArguments& arguments, const fs::path& directory) {
  const fs::path given = arguments.file.empty() ? arguments.name + ".yaml" : arguments.file;
  const fs::path file = (directory / given).lexically_normal();
  const fs::path below = file.lexically_relative(directory.lexically_normal());
  if (below.empty() || *below.begin() == "..") {
    return Fail(Code::kInvalidArgument, "\"" + given.string() +
                                            "\" is not in the manifests directory \"" +
                                            directory.string() + "\"");
  }
  if (!IsManifestName(file.filename().string()) || file.extension() == ".json") {
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
Json DocumentsOf(const ImportResult& made) {
  Json documents = Json::array();
  for (const ImportedManifest& manifest : made.manifests) documents.push_back(manifest.document);
  return {{"manifests", std::move(documents)}};
}

/// With the necessary folders below the manifests directory; the directory itself must exist: a
/// missing directory is an error, and not empty.
Expected<void> WriteBelow(const fs::path& directory, const fs::path& file,
                          const std::string& text) {
  std::error_code failed;
  if (fs::is_directory(directory, failed)) fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return Fail(Code::kFailedPrecondition,
                "\"" + file.parent_path().string() + "\" cannot be made: " + failed.message());
  }
  return WriteNewFile(file, text);
}

void Tell(const ImportResult& made) {
  for (const std::string& error : made.errors) PrintError(error);
  for (const std::string& warning : made.warnings) PrintError("warning: " + warning);
  for (const std::string& note : made.notes) PrintError("note: " + note);
}

std::vector<std::string> ReplacedBy(const ImportResult& made, const Config& config,
                                    const std::string& provider) {
  std::vector<WrittenManifest> written;
  for (const ImportedManifest& manifest : made.manifests) {
    written.push_back({manifest.kind, manifest.document.value("spec", Json::object()), provider});
  }
  return ReplacedParts(written, config);
}

std::string ImportedText(const fs::path& file, const ImportResult& made,
                         const std::vector<std::string>& replaced) {
  std::string text = file.string() + ": " + std::to_string(made.manifests.size()) +
                     (made.manifests.size() == 1 ? " manifest\n" : " manifests\n");
  for (const ImportedManifest& manifest : made.manifests) {
    text += "  " + manifest.name + ": " + manifest.id + "\n";
  }
  text += "bindery plan shows that nothing changes; a daemon that runs takes it up by itself.\n";
  if (replaced.empty()) return text;
  text += "From then on, unless options.mode or reconcile.mode is observe:\n";
  for (const std::string& sentence : replaced) text += "- " + sentence + "\n";
  return text;
}

int ImportCommand(const CommandContext& context, const ImportArguments& arguments) {
  const Kinds kinds;
  const Expected<const Kind*> kind = FindKindOf(kinds, arguments.token, arguments.id);
  if (!kind) return PrintError(kind.error());
  const Expected<ImportWish> wish = WishOf(arguments, **kind);
  if (!wish) return PrintError(wish.error());
  const Expected<Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<fs::path> file = FileOf(arguments, config->manifests.directory);
  if (!file && !arguments.to_stdout) return PrintError(file.error());
  const Expected<OpenedProvider> provider = OpenProvider(*config, **kind, arguments.provider);
  if (!provider) return PrintError(provider.error());
  const auto declared = DeclaredManifests(*config, *provider, kinds);
  if (!declared) return PrintError(declared.error());

  const ImportResult made = MakeManifests(*config, *provider, *wish, *declared);
  Tell(made);
  const int exit_code = made.errors.empty() ? kExitOk : kExitError;
  if (exit_code != kExitOk && !wish->keep_going) return exit_code;
  if (made.manifests.empty()) return exit_code;
  const auto replaced = ReplacedBy(made, *config, provider->name);
  if (arguments.to_stdout) {
    for (const std::string& sentence : replaced) PrintError("note: " + sentence);
  }
  if (arguments.to_stdout && context.output == Output::kJson) {
    Print(context, DocumentsOf(made), {});
    return exit_code;
  }
  if (arguments.to_stdout) {
    std::fwrite(made.text.data(), 1, made.text.size(), stdout);
    return exit_code;
  }
  if (auto written = WriteBelow(config->manifests.directory, *file, made.text); !written) {
    return PrintError(written.error());
  }
  Print(context, ImportReport(*file, made),
        [&](const Json& /*the same*/, const TextStyle& /*style*/) {
          return ImportedText(*file, made, replaced);
        });
  return exit_code;
}

}  // namespace

void DefineImport(CommandLine& line) {
  auto& arguments = line.Keep<ImportArguments>();
  const Command import(line, "import", "Write the manifest of an existing resource");
  import.Notes(
      "Example:\n  bindery import monitoring:index/restrictionPolicy:RestrictionPolicy my-policy"
      " \"dashboard:abc-def-ghi\"\n"
      "  bindery import cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding payments\n"
      "    projects/acme/locations/global/authorizationPolicies/payments");
  import->add_option("token", arguments.token, "A kind")->required()->type_name(kTokenType);
  import->add_option("name", arguments.name, "Manifest name, or prefix when several are written")
      ->required();
  import->add_option("id", arguments.id,
                     "ID in the form of the provider: \"TARGET ROLE\", or TARGET for all roles");
  import->add_option("--all", arguments.all, "File with one ID per line; -: standard input")
      ->type_name(kFileType);
  import->add_option("--file", arguments.file,
                     "File in the manifests directory; default: NAME.yaml");
  import->add_option("--provider", arguments.provider, kProviderHelp);
  import->add_flag("--stdout", arguments.to_stdout, "Print the manifest, write no file");
  import->add_flag("--protect", arguments.protect, "Set options.protect");
  import->add_flag("--keep-going", arguments.keep_going,
                   "Continue with the list after a failure; the exit code is then 2");
  import.Output({"text", "json", "yaml"});
  import.Runs([&arguments](const CommandContext& context) {
    return ImportCommand(context, arguments);
});
}  // namespace bindery

}  // namespace bindery
