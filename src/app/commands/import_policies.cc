// Adopts many policies at once: of a scan, or of exports of the cloud's own tool.

#include "app/commands/import_policies.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/plan/import_room.h"
#include "app/plan/import_sources.h"
#include "app/plan/manifest_folder.h"
#include "app/plan/manifest_writer.h"
#include "app/plan/policy_import.h"
#include "app/process/progress_bar.h"
#include "app/process/waiting_line.h"
#include "app/shell/common.h"
#include "core/text/printable.h"
#include "report/text/text_style.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

Expected<PolicyImportWish> MakeWish(const PolicyImportArguments& arguments) {
  PolicyImportWish wish;
  const int sources = static_cast<int>(!arguments.scope.empty()) +
                      static_cast<int>(!arguments.assets.empty()) +
                      static_cast<int>(!arguments.policies.empty());
  if (sources != 1) {
    return Fail(Code::kInvalidArgument, "name one of --scope, --assets and --policies");
  }
  const auto shape = ParseImportShape(arguments.shape);
  if (!shape) {
    return Fail(Code::kInvalidArgument,
                "--as: \"" + arguments.shape + "\" is none of binding, member and policy");
  }
  auto layout =
      ImportLayout::Parse(arguments.layout.empty() ? ImportLayout::kDefault : arguments.layout);
  if (!layout) return Fail(layout.error().Wrap("--layout"));
  wish.shape = *shape;
  wish.layout = *std::move(layout);
  wish.kinds = arguments.kinds;
  wish.protect = arguments.protect;
  wish.read = !arguments.scope.empty();
  return wish;
}

Expected<InventoryFacts> ReadFacts(const config::Config& config,
                                   const providers::InventorySource& source,
                                   const std::string& provider,
                                   const PolicyImportArguments& arguments) {
  if (arguments.scope.empty()) {
    return FactsOfExports(source, arguments.assets.empty()
                                      ? arguments.policies
                                      : std::vector<std::string>{arguments.assets});
  }
  const auto scope = source.ReadScope(arguments.scope);
  if (!scope) return Fail(scope.error());
  const auto store = OpenForReading(config);
  if (!store) {
    const bool is_absent = store.error().code == Code::kNotFound;
    return Fail(is_absent ? MakeNoScanError(*scope) : store.error());
  }
  return FactsOfScan((*store)->inventory(), provider, *scope);
}

void AddClass(std::string& text, std::int64_t count, const char* what) {
  if (count > 0) text += "  " + std::to_string(count) + " " + what + "\n";
}

std::string ImportText(const PolicyImportReport& report, const PolicyImportArguments& arguments) {
  const bool to_stdout = arguments.to_stdout;
  const ImportCounts& counts = report.counts;
  std::string text = report::Count(report.manifests, "manifest");
  if (!to_stdout) text += " in " + report::Count(report.files, "new file");
  text += ", of " + report::Count(report.policies, "policy") + " with " +
          report::Count(report.grants, "grant") + (report.grants > 0 ? ":\n" : "\n");
  AddClass(text, counts.imported, "declared by the new manifests");
  AddClass(text, counts.declared, "declared before");
  AddClass(text, counts.accepted, "accepted by the configuration or a manifest");
  AddClass(text, counts.just_in_time, "just-in-time access");
  AddClass(text, counts.service_agents, "of accounts of the cloud's own services");
  AddClass(text, counts.tombstones, "of deleted principals");
  AddClass(text, counts.left_out, "left out");
  if (report.gone > 0) {
    text += report::Count(report.gone, "resource") + " of the scan " +
            (report.gone == 1 ? "does" : "do") + " not exist any more\n";
  }
  for (const auto& [type, count] : report.no_kind) {
    text += "not looked at, as no kind manages " + report::Printable(type) + ": " +
            report::Count(count, "policy") + "\n";
  }
  for (const LeftOutLine& line : report.left_out) {
    text += "left out of " + report::Printable(line.target) + ": " +
            report::Printable(line.reason) + "\n";
  }
  for (const std::string& sentence : report.not_known) text += "not known: " + sentence + "\n";
  if (report.manifests == 0 || to_stdout) return text;
  if (!report.not_known.empty() || !report.left_out.empty()) {
    return text + "bindery plan shows what the policies hold beside the new manifests.\n";
  }
  return text + AdviseToPlan(arguments, "takes them up");
}

void TellReplaced(const std::vector<WrittenManifest>& written, const config::Config& config) {
  for (const std::string& sentence : ReplacedParts(written, config)) {
    const std::string note = "note: " + sentence + "\n";
    PauseWaiting();
    std::fputs(PrintableOutput(note).c_str(), stderr);
  }
}

constexpr const char* kSmallerImports =
    ", or import a part of the scope (--layout project makes the fewest files)";

/// The files of an import in the directory.
class ImportedFiles {
 public:
  explicit ImportedFiles(const config::ManifestsConfig& config)
      : directory_(config.directory),
        room_(ImportRoom::Measure(config, kSmallerImports)),
        batches_(directory_) {}

  [[nodiscard]] const ImportRoom& room() const { return room_; }

  /// Adds a new file, if the directory has room for the file.
  Expected<void> Add(const std::string& path, const std::string& text) {
    const fs::path file = directory_ / path;
    if (auto fits = room_.Take(path, text); !fits) return fits;
    if (auto made = MakeFoldersBelow(directory_, file); !made) return made;
    auto added = batches_.Add(file, text);
    if (added) {
      ++waiting_;
    } else {
      // The text counts again under the next name.
      room_.GiveBack(text);
    }
    return added;
  }

  Expected<void> Place() {
    auto placed = batches_.Place();
    if (placed) placed_ += std::exchange(waiting_, 0);
    return placed;
  }

