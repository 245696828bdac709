#include "app/command_line.h"
#include "app/reporting/report_writer.h"
#include "app/shell/common.h"
#include "report/explain/explain_report.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"

namespace bindery::app {
namespace {

struct ExplainArguments {
  std::string name;
  bool from_store = false;  ///< Without what the next pass would do, for which the target is read.
};

int ExplainCommand(const CommandContext& context, const ExplainArguments& arguments) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(*config);
  if (!store) return PrintError(store.error());
  Expected<report::Explanation> report = report::ExplainReport(
      **store, {arguments.name, std::chrono::system_clock::now(),
                !config->attribution.directory.empty(), 0, MakeDriftSettings(*config).keeping});
  if (!report) return PrintError(report.error());
  report::AddExcerpts(report->problems, config->manifests.directory);
  report->stale = StaleState(*config);
  TellStale(report->stale);
  if (!arguments.from_store) report::AddNextPass(*report, PlanNow(*config, {arguments.name}));
  Print(context, *report, report::ExplainText);
  return kExitOk;
}

}  // namespace

void DefineExplain(CommandLine& line) {
  auto& arguments = line.Keep<ExplainArguments>();
  const Command explain(line, "explain", "Explain the state of a resource and the next steps");
  explain->add_option("name", arguments.name, "A resource")->required()->type_name(kResourceType);
  explain->add_flag("--no-plan", arguments.from_store,
                    "From the store only: do not read clouds to predict the next pass");
  explain.Waits();
  explain.Output({"text", "json", "yaml"});
  explain.Examples("bindery explain payments-viewers");
  explain.Runs(
      [&arguments](const CommandContext& context) { return ExplainCommand(context, arguments); });
}

}  // namespace bindery::app
