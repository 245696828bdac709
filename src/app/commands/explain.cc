#include "app/commands/common.h"
#include "report/explain_report.h"
#include "report/problem_lines.h"

namespace bindery {

int ExplainCommand(const CommandContext& context, const std::string& name, bool with_plan) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Complain(config.error());
  const Expected<std::unique_ptr<Store>> store = OpenForReading(*config);
  if (!store) return Complain(store.error());
  Expected<Json> report = ExplainReport(**store, name, std::chrono::system_clock::now(),
                                        !config->attribution.directory.empty());
  if (!report) return Complain(report.error());
  report::AddExcerpts(report->at("problems"), config->manifests.directory);
  if (Json stale = StaleState(*config, **store); !stale.is_null()) {
    TellStale(stale);
    (*report)["stale"] = std::move(stale);
  }
  if (with_plan) AddNextPass(*report, PlanNow(*config, {name}));
  Print(context, *report, ExplainText);
  return kExitOk;
}

}  // namespace bindery