  /// The error, with what stays of the import.
  [[nodiscard]] Error ExplainRest(Error error) const {
    if (placed_ == 0) return error;
    error.message +=
        "; " + report::Count(placed_, "file") +
        (placed_ == 1 ? " was written before and stays" : " were written before and stay") +
        ", each of them whole: repeat the command then, and the import "
        "continues with what no manifest declares";
    return error;
  }

 private:
  const fs::path directory_;
  ImportRoom room_;
  NewFileBatches batches_;
  std::int64_t waiting_ = 0;  ///< Added, but not placed.
  std::int64_t placed_ = 0;
};

}  // namespace

Expected<config::Config> ReadImportConfig(const CommandContext& context,
                                          const PolicyImportArguments& arguments) {
  Expected<config::Config> config = ReadConfig(context);
  if (!config || arguments.directory.empty()) return config;
  const fs::path directory = fs::absolute(arguments.directory);
  if (!arguments.to_stdout) {
    std::error_code failure;
    fs::create_directories(directory, failure);
    if (failure) {
      return Fail(Code::kInvalidArgument, "\"" + directory.string() + "\": " + failure.message());
    }
  }
  config->manifests.directory = directory;
  return config;
}

std::string AdviseToPlan(const PolicyImportArguments& arguments, const std::string& taken_up) {
  if (arguments.directory.empty()) {
    return "bindery plan shows that nothing changes; a daemon that runs " + taken_up + ".\n";
  }
  return "bindery plan --manifests " + report::Printable(arguments.directory) +
         " shows that nothing changes.\n";
}

/// What an import works with.
struct ImportGround {
  PolicyImportWish wish;
  config::Config config;
  const providers::InventorySource& source;
  InventoryFacts facts;
  OpenedProvider provider;
  DeclaredFolder declared;
};

Expected<void> CheckLayout(const config::Config& config, const PolicyImportWish& wish,
                           const PolicyImportArguments& arguments) {
  if (config.manifests.recursive || arguments.to_stdout || !wish.layout.HasFolders()) return {};
  return Fail(Code::kInvalidArgument,
              "manifests.recursive is false, and the files would go into folders that bindery does "
              "not read: name a layout without folders, such as --layout project");
}

Expected<ImportGround> FindGround(const CommandContext& context,
                                  const PolicyImportArguments& arguments) {
  Expected<PolicyImportWish> wish = MakeWish(arguments);
  if (!wish) return Fail(wish.error());
  Expected<config::Config> config = ReadImportConfig(context, arguments);
  if (!config) return Fail(config.error());
  if (auto fits = CheckLayout(*config, *wish, arguments); !fits) return Fail(fits.error());
  const auto serves = [&](const providers::InventorySource& source) {
    return arguments.scope.empty() ? source.ReadExport(Json::array()).has_value()
                                   : source.ReadScope(arguments.scope).has_value();
  };
  const Expected<std::string> name = ScannableProvider(*config, arguments.provider, serves);
  if (!name) return Fail(name.error());
  const providers::InventorySource& source =
      *providers::FindInventory(config->providers.at(*name).type);
  if (auto fits = CheckKindPattern(source, *wish); !fits) return Fail(fits.error());
  Expected<InventoryFacts> facts = ReadFacts(*config, source, *name, arguments);
  if (!facts) return Fail(facts.error());
  const reconcilers::Kind& kind = *providers::KnownKinds().FindByTargets(source.JudgedAs());
  Expected<OpenedProvider> provider = OpenProvider(*config, kind, *name);
  if (!provider) return Fail(provider.error());
  auto declared =
      ReadDeclared(*config, {{provider->name, provider->connection}}, providers::KnownKinds());
  if (!declared) return Fail(declared.error());
  return ImportGround{*std::move(wish),  *std::move(config),   source,
                      *std::move(facts), *std::move(provider), *std::move(declared)};
}

int ImportPoliciesCommand(const CommandContext& context, const PolicyImportArguments& arguments) {
  const Expected<ImportGround> ground = FindGround(context, arguments);
  if (!ground) return PrintError(ground.error());
  static const SystemClock kClock;
  ProgressBar progress("importing", kClock, ProgressBar::StandardError(context.quiet));
  PolicyImportParts parts{
      ground->config, ground->provider, ground->source, ground->declared, {}, {}, {}};
  std::optional<ImportedFiles> files;
  if (!arguments.to_stdout) {
    files.emplace(ground->config.manifests);
    const auto fits = CheckRoom(files->room(), parts, ground->wish, ground->facts);
    if (!fits) return PrintError(fits.error());
    parts.place = [&files] { return files->Place(); };
  }
  parts.progress = [&](std::size_t done, std::size_t all) { progress.Show(done, all); };
  const char* separator = "";
  parts.write = [&](const std::string& path, const std::string& text) -> Expected<void> {
    if (files) return files->Add(path, text);
    EndWaiting();
    std::printf("%s%s", std::exchange(separator, "---\n"), text.c_str());
    return {};
  };
  std::vector<WrittenManifest> written;
  const auto report = ImportPolicies(parts, ground->wish, ground->facts, written);
  progress.Clear();
  if (!report) return PrintError(files ? files->ExplainRest(report.error()) : report.error());
  if (!context.quiet) TellReplaced(written, ground->config);
  if (arguments.to_stdout) {
    EndWaiting();
    std::fputs(PrintableOutput(ImportText(*report, arguments)).c_str(), stderr);
  } else {
    Print(context, report::ToJson(*report),
          [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
            return ImportText(*report, arguments);
          });
  }
  const bool is_whole = report->left_out.empty() && report->counts.unproven == 0;
  return is_whole ? kExitOk : kExitDiffers;
}

}  // namespace bindery::app
