#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/clouds.h"
#include "app/command_line.h"
#include "app/commands/common.h"
#include "app/offline_plan.h"
#include "core/printable.h"
#include "report/plan_report.h"
#include "report/problem_lines.h"
#include "report/text.h"
#include "report/validate_report.h"

namespace bindery {
namespace {

/// What the daemon knows may be older than the directory, or of another one; so nobody is asked:
/// directory, store and clouds are read here, and none of them is changed.
Expected<Json> MakePlanOf(const Config& config, const std::vector<std::string>& names) {
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
    const auto& resources = (*offline)->catalog.claims().resources();
    AddProblems(*plan, found, names, [&resources](const std::string& name) {
      const auto entry = resources.find(name);
      return entry != resources.end() && entry->second.accepted;
    });
  } else {
    // They may be why.
    std::fputs(PrintableOutput(report::ProblemLines(found, {})).c_str(), stderr);
  }
  return plan;
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

struct PlanArguments {
  std::vector<std::string> names;  ///< Resources; none: all.
  std::string manifests;           ///< The directory to plan; empty: the configured one.
  Severity least = Severity::kLow;
};

int PlanCommand(const CommandContext& context, const PlanArguments& arguments) {
  const ExitStyle style = context.exit_style;
  Expected<Config> config = ReadConfig(context);
  if (!config) return ExitCodeOf(Complain(config.error()), style);
  if (!arguments.manifests.empty()) {
    config->manifests.directory = std::filesystem::absolute(arguments.manifests);
    // What the daemon waits for is that its own directory settles.
    config->manifests.settle = std::chrono::milliseconds(0);
  }
  Expected<Json> plan = MakePlanOf(*config, arguments.names);
  if (!plan) return ExitCodeOf(Complain(plan.error()), style);
  if (arguments.least > Severity::kLow) *plan = PlanAtLeast(std::move(*plan), arguments.least);
  if (plan->contains("problems")) {
    report::AddExcerpts(plan->at("problems"), config->manifests.directory);
  }
  Print(context, *plan, PlanText);
  if (const Json* problems = FindMember(*plan, "problems"); problems != nullptr) {
    std::fputs(PrintableOutput(report::ProblemLines(*problems, {})).c_str(), stderr);
  }
  return ExitCodeOfPlan(*plan, style);
}

}  // namespace

Expected<Json> PlanNow(const Config& config, const std::vector<std::string>& names) {
  return MakePlanOf(config, names);
}

void DefinePlan(CommandLine& line) {
  auto& arguments = line.Keep<PlanArguments>();
  const Command plan(line, "plan", "Say what the next pass would change; writes nothing");
  plan->add_option("name", arguments.names, "Resources whose targets to plan; all if none")
      ->type_name(kResourceType);
  plan->add_option("--manifests", arguments.manifests,
                   "Plan this directory instead of the configured one, such as a branch")
      ->type_name("DIR");
  const auto least =
      plan.LeastSeverity("Only targets that differ at least so badly, in the exit code too");
  plan.DetailedExit();
  plan.Output({"text", "json", "yaml"});
  plan.Examples(
      "bindery plan\nbindery plan payments-viewers -o json\n"
      "bindery plan --severity high --detailed-exitcode");
  plan.Runs([&arguments, least](const CommandContext& context) {
    arguments.least = least();
    return PlanCommand(context, arguments);
  });
}

}  // namespace bindery
