#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReplicasPage, SaysWhoIsAtWorkAndWhoseHeartbeatStandsStill) {
  const auto replica = [](const char* host, const char* state, Json epoch, int silent) {
    return Json{{"id", "0f"},     {"host", host},   {"version", "0.1.0"},
                {"state", state}, {"epoch", epoch}, {"silentSeconds", silent}};
  };
  const std::string page = ReplicasPage(
      {}, {{"replicas",
            {replica("node-a", "at work", 7, 1), replica("node-b", "stands by", nullptr, 2),
             replica("node-c", "silent", nullptr, 3605)}}});
  EXPECT_THAT(page, AllOf(HasSubstr("1 at work, 1 standing by."), HasSubstr("node-c")));
  EXPECT_THAT(page, AllOf(HasSubstr("badge good"), HasSubstr("badge bad"), HasSubstr("3,605 s")));
  EXPECT_THAT(page, HasSubstr("<div>7</div>"));
}

TEST(ReplicasPage, SaysThatAStoreInAFileHasOneDaemon) {
  const std::string page = ReplicasPage({}, {{"replicas", Json::array()}});
  EXPECT_THAT(page, AllOf(HasSubstr("one daemon has for itself"), Not(HasSubstr("<table"))));
}

}  // namespace
}  // namespace bindery::web
