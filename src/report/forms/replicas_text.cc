#include <string>

#include "report/forms/texts.h"
#include "report/text/text_style.h"
#include "report/text/text_table.h"
#include "report/values/replica_values.h"

namespace bindery::report {

std::string ReplicasText(const ReplicaList& report, const TextStyle& style) {
  if (report.replicas.empty()) {
    return "No replicas. A store in a file has one daemon; one in a database shows those of a "
           "day.\n";
  }
  Table table({{"REPLICA"},
               {"HOST", true, 16},
               {.title = "VERSION", .goes = 2},
               {"STATE"},
               {.title = "TERM", .goes = 1},
               {"AGE"},
               {"SILENT"}});
  for (const ReplicaLine& replica : report.replicas) {
    constexpr std::size_t kShownDigits = 8;
    table.AddRow({{Printable(replica.id).substr(0, kShownDigits)},
                  {Printable(replica.host)},
                  {Printable(replica.version)},
                  {std::string(ToString(replica.state))},
                  {replica.epoch ? std::to_string(*replica.epoch) : ""},
                  {FormatTimeAge(replica.started_at, style)},
                  {std::to_string(replica.silent_seconds) + "s"}});
  }
  return table.Text(style);
}

}  // namespace bindery::report
