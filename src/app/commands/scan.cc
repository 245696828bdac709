// Reads all policies below an organization into the store: through a daemon where a daemon runs.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <thread>
#include <utility>

#include "app/clouds/provider_access.h"
#include "app/command_line.h"
#include "app/run/daemon_client.h"
#include "app/shell/common.h"
#include "core/text/time_text.h"
#include "inventory/inventory_scan.h"
#include "providers/inventory_source.h"
#include "report/text/text_style.h"
#include "report/values/scan_values.h"
#include "store/open_store.h"

namespace bindery::app {
namespace {

struct ScanArguments {
  std::string scope;
  std::string provider;
};

/// A line on standard error for each page.
void ShowProgress(const CommandContext& context, const report::InventoryLine& scan) {
  if (context.quiet) return;
  const std::string text = "scan of " + report::Printable(scan.scope) + ": " +
                           report::Count(scan.pages, "page") + ", " +
                           report::Count(scan.policies, "policy") + ", " +
                           report::Count(scan.containers, "container") + "\n";
  std::fputs(text.c_str(), stderr);
}

std::string ScanText(const report::InventoryLine& scan, const report::TextStyle& /*style*/) {
  std::string text = report::Printable(scan.scope) + ": " + report::Count(scan.policies, "policy") +
                     " and " + report::Count(scan.containers, "container") + " in " +
                     report::Count(scan.pages, "page") + "\n";
  for (const std::string& refused : scan.unread) {
    text += "refused by the service: " + report::Printable(refused) + "\n";
  }
  return text + "bindery coverage tells who answers for the access there.\n";
}

/// With the lock of the store; no daemon holds the lock.
Expected<report::InventoryLine> ScanAlone(const CommandContext& context,
                                          const config::Config& config,
                                          const ScanArguments& arguments) {
  const auto reads_scope = [&](const providers::InventorySource& source) {
    return source.ReadScope(arguments.scope).has_value();
  };
  const Expected<std::string> name = ScannableProvider(config, arguments.provider, reads_scope);
  if (!name) return Fail(name.error());
  const providers::InventorySource& source =
      *providers::FindInventory(config.providers.at(*name).type);
  if (const auto scope = source.ReadScope(arguments.scope); !scope) return Fail(scope.error());
  const reconcilers::Kind& kind = *providers::KnownKinds().FindByTargets(source.JudgedAs());
  const Expected<OpenedProvider> provider = OpenProvider(config, kind, *name);
  if (!provider) return Fail(provider.error());
  static const SystemClock kClock;
  const auto store = store::OpenStore(config.store, store::StoreAccess::kReadWrite, kClock);
  if (!store) return Fail(store.error().Wrap("store"));
  const auto wait = [&context](std::chrono::milliseconds time) {
    if (!context.quiet) {
      const std::string text = "waits " + FormatAge(time) + ", as the service puts calls off\n";
      std::fputs(text.c_str(), stderr);
    }
    std::this_thread::sleep_for(time);
    return true;
  };
  const auto progress = [&](const InventoryRecord& scan) {
    ShowProgress(context, report::LineOfScan(scan, report::InventoryState::kRunning));
  };
  const inventory::ScanParts parts{
      (*store)->inventory(), source, *provider->connection, kClock, wait, progress};
  const Expected<InventoryRecord> scan = inventory::ScanInventory(parts, arguments.scope);
  if (!scan) return Fail(scan.error());
  return report::LineOfScan(*scan, report::InventoryState::kDone);
}

/// The state of the begun scan; nothing: the scan is not on record yet.
std::optional<report::InventoryLine> FindScan(const report::InventoryList& list,
                                              const report::InventoryLine& begun) {
  for (const report::InventoryLine& scan : list.scans) {
    if (scan.scope == begun.scope && scan.provider == begun.provider) return scan;
  }
  return std::nullopt;
}

/// Has the daemon make the scan, and waits for the end.
Expected<report::InventoryLine> ScanByDaemon(const CommandContext& context,
                                             const config::Config& config,
                                             const ScanArguments& arguments) {
  constexpr std::chrono::milliseconds kPause{300};
  Json body = {{"scope", arguments.scope}};
  if (!arguments.provider.empty()) body["provider"] = arguments.provider;
  const auto begun = AskDaemonFor<report::InventoryLine>(context, "/api/v1/scans", body);
  if (!begun) return Fail(begun.error());
  DaemonClient client(config);
  std::int64_t shown = 0;
  for (;; std::this_thread::sleep_for(kPause)) {
    const Expected<Json> told = client.Get("/api/v1/scans");
    if (!told) return Fail(told.error());
    const auto list = report::FromJson<report::InventoryList>(*told);
    if (!list) return Fail(list.error());
    const auto scan = FindScan(*list, *begun);
    if (!scan) return Fail(Code::kInternal, "the daemon does not know the scan any more");
    if (scan->pages > shown) ShowProgress(context, *scan);
    shown = std::max(shown, scan->pages);
    if (scan->state == report::InventoryState::kDone) return *scan;
    if (scan->state == report::InventoryState::kCutOff) {
      return Fail(Code::kAborted, scan->error.empty() ? "the scan was cut off" : scan->error);
    }
  }
}

int ScanCommand(const CommandContext& context, const ScanArguments& arguments) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const bool alone = config->server.socket.empty() || DaemonIsAway(config->server.socket);
  const Expected<report::InventoryLine> scan =
      alone ? ScanAlone(context, *config, arguments) : ScanByDaemon(context, *config, arguments);
  if (!scan) return PrintError(scan.error());
  Print(context, *scan, ScanText);
  return kExitOk;
}

}  // namespace

void DefineScan(CommandLine& line) {
  auto& arguments = line.Keep<ScanArguments>();
  const Command scan(line, "scan",
                     "Read all policies below an organization, a folder or a project into the "
                     "store, by the index of the cloud");
  scan->add_option("--scope", arguments.scope,
                   "organizations/NUMBER, folders/NUMBER or projects/ID; or organization, for all "
                   "that the keys reach")
      ->required();
  scan->add_option("--provider", arguments.provider,
                   "A provider of the configuration; default: the first with such a scope");
  scan.Quiet();
  scan.Output({"text", "json", "yaml"});
  scan.Examples(
      "bindery scan --scope organizations/123456789012\n"
      "bindery scan --scope projects/acme -o json\n"
      "bindery scan --scope organization --provider monitoring");
  scan.Runs(
      [&arguments](const CommandContext& context) { return ScanCommand(context, arguments); });
}

}  // namespace bindery::app
