#include <cstdio>
#include <utility>

#include "app/clouds.h"
#include "app/commands/common.h"
#include "app/daemon_client.h"
#include "app/offline_plan.h"
#include "core/printable.h"
#include "report/plan_report.h"
#include "report/problem_lines.h"
#include "report/text.h"
#include "report/validate_report.h"

namespace bindery {
namespace {

/// Plans without a daemon: reads directory, store and clouds itself, and changes none of them.
Expected<Json> PlanOffline(const Config& config, const std::vector<std::string>& names) {
  Expected<Clouds> clouds = OpenClouds(config, EmbeddedCloud::kPrivate);
  if (!clouds) return Fail(clouds.error());
  const Kinds kinds;
  const EngineSettings settings = EngineSettingsOf(config, clouds->providers.connections);
  const auto offline = ReadCatalog(config, settings.catalog, kinds);
  if (!offline) return Fail(offline.error());
  const Guard guard = GuardOf(**offline, settings.guard);
  const SystemClock clock;
  ProgressBar progress("reading", clock, ProgressBar::StandardError());
  Expected<Json> plan = MakeOfflinePlan(
      **offline, guard, {clouds->providers.connections, settings.concurrency, &progress}, names);
  const Json found = ValidateReport(0, 0, (*offline)->problems).at("problems");
  if (plan) {
    AddProblems(*plan, found, names);
  } else {
    // They may be why.
    std::fputs(PrintableOutput(report::ProblemLines(found, {})).c_str(), stderr);
  }
  return plan;
}

Expected<Json> PlanOnline(const Config& config, const std::vector<std::string>& names) {
  std::string query;
  for (const std::string& name : names) {
    query += (query.empty() ? "?name=" : "&name=") + name;
  }
  return DaemonClient(config).Get("/api/v1/plan" + query);
}

/// There is no daemon, or it is not for this user to ask: a plan can be made without.
bool IsOutOfReach(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kPermissionDenied;
}

/// What the daemon found in the manifests at its last load.
Expected<void> TellProblemsOnRecord(const Config& config, const std::vector<std::string>& names) {
  const Expected<std::unique_ptr<Store>> store = OpenForReading(config);
  if (!store) return Fail(store.error());
  const auto problems = report::ProblemsOnRecord(**store);
  if (!problems) return Fail(problems.error());
  std::fputs(
      PrintableOutput(report::ProblemLines(report::ProblemsWith(*problems, names), {})).c_str(),
      stderr);
  return {};
}

int ExitCodeOfPlan(const Json& plan, ExitStyle style) {
  bool failed = false;
  if (const std::string load = StringMember(plan, "loadError"); !load.empty()) {
    Complain(load);
    failed = true;
  }
  if (const Json* errors = FindMember(plan, "errors"); errors != nullptr) {
    for (const Json& error : *errors) {
      Complain(StringMember(error, "target") + ": " + StringMember(error, "code") + ": " +
               StringMember(error, "message"));
    }
    failed = true;
  }
  if (failed) return ExitCodeOf(kExitError, style);
  if (RefusedManifests(plan) > 0) return kExitInvalid;
  return ExitCodeOf(PlanDiffers(plan) ? kExitDiffers : kExitOk, style);
}

}  // namespace

Expected<Json> PlanNow(const Config& config, const std::vector<std::string>& names) {
  Expected<Json> plan = PlanOnline(config, names);
  if (!plan && IsOutOfReach(plan.error())) plan = PlanOffline(config, names);
  return plan;
}

int PlanCommand(const CommandContext& context, const std::vector<std::string>& names,
                Severity least, ExitStyle style) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return ExitCodeOf(Complain(config.error()), style);
  Expected<Json> plan = PlanOnline(*config, names);
  if (!plan && IsOutOfReach(plan.error())) {
    plan = PlanOffline(*config, names);
  } else if (!plan) {
    if (auto told = TellProblemsOnRecord(*config, names); !told) Complain(told.error());
  }
  if (!plan) return ExitCodeOf(Complain(plan.error()), style);
  if (least > Severity::kLow) *plan = PlanAtLeast(std::move(*plan), least);
  if (plan->contains("problems")) {
    report::AddExcerpts(plan->at("problems"), config->manifests.directory);
  }
  Print(context, *plan, PlanText);
  if (const Json* problems = FindMember(*plan, "problems"); problems != nullptr) {
    std::fputs(PrintableOutput(report::ProblemLines(*problems, {})).c_str(), stderr);
  }
  return ExitCodeOfPlan(*plan, style);
}

}  // namespace bindery
