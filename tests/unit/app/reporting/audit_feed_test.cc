// When audit logs are read, and by which settings.

#include "app/reporting/audit_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "unit/app/audit_fixture.h"

namespace bindery::app {
namespace {

using testing::AuditLine;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class AuditFeedTest : public testing::AuditTest {
 protected:
  AuditFeed::Settings Settings(const std::string& folder) {
    config::AttributionConfig attribution;
    if (!folder.empty()) attribution.directory = dir_.path() / folder;
    return {attribution, std::chrono::hours(24)};
  }
};

TEST_F(AuditFeedTest, WithoutAFolderNothingIsRead) {
  AuditFeed(writer_, progress_, log_, metrics_, clock_, Settings("")).ReadNow();
  EXPECT_THAT(logged_, IsEmpty());
}

TEST_F(AuditFeedTest, AFolderGivenLaterIsRead) {
  dir_.Write("logs/a.json", AuditLine("a", "2026-11-21T11:00:00Z"));
  {
    AuditFeed feed(writer_, progress_, log_, metrics_, clock_, Settings(""));
    feed.Configure(Settings("logs"));
    feed.ReadNow();
  }
  EXPECT_THAT(Ids(), ElementsAre("a"));
}

TEST_F(AuditFeedTest, AStartedFeedReadsAFolderGivenLater) {
  dir_.Write("logs/a.json", AuditLine("a", "2026-11-21T11:00:00Z"));
  {
    AuditFeed feed(writer_, progress_, log_, metrics_, clock_, Settings(""));
    feed.Start();
    feed.Configure(Settings("logs"));
    while (metrics_.Render().find("{result=\"kept\"} 1") == std::string::npos) {
      std::this_thread::yield();
    }
  }
  EXPECT_THAT(Ids(), ElementsAre("a"));
}

}  // namespace
}  // namespace bindery::app
