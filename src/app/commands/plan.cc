#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/clouds.h"
#include "app/command_line.h"
#include "app/commands/common.h"
#include "app/offline_start.h"
#include "app/planner.h"
#include "app/progress_bar.h"
#include "core/printable.h"
#include "report/plan_report.h"
#include "report/problem_lines.h"
#include "report/text.h"
#include "store/open_store.h"

namespace bindery {
namespace {

/// What the daemon knows may be older than the directory, or of another one; so no daemon is asked:
/// directory, store and clouds are read here, and none of them is changed.
Expected<PassPlan> MakePlanOf(const Config& config, const std::vector<std::string>& names) {
  Expected<Clouds> clouds = OpenClouds(config, EmbeddedCloud::kPrivate);
  if (!clouds) return Fail(clouds.error());
  const Kinds kinds;
  const SystemClock clock;
  const EngineSettings settings = EngineSettingsOf(config, clouds->providers.connections);
  DryRun run(kinds, settings, {clock.Mono(), clock.Wall()});
  run.engine().SetConnections(clouds->providers.connections);
  run.engine().SetDates(clouds->providers.dates);
  if (auto started = StartOffline(config, kinds, KnownBefore::kFromStore, run); !started) {
    return Fail(started.error());
  }
  ProgressBar progress("reading", clock, ProgressBar::StandardError());
  DryRun::Reads reads;
  reads.at_once = settings.concurrency;
  const Expected<std::unique_ptr<Store>> store =
      OpenStore(config.store, StoreAccess::kReadOnly, clock);
  if (store) {
    reads.stored = [&store](const std::string& digest) { return (*store)->Policy(digest); };
  }
  reads.told = [&progress](std::size_t done, std::size_t all) { progress.Show(done, all); };
  Expected<PassPlan> plan = MakePlan(run, names, reads);
  std::vector<report::ProblemLine> found;
  for (const ManifestProblemRecord& problem : run.problems()) {
    found.push_back(report::LineOfProblem(problem));
  }
  if (plan) {
    AddProblems(*plan, found, names, [&run](const std::string& name) {
      const ResourceEntry* entry = run.catalog().claims().FindResource(name);
      return entry != nullptr && entry->accepted;
    });
  } else {
    // They may be why.
    std::fputs(PrintableOutput(report::ProblemLines(found, {})).c_str(), stderr);
  }
  return plan;
}

int ExitCodeOfPlan(const PassPlan& plan, ExitStyle style) {
  if (!plan.load_error.empty()) PrintError(plan.load_error);
  for (const UnreadTarget& error : plan.errors) {
    PrintError(error.target + ": " + error.code + ": " + error.message);
  }
  const bool failed = !plan.load_error.empty() || !plan.errors.empty();
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
  if (!config) return ExitCodeOf(PrintError(config.error()), style);
  if (!arguments.manifests.empty()) {
    config->manifests.directory = std::filesystem::absolute(arguments.manifests);
    // What the daemon waits for is that its own directory settles.
    config->manifests.settle = std::chrono::milliseconds(0);
  }
  Expected<PassPlan> plan = MakePlanOf(*config, arguments.names);
  if (!plan) return ExitCodeOf(PrintError(plan.error()), style);
  if (arguments.least > Severity::kLow) *plan = PlanAtLeast(std::move(*plan), arguments.least);
  report::AddExcerpts(plan->problems, config->manifests.directory);
  Print(context, *plan, PlanText);
  std::fputs(PrintableOutput(report::ProblemLines(plan->problems, {})).c_str(), stderr);
  return ExitCodeOfPlan(*plan, style);
}

}  // namespace

Expected<PassPlan> PlanNow(const Config& config, const std::vector<std::string>& names) {
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
