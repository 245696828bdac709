#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReplicasPage, SaysWhoIsAtWorkAndWhoseHeartbeatStandsStill) {
  const auto replica = [](const char* host, report::ReplicaState state,
                          std::optional<std::int64_t> epoch, std::int64_t silent) {
    return report::ReplicaLine{"0f", host, "0.1.0", state, {}, {}, silent, epoch};
  };
  const std::string page =
      ReplicasPage({}, {{replica("node-a", report::ReplicaState::kAtWork, 7, 1),
                         replica("node-b", report::ReplicaState::kStandsBy, std::nullopt, 2),
                         replica("node-c", report::ReplicaState::kSilent, std::nullopt, 3605)}});
  EXPECT_THAT(page, AllOf(HasSubstr("1 at work, 1 standing by."), HasSubstr("node-c")));
  EXPECT_THAT(page, AllOf(HasSubstr("badge good"), HasSubstr("badge bad"), HasSubstr(">1h ago<")));
  EXPECT_THAT(page, HasSubstr("<div>7</div>"));
  for (const char* column : {"machine", "-state", "term", "version", "started", "seen"}) {
    EXPECT_THAT(page, HasSubstr(std::string("?sort=") + column + "\""));
  }
  EXPECT_THAT(page, HasSubstr("format=csv"));
}

TEST(ReplicasPage, SaysThatAStoreInAFileHasOneDaemon) {
  const std::string page = ReplicasPage({}, report::ReplicaList{});
  EXPECT_THAT(page, AllOf(HasSubstr("one daemon has for itself"), Not(HasSubstr("<table"))));
}

}  // namespace
}  // namespace bindery::web
