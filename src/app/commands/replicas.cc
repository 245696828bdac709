// The daemons that share a store in a database.

#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/forms/texts.h"
#include "report/reports/reports.h"

namespace bindery::app {
namespace {

int ReplicasCommand(const CommandContext& context) {
  return WithStore(context,
                   [&](const store::ReportReader& store, const config::Config& /*config*/) {
                     const Expected<report::ReplicaList> report = report::ReplicasReport(store);
                     if (!report) return PrintError(report.error());
                     Print(context, *report, report::ReplicasText);
                     return kExitOk;
                   });
}

}  // namespace

void DefineReplicas(CommandLine& line) {
  const Command replicas(line, "replicas",
                         "Show the daemons that share the store, and the daemon at work");
  replicas.Output({"text", "json", "yaml"});
  replicas.Notes(
      "Daemons can share a store in a PostgreSQL database. One daemon is at work; the standbys\n"
      "take over when the daemon at work ends. See docs/fleet.md.");
  replicas.Examples("bindery replicas\nbindery replicas -o json");
  replicas.Runs(ReplicasCommand);
}

}  // namespace bindery::app
