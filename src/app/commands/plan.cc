#include <cstdio>
#include <utility>

#include "app/clouds.h"
#include "app/commands/common.h"
#include "app/daemon_client.h"
#include "app/offline_catalog.h"
#include "app/planner.h"
#include "report/plan_report.h"
#include "report/text.h"

namespace bindery {
namespace {

/// Plans without a daemon: reads directory, store and clouds itself, and changes none of them.
Expected<Json> PlanOffline(const Config& config, const std::vector<std::string>& names) {
  Expected<Clouds> clouds = OpenClouds(config, EmbeddedCloud::kPrivate, nullptr);
  if (!clouds) return Fail(clouds.error());
  const Kinds kinds;
  const EngineSettings settings = EngineSettingsOf(config, clouds->providers.connections);
  const auto offline = ReadCatalog(config, settings.catalog, kinds);
  if (!offline) return Fail(offline.error());
  for (const Problem& problem : (*offline)->problems) {
    std::fprintf(stderr, "%s\n", problem.Text().c_str());
  }
  Guard guard;
  guard.SetLimits(settings.guard);
  guard.BeginPass((*offline)->declared_before);
  Expected<PlanScope> scope =
      PlanScopeOf((*offline)->catalog, clouds->providers.connections, names);
  if (!scope) return Fail(scope.error());
  return MakePlan(*scope, guard, settings.concurrency);
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
                Severity least, ExitStyle style) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return ExitCodeOf(Complain(config.error()), style);
  Expected<Json> plan = PlanOnline(*config, names);
  if (!plan && plan.error().code == Code::kUnavailable) plan = PlanOffline(*config, names);
  if (!plan) return ExitCodeOf(Complain(plan.error()), style);
  if (least > Severity::kLow) *plan = PlanAtLeast(std::move(*plan), least);
  Print(context, *plan, PlanText);
  if (const Json* errors = FindMember(*plan, "errors"); errors != nullptr) {
    for (const Json& error : *errors) {
      std::fprintf(stderr, "bindery: %s: %s: %s\n", StringMember(error, "target").c_str(),
                   StringMember(error, "code").c_str(), StringMember(error, "message").c_str());
    }
    return ExitCodeOf(kExitError, style);
  }
  const Json& summary = plan->at("summary");
  // What waits for outputs will most likely change something.
  const bool changes = summary.at("adds") != 0 || summary.at("removes") != 0 ||
                       FindMember(*plan, "waiting") != nullptr;
  return ExitCodeOf(changes ? kExitDiffers : kExitOk, style);
}

}  // namespace bindery
