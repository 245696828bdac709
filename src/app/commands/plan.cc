#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/clouds/clouds.h"
#include "app/command_line.h"
#include "app/directory/narrow_start.h"
#include "app/directory/offline_scan.h"
#include "app/directory/offline_start.h"
#include "app/directory/preview.h"
#include "app/plan/planner.h"
#include "app/process/progress_bar.h"
#include "app/process/waiting_line.h"
#include "app/run/daemon_client.h"
#include "app/shell/common.h"
#include "controller/engine/plan_part.h"
#include "core/text/printable.h"
#include "report/forms/texts.h"
#include "report/reports/plan_report.h"
#include "report/reports/problem_lines.h"
#include "report/text/text_style.h"
#include "store/open_store.h"

namespace bindery::app {
namespace {

/// A plan takes up to ten minutes, and earlier plans may wait.
constexpr std::chrono::minutes kLongestPlan(20);

struct PlanArguments {
  std::vector<std::string> names = {};  ///< Resources; none: all.
  std::string manifests = {};           ///< The directory to plan; empty: the configured one.
  std::string base = {};                ///< The directory that was in force; empty: the store says.
  std::string socket = {};              ///< Of a daemon that makes the plan; empty: none.
  std::string server = {};              ///< The same as a URL.
  std::string password_file = {};
  std::string ca_file = {};
  Severity least = Severity::kLow;
  bool quiet = false;  ///< As CommandContext::quiet.

