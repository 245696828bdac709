#include <chrono>
#include <string>

#include "report/json_fields.h"
#include "report/reports.h"
#include "report/text.h"
#include "report/text_style.h"
#include "report/text_table.h"
#include "store/sharing.h"

namespace bindery {
namespace {

const char* StateOf(const ReplicaRecord& replica) {
  if (replica.replaced || replica.silent >= LeaseTimes().steal) return "silent";
  return replica.epoch > 0 ? "at work" : "stands by";
}

}  // namespace

Expected<Json> ReplicasReport(const ReportReader& store) {
  const auto records = store.Replicas();
  if (!records) return Fail(records.error());
  Json replicas = Json::array();
  for (const ReplicaRecord& replica : *records) {
    replicas.push_back(
        {{"id", replica.id},
         {"host", replica.host},
         {"version", replica.version},
         {"state", StateOf(replica)},
         {"startedAt", report::TimeOrNull(replica.started)},
         {"lastSeenAt", report::TimeOrNull(replica.seen)},
         {"silentSeconds", std::chrono::floor<std::chrono::seconds>(replica.silent).count()},
         {"epoch", replica.epoch > 0 ? Json(replica.epoch) : Json(nullptr)}});
  }
  return Json{{"replicas", std::move(replicas)}};
}

std::string ReplicasText(const Json& report, const TextStyle& style) {
  const Json& replicas = report::ArrayMember(report, "replicas");
  if (replicas.empty()) {
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
  for (const Json& replica : replicas) {
    const Json& epoch = replica.at("epoch");
    constexpr std::size_t kShownDigits = 8;
    table.AddRow({{report::Shown(replica, "id").substr(0, kShownDigits)},
                  {report::Shown(replica, "host")},
                  {report::Shown(replica, "version")},
                  {report::Shown(replica, "state")},
                  {epoch.is_null() ? "" : epoch.dump()},
                  {report::AgeOf(replica, "startedAt", style)},
                  {replica.at("silentSeconds").dump() + "s"}});
  }
  return table.Text(style);
}

}  // namespace bindery
