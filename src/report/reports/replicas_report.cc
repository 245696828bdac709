#include <chrono>
#include <string>
#include <utility>

#include "report/reports/reports.h"
#include "report/text/text.h"
#include "report/text/text_style.h"
#include "report/text/text_table.h"
#include "store/ports/sharing.h"

namespace bindery {
namespace {

ReplicaState StateOf(const ReplicaRecord& replica) {
  if (replica.replaced || replica.silent >= LeaseTimes().steal) return ReplicaState::kSilent;
  return replica.epoch > 0 ? ReplicaState::kAtWork : ReplicaState::kStandsBy;
}

ReplicaLine LineOfReplica(const ReplicaRecord& replica) {
  ReplicaLine line;
  line.id = replica.id;
  line.host = replica.host;
  line.version = replica.version;
  line.state = StateOf(replica);
  line.started_at = replica.started;
  line.last_seen_at = replica.seen;
  line.silent_seconds = std::chrono::floor<std::chrono::seconds>(replica.silent).count();
  if (replica.epoch > 0) line.epoch = replica.epoch;
  return line;
}

}  // namespace

std::string_view ToString(ReplicaState state) {
  switch (state) {
    case ReplicaState::kAtWork:
      return "at work";
    case ReplicaState::kStandsBy:
      return "stands by";
    case ReplicaState::kSilent:
      break;
  }
  return "silent";
}

Expected<ReplicaList> ReplicasReport(const ReportReader& store) {
  const auto records = store.Replicas();
  if (!records) return Fail(records.error());
  ReplicaList list;
  for (const ReplicaRecord& replica : *records) list.replicas.push_back(LineOfReplica(replica));
  return list;
}

std::string ReplicasText(const ReplicaList& report, const TextStyle& style) {
  if (report.replicas.empty()) {
    return "No replicas. A store in a file has one daemon; one in a database shows those of a "
           "day.\n";
  }
  report::Table table({{"REPLICA"},
                       {"HOST", true, 16},
                       {.title = "VERSION", .goes = 2},
                       {"STATE"},
                       {.title = "TERM", .goes = 1},
                       {"AGE"},
                       {"SILENT"}});
  for (const ReplicaLine& replica : report.replicas) {
    constexpr std::size_t kShownDigits = 8;
    table.AddRow({{report::Printable(replica.id).substr(0, kShownDigits)},
                  {report::Printable(replica.host)},
                  {report::Printable(replica.version)},
                  {std::string(ToString(replica.state))},
                  {replica.epoch ? std::to_string(*replica.epoch) : ""},
                  {report::AgeOf(replica.started_at, style)},
                  {std::to_string(replica.silent_seconds) + "s"}});
  }
  return table.Text(style);
}

}  // namespace bindery
