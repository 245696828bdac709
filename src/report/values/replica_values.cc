#include "report/values/replica_values.h"

#include <algorithm>
#include <chrono>
#include <compare>
#include <tuple>

namespace bindery::report {
namespace {

/// What daemons are compared by.
struct ReplicaKey {
  std::int64_t rank = 0;
  std::string_view text = {};

  auto operator<=>(const ReplicaKey&) const = default;
};

std::int64_t RankLastFirst(WallTime time) {
  return -std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

ReplicaKey MakeReplicaKey(const ReplicaLine& replica, ReplicaOrder order) {
  switch (order) {
    case ReplicaOrder::kMachine:
      break;
    case ReplicaOrder::kState:
      return {.rank = static_cast<std::int64_t>(replica.state)};
    case ReplicaOrder::kTerm:
      return {.rank = -replica.epoch.value_or(0)};
    case ReplicaOrder::kVersion:
      return {.text = replica.version};
    case ReplicaOrder::kStarted:
      return {.rank = RankLastFirst(replica.started_at)};
    case ReplicaOrder::kSeen:
      return {.rank = replica.silent_seconds};
  }
  return {.text = replica.host};
}

}  // namespace

void SortReplicas(ReplicaList& list, ReplicaOrder order, bool descending) {
  const auto key = [order](const ReplicaLine& replica) {
    return std::tuple(MakeReplicaKey(replica, order), std::string_view(replica.host),
                      std::string_view(replica.id));
  };
  std::ranges::sort(list.replicas, [&](const ReplicaLine& a, const ReplicaLine& b) {
    return descending ? key(b) < key(a) : key(a) < key(b);
  });
}

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

}  // namespace bindery::report