  [[nodiscard]] bool asks_daemon() const { return !socket.empty() || !server.empty(); }
};

/// Empty if the store knows the deletions. Where a scan filled the store before manifests were in
/// force, no manifest was deleted: bindery begins there.
std::string WhyDeletionsUnknown(const config::Config& config, const KnownState& known) {
  if (known.has_manifests || known.has_scan) return "";
  const std::string store = "store \"" + config.store.Shown() + "\"";
  return known.has_store ? "no manifest is in force by the " + store : "there is no " + store;
}

/// What of the base counts as not in force.
void TellOfBase(const controller::DryRun& run) {
  report::PassPlan base;
  AddProblemsFor(run, {}, base);
  const std::size_t refused = report::RefusedManifests(base);
  if (refused == 0) return;
  const std::string text =
      "note: " + report::Count(static_cast<std::int64_t>(refused), "manifest") +
      " of the base with errors: what " + (refused == 1 ? "it declares" : "they declare") +
      " is taken as not in force (bindery validate DIR)\n";
  PauseWaiting();
  std::fputs(PrintableOutput(text).c_str(), stderr);
}

/// Brings `run` to the begin of the pass. Returns why the effects of deletions are unknown; empty
/// if known.
Expected<std::string> Begin(const config::Config& config, const PlanArguments& arguments,
                            const controller::DryRun::Reads& reads, controller::DryRun& run) {
  const providers::Kinds& kinds = run.catalog().kinds();
  const bool has_base = !arguments.base.empty();
  if (!has_base && arguments.manifests.empty()) {
    const auto known = StartOffline(config, kinds, KnownBefore::kFromStore, run);
    if (!known) return Fail(known.error());
    return WhyDeletionsUnknown(config, *known);
  }
  const auto known =
      LoadOffline(config, has_base ? KnownBefore::kNothing : KnownBefore::kFromStore, run);
  if (!known) return Fail(known.error());
  if (has_base) {
    config::ManifestsConfig base = config.manifests;
    base.directory = std::filesystem::absolute(arguments.base);
    const Expected<controller::ScanInput> scan = ReadOnce(base, kinds);
    if (!scan) return Fail(scan.error().Wrap("--base"));
    TakeAsInForce(*scan, reads, run);
    TellOfBase(run);
  }
  Expected<controller::ScanInput> scan = ReadOnce(config.manifests, kinds);
  if (!scan) return Fail(scan.error());
  if (auto taken = TakeAsNext(std::move(*scan), run); !taken) return Fail(taken.error());
  return has_base ? std::string() : WhyDeletionsUnknown(config, *known);
}

/// The plan of a few resources from these and what they depend on; nothing where that would not be
/// the plan that all resources give, or cannot be made.
std::optional<report::PassPlan> MakeNarrowPlan(const config::Config& config,
                                               const PlanArguments& arguments,
                                               const store::Store& store,
                                               const controller::DryRun::Reads& reads,
                                               controller::DryRun& run) {
  const Expected<bool> begun = StartNarrow(config, store, arguments.names, run);
  if (!begun || !*begun) return std::nullopt;
  Expected<report::PassPlan> plan = MakePlan(run, arguments.names, reads);
  if (!plan || !controller::FindOpenOutcomes(run).empty()) return std::nullopt;
  AddProblemsFor(run, arguments.names, *plan);
  return std::move(*plan);
}

/// What the daemon knows may be older than the directory, or of another one; so no daemon is asked:
/// directory, store and clouds are read here, and none of them is changed.
Expected<report::PassPlan> MakePlanFor(const config::Config& config,
                                       const PlanArguments& arguments) {
  Expected<Clouds> clouds = OpenClouds(config, EmbeddedCloud::kPrivate);
  if (!clouds) return Fail(clouds.error());
  const providers::Kinds kinds;
  const SystemClock clock;
  const controller::EngineSettings settings =
      MakeEngineSettings(config, clouds->providers.connections);
  const auto new_run = [&] {
    auto run = std::make_unique<controller::DryRun>(kinds, settings,
                                                    controller::Now{clock.Mono(), clock.Wall()});
    run->engine().SetConnections(clouds->providers.connections);
    run->engine().SetDates(clouds->providers.dates);
    return run;
  };
  ProgressBar progress("reading", clock, ProgressBar::StandardError(arguments.quiet));
  controller::DryRun::Reads reads;
  reads.at_once = settings.concurrency;
  Expected<std::unique_ptr<store::Store>> store = Fail(Code::kNotFound, "not asked");
  if (arguments.base.empty())
    store = store::OpenStore(config.store, store::StoreAccess::kReadOnly, clock);
  if (store) {
    reads.stored = [&store](const std::string& digest) { return (*store)->Policy(digest); };
  }
  reads.told = [&progress](std::size_t done, std::size_t all) { progress.Show(done, all); };
  if (store && !arguments.names.empty() && arguments.manifests.empty()) {
    if (auto plan = MakeNarrowPlan(config, arguments, **store, reads, *new_run())) {
      return *std::move(plan);
    }
  }
  const std::unique_ptr<controller::DryRun> all = new_run();
  controller::DryRun& run = *all;
  auto unknown = Begin(config, arguments, reads, run);
  if (!unknown) return Fail(unknown.error());
  Expected<report::PassPlan> plan = MakePlan(run, arguments.names, reads);
  if (plan) {
    AddProblemsFor(run, arguments.names, *plan);
    plan->deletions_unknown = std::move(*unknown);
  } else {
    // The problems may be the cause.
    EndWaiting();
    std::fputs(PrintableOutput(report::ProblemLines(ListProblems(run), {})).c_str(), stderr);
  }
  return plan;
}

/// The daemon plans with its state in force. The daemon receives the directory, and changes
/// nothing.
Expected<report::PassPlan> AskForPlan(const config::Config& config,
                                      const PlanArguments& arguments) {
  DaemonAddress address{.socket = arguments.socket};
  if (arguments.socket.empty()) {
    auto found = DaemonAt(arguments.server, arguments.password_file, arguments.ca_file);
    if (!found) return Fail(found.error());
    address = std::move(*found);
  }
  auto body = UploadText(config.manifests, providers::Kinds(), arguments.names);
  if (!body) return Fail(body.error());
  const auto answer =
      DaemonClient(address).PostText("/api/v1/plan", std::move(*body), kLongestPlan);
  if (!answer) return Fail(answer.error());
  return report::FromJson<report::PassPlan>(*answer);
}

void TellUnknown(const report::PassPlan& plan) {
  if (plan.deletions_unknown.empty()) return;
  const std::string text =
      "note: what deleted manifests granted cannot be known: " + plan.deletions_unknown +
      ". These know it: bindery plan --base DIR --manifests DIR (what a merge changes), and "
      "bindery plan --server URL or --socket PATH (a running daemon)\n";
  EndWaiting();
  std::fputs(PrintableOutput(text).c_str(), stderr);
}

int ExitCodeOfPlan(const report::PassPlan& plan, ExitStyle style) {
  if (!plan.load_error.empty()) PrintError(plan.load_error);
  for (const report::UnreadTarget& error : plan.errors) {
    PrintError(error.target + ": " + error.code + ": " + error.message);
  }
  const bool failed = !plan.load_error.empty() || !plan.errors.empty();
  if (failed) return ChooseExitCode(kExitError, style);
  if (report::RefusedManifests(plan) > 0) return kExitInvalid;
  return ChooseExitCode(report::PlanDiffers(plan) ? kExitDiffers : kExitOk, style);
}

int PlanCommand(const CommandContext& context, const PlanArguments& arguments) {
  const ExitStyle style = context.exit_style;
  Expected<config::Config> config =
      arguments.asks_daemon() ? ReadConfigOrDefaults(context) : ReadConfig(context);
  if (!config) return ChooseExitCode(PrintError(config.error()), style);
  if (!arguments.manifests.empty()) {
    config->manifests.directory = std::filesystem::absolute(arguments.manifests);
  }
  Expected<report::PassPlan> plan =
      arguments.asks_daemon() ? AskForPlan(*config, arguments) : MakePlanFor(*config, arguments);
  if (!plan) return ChooseExitCode(PrintError(plan.error()), style);
  if (arguments.least > Severity::kLow)
    *plan = report::PlanAtLeast(std::move(*plan), arguments.least);
  report::AddExcerpts(plan->problems, config->manifests.directory);
  Print(context, *plan, report::PlanText);
  const std::string aside =
      report::ProblemLines(plan->problems, {}) + report::ExpiredLine(plan->expired, {});
  EndWaiting();
  std::fputs(PrintableOutput(aside).c_str(), stderr);
  TellUnknown(*plan);
  return ExitCodeOfPlan(*plan, style);
}

/// A variable that a script forgot to set must not change the question.
std::string IsGiven(const std::string& value) { return value.empty() ? "is empty" : ""; }

void DefineSources(const Command& plan, PlanArguments& arguments) {
  plan->add_option(
          "--manifests", arguments.manifests,
          "Manifests directory to plan, such as a branch; default: the configured directory")
      ->type_name(kFolderType)
      ->check(IsGiven);
  CLI::Option* base =
      plan->add_option(
              "--base", arguments.base,
              "Manifests in force before, such as the target branch of a merge; reads no store")
          ->type_name(kFolderType)
          ->check(IsGiven);
  CLI::Option* socket =
      plan->add_option(
              "--socket", arguments.socket,
              "Have the daemon at this socket make the plan: the directory is sent to the daemon")
          ->type_name(kFileType)
          ->check(IsGiven)
          ->excludes(base);
  CLI::Option* server =
      plan->add_option("--server", arguments.server, "As --socket, at https://[USER@]HOST:PORT")
          ->type_name("URL")
          ->check(IsGiven)
          ->excludes(base)
          ->excludes(socket);
  plan->add_option("--password-file", arguments.password_file,
                   "File with the password of the user of --server")
      ->type_name(kFileType)
      ->needs(server);
  plan->add_option("--ca-file", arguments.ca_file,
                   "Authorities to trust for --server; default: the system's")
      ->type_name(kFileType)
      ->needs(server);
}

}  // namespace

Expected<report::PassPlan> PlanNow(const config::Config& config,
                                   const std::vector<std::string>& names) {
  return MakePlanFor(config, {.names = names});
}

void DefinePlan(CommandLine& line) {
  auto& arguments = line.Keep<PlanArguments>();
  const Command plan(line, "plan", "Show the changes of the next pass; writes nothing");
  plan->add_option("name", arguments.names, "Resources whose targets to plan; all if none")
      ->type_name(kResourceType);
  DefineSources(plan, arguments);
  const auto least = plan.LeastSeverity("Minimum severity of targets, also for the exit code");
  plan.DetailedExit();
  plan.Waits();
  plan.Output({"text", "json", "yaml"});
  plan.Examples(
      "bindery plan\nbindery plan payments-viewers -o json\n"
      "bindery plan --severity high --detailed-exitcode\n"
      "bindery plan --base main/manifests --manifests branch/manifests\n"
      "bindery plan --server https://ci@bindery.example:9817 --password-file ci-password "
      "--manifests branch/manifests");
  plan.Runs([&arguments, least](const CommandContext& context) {
    arguments.least = least();
    arguments.quiet = context.quiet;
    return PlanCommand(context, arguments);
  });
}

}  // namespace bindery::app
