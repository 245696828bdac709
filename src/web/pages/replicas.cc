#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html ReplicaStateCell(const Json& replica) {
  const std::string state = TextOf(replica, "state");
  if (state == "silent") return Badge("Stalled", state);
  return Badge(state == "at work" ? "Ready" : "Pending", state);
}

std::string ReplicasSummary(const Json& replicas) {
  std::int64_t working = 0;
  std::int64_t standing_by = 0;
  for (const Json& replica : replicas) {
    if (TextOf(replica, "state") == "at work") ++working;
    if (TextOf(replica, "state") == "stands by") ++standing_by;
  }
  return std::to_string(working) + " at work, " + std::to_string(standing_by) + " standing by.";
}

}  // namespace

std::string ReplicasPage(const PageContext& context, const Json& report) {
  const Json& replicas = ListOf(report, "replicas");
  Frame frame;
  frame.title = "Replicas";
  frame.section = "/replicas";
  if (replicas.empty()) {
    frame.summary = "This daemon is the only one.";
    return Document(context, frame,
                    Nothing("The store is in a file, which one daemon has for itself."));
  }
  frame.summary = ReplicasSummary(replicas);
  Table table("The daemons that share the store",
              {{"Machine"}, {"State"}, {"Term"}, {"Version"}, {"Started"}, {"Last heartbeat"}});
  for (const Json& replica : replicas) {
    Html machine = El("span", {}, Breakable(TextOf(replica, "host")));
    machine.Add(El("span", {{"class", "below"}}, El("code", {}, TextOf(replica, "id"))));
    table.AddRow({machine, ReplicaStateCell(replica), TextOf(replica, "epoch"),
                  TextOf(replica, "version"), Ago(context, replica, "startedAt"),
                  Figure(CountOf(replica, "silentSeconds")) + " s ago"});
  }
  return Document(context, frame, table.Finished());
}

}  // namespace bindery::web
