#include <chrono>
#include <cstdio>
#include <utility>

#include "app/clouds.h"
#include "app/commands/common.h"
#include "app/daemon_client.h"
#include "app/offline_scan.h"
#include "app/planner.h"
#include "report/text.h"

namespace bindery {
namespace {

/// What the last run left, or nothing where there was none.
Expected<void> LoadCatalog(const Config& config, Catalog& catalog) {
  const SystemClock clock;
  Expected<std::unique_ptr<Store>> store =
      Store::Open(config.store, Store::Access::kReadOnly, clock);
  if (!store) {
    if (store.error().code == Code::kNotFound) return {};
    return Fail(store.error());
  }
  auto resources = (*store)->Resources();
  if (!resources) return Fail(resources.error());
  auto targets = (*store)->Targets();
  if (!targets) return Fail(targets.error());
  catalog.Load({std::move(*resources), std::move(*targets), {}, {}, {}});
  return {};
}

/// Plans without a daemon: reads directory, store and clouds itself, and changes none of them.
Expected<Json> PlanOffline(const Config& config, const std::vector<std::string>& names) {
  const Kinds kinds;
  Catalog catalog(kinds);
  const EngineSettings settings = EngineSettingsOf(config);
  catalog.SetSettings(settings.catalog);
  if (auto loaded = LoadCatalog(config, catalog); !loaded) return Fail(loaded.error());
  Expected<ScanInput> scan = ReadOnce(config.manifests, kinds, {});
  if (!scan) return Fail(scan.error());
  const Now now{std::chrono::steady_clock::now(), std::chrono::system_clock::now()};
  ScanOutcome outcome = catalog.ApplyScan(*scan, now);
  Guard guard;
  guard.SetLimits(settings.guard);
  guard.BeginPass(outcome.declared_before);
  for (const auto* list : {&std::as_const(scan->problems), &std::as_const(outcome.conflicts)}) {
    for (const Problem& problem : *list) std::fprintf(stderr, "%s\n", problem.Text().c_str());
  }
  // A daemon looks twice before it takes a manifest for deleted.
  if (outcome.confirm) std::ignore = catalog.ApplyScan(*scan, now);
  Expected<Clouds> clouds = OpenClouds(config, EmbeddedCloud::kPrivate, nullptr);
  if (!clouds) return Fail(clouds.error());
  Expected<std::vector<PlanTask>> tasks = PlanTasks(catalog, clouds->connections, names);
  if (!tasks) return Fail(tasks.error());
  return MakePlan(*tasks, guard, settings.concurrency);
}

Expected<Json> PlanOnline(const Config& config, const std::vector<std::string>& names) {
  std::string query;
  for (const std::string& name : names) {
    query += (query.empty() ? "?name=" : "&name=") + name;
  }
  return DaemonClient(config).Get("/api/v1/plan" + query);
}

}  // namespace

int PlanCommand(const CommandContext& context, const std::vector<std::string>& names,
                ExitStyle style) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return ExitCodeOf(Complain(config.error()), style);
  Expected<Json> plan = PlanOnline(*config, names);
  if (!plan && plan.error().code == Code::kUnavailable) plan = PlanOffline(*config, names);
  if (!plan) return ExitCodeOf(Complain(plan.error()), style);
  Print(context, *plan, PlanText);
  if (const Json* errors = FindMember(*plan, "errors"); errors != nullptr) {
    for (const Json& error : *errors) {
      std::fprintf(stderr, "bindery: %s: %s: %s\n", StringMember(error, "target").c_str(),
                   StringMember(error, "code").c_str(), StringMember(error, "message").c_str());
    }
    return ExitCodeOf(kExitError, style);
  }
  const Json& summary = plan->at("summary");
  const bool changes = summary.at("adds") != 0 || summary.at("removes") != 0;
  return ExitCodeOf(changes ? kExitDiffers : kExitOk, style);
}

}  // namespace bindery
