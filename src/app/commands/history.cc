#include <cstdint>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/forms/texts.h"
#include "report/reports/reports.h"
#include "report/reports/revision_report.h"

namespace bindery::app {
namespace {

struct HistoryArguments {
  std::string name;
  std::int64_t revision = 0;  ///< 0: all of them; else what came and went with this one.
};

int HistoryCommand(const CommandContext& context, const HistoryArguments& arguments) {
  const auto& [name, revision] = arguments;
  return WithStore(
      context, [&, &name = name, revision = revision](const store::ReportReader& store) {
        const auto print = [&](const auto& report, auto text) {
          if (!report) return PrintError(report.error());
          Print(context, *report, text);
          return kExitOk;
        };
        return revision == 0
                   ? print(report::HistoryReport(store, name), report::HistoryText)
                   : print(report::RevisionReport(store, name, revision), report::RevisionText);
      });
}

}  // namespace

void DefineHistory(CommandLine& line) {
  auto& arguments = line.Keep<HistoryArguments>();
  const Command history(line, "history",
                        "Show the recorded policies of a target, or the changes of a revision");
  history->add_option("name", arguments.name, "A resource on the target")
      ->required()
      ->type_name(kResourceType);
  history->add_option("revision", arguments.revision, "Show the changes of this revision")
      ->check(RequireNumber("the number of a revision: bindery history NAME shows the numbers"))
      ->type_name(kRevisionType);
  history.NoHeaders();
  history.Waits();
  history.Output({"text", "json", "yaml"});
  history.Examples("bindery history payments-viewers\nbindery history payments-viewers 12");
  history.Runs(
      [&arguments](const CommandContext& context) { return HistoryCommand(context, arguments); });
}

}  // namespace bindery::app
