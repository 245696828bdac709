#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "report/forms/list_csv.h"
#include "report/values/replica_values.h"

namespace bindery::report {
namespace {

ReplicaLine Daemon(const char* id, const char* host, const char* version, ReplicaState state) {
  ReplicaLine line;
  line.id = id;
  line.host = host;
  line.version = version;
  line.state = state;
  return line;
}

ReplicaList ThreeDaemons() {
  ReplicaLine a = Daemon("a", "node-2", "0.2.0", ReplicaState::kAtWork);
  a.epoch = 7;
  a.started_at = WallTime(std::chrono::hours(5));
  a.silent_seconds = 3;
  ReplicaLine b = Daemon("b", "node-1", "0.1.0", ReplicaState::kSilent);
  b.started_at = WallTime(std::chrono::hours(9));
  b.silent_seconds = 3'600;
  ReplicaLine c = Daemon("c", "node-3", "0.1.0", ReplicaState::kStandsBy);
  c.started_at = WallTime(std::chrono::hours(1));
  c.silent_seconds = 1;
  return {{a, b, c}};
}

TEST(SortReplicas, ByEachColumnAndTheOtherWayRound) {
  const std::pair<ReplicaOrder, const char*> kOrders[] = {
      {ReplicaOrder::kState, "acb"},   {ReplicaOrder::kMachine, "bac"},
      {ReplicaOrder::kTerm, "abc"},    {ReplicaOrder::kVersion, "bca"},
      {ReplicaOrder::kStarted, "bac"}, {ReplicaOrder::kSeen, "cab"}};
  for (const auto& [order, wanted] : kOrders) {
    const auto ids = [&](bool descending) {
      ReplicaList list = ThreeDaemons();
      SortReplicas(list, order, descending);
      std::string text;
      for (const ReplicaLine& replica : list.replicas) text += replica.id;
      return text;
    };
    EXPECT_EQ(ids(false), wanted) << static_cast<int>(order);
    const std::string forward = wanted;
    EXPECT_EQ(ids(true), std::string(forward.rbegin(), forward.rend())) << static_cast<int>(order);
  }
}

TEST(SortReplicas, ATableHasTheRows) {
  EXPECT_THAT(ListCsv(ThreeDaemons()), ::testing::HasSubstr("\r\na,node-2,at work,7,0.2.0,"));
  EXPECT_THAT(ListCsv(ThreeDaemons()), ::testing::HasSubstr("\r\nb,node-1,silent,,0.1.0,"));
}

}  // namespace
}  // namespace bindery::report
