#include <chrono>

#include "core/text/time_text.h"
#include "web/filter.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html ReplicaStateCell(const report::ReplicaLine& replica) {
  const std::string_view state = report::ToString(replica.state);
  if (replica.state == report::ReplicaState::kSilent) return Badge("Stalled", state);
  return Badge(replica.state == report::ReplicaState::kAtWork ? "Ready" : "Pending", state);
}

std::string ReplicasSummary(const std::vector<report::ReplicaLine>& replicas) {
  std::int64_t working = 0;
  std::int64_t standing_by = 0;
  for (const report::ReplicaLine& replica : replicas) {
    if (replica.state == report::ReplicaState::kAtWork) ++working;
    if (replica.state == report::ReplicaState::kStandsBy) ++standing_by;
  }
  return std::to_string(working) + " at work, " + std::to_string(standing_by) + " standing by.";
}

}  // namespace

std::string ReplicasPage(const PageContext& context, const report::ReplicaList& report) {
  Frame frame;
  frame.title = "Replicas";
  frame.section = "/replicas";
  frame.dense = true;
  if (report.replicas.empty()) {
    frame.summary = "This daemon is the only one.";
    return Document(context, frame,
                    Nothing("The store is in a file, which one daemon has for itself."));
  }
  frame.summary = ReplicasSummary(report.replicas);
  frame.has_csv = true;
  const auto by = [&](const char* title, const char* name) {
    return Sorted(context, title, {name, "state"});
  };
  Table table("The daemons that share the store",
              {by("Machine", "machine"), by("State", "state"), by("Term", "term"),
               by("Version", "version"), by("Started", "started"), by("Last heartbeat", "seen")});
  for (const report::ReplicaLine& replica : report.replicas) {
    Html machine = El("span", {}, Breakable(replica.host));
    machine.Add(El("span", {{"class", "below"}}, El("code", {}, replica.id)));
    table.AddRow({machine, ReplicaStateCell(replica),
                  replica.epoch ? std::to_string(*replica.epoch) : "", replica.version,
                  Ago(context, replica.started_at),
                  FormatAge(std::chrono::seconds(replica.silent_seconds)) + " ago"});
  }
  return Document(context, frame, table.Finished());
}

}  // namespace bindery::web
