#include <chrono>
#include <string>

#include "report/reports/reports.h"
#include "store/ports/sharing.h"

namespace bindery::report {
namespace {

ReplicaState GetState(const store::ReplicaRecord& replica) {
  if (replica.replaced || replica.silent >= store::LeaseTimes().steal) return ReplicaState::kSilent;
  return replica.epoch > 0 ? ReplicaState::kAtWork : ReplicaState::kStandsBy;
}

ReplicaLine LineOfReplica(const store::ReplicaRecord& replica) {
  ReplicaLine line;
  line.id = replica.id;
  line.host = replica.host;
  line.version = replica.version;
  line.state = GetState(replica);
  line.started_at = replica.started;
  line.last_seen_at = replica.seen;
  line.silent_seconds = std::chrono::floor<std::chrono::seconds>(replica.silent).count();
  if (replica.epoch > 0) line.epoch = replica.epoch;
  return line;
}

}  // namespace

Expected<ReplicaList> ReplicasReport(const store::ReportReader& store) {
  const auto records = store.Replicas();
  if (!records) return Fail(records.error());
  ReplicaList list;
  for (const store::ReplicaRecord& replica : *records)
    list.replicas.push_back(LineOfReplica(replica));
  return list;
}

}  // namespace bindery::report
