#include "controller/watch/time_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kViewer;
using ::testing::SizeIs;
using namespace std::chrono_literals;

/// The catalog of a world in which Ana views t for an hour; its engine does not work after that.
class TimeWatchTest : public ::testing::Test {
 protected:
  TimeWatchTest() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    manifests::Manifest& manifest = world.Declare("m", "t", kViewer, {"user:ana@example.com"});
    Json spec = *ParseJson(manifest.spec);
    spec["condition"] = {
        {"title", "for an hour"},
        {"expression", "request.time < timestamp('" + FormatRfc3339(now.wall + 1h) + "')"}};
    manifest.spec = CanonicalJson(spec);
    manifest.options.remove_expired = true;
    world.Pass();
    watch.SetDates({{"cloudnative", dates}});
  }
  void Confirm(std::chrono::milliseconds ahead = 0ms) {
    dates->Note("networksecurity", now.wall + ahead, now.mono);
    watch.NoteDates("cloudnative");
  }
  void Pass(std::chrono::milliseconds time) {
    now.mono += time;
    now.wall += time;
  }
  TimeWatch::Passed PassTime() { return watch.PassTime(/*scanned=*/true, now); }

  EngineWorld world;
  Now now = world.now;
  std::shared_ptr<cloud::ServiceDates> dates = std::make_shared<cloud::ServiceDates>();
  TimeWatch watch{world.engine->catalog()};
};

TEST_F(TimeWatchTest, AnEndIsToldAndItsTargetComparedAnew) {
  Confirm();
  EXPECT_THAT(PassTime().events, IsEmpty());
  EXPECT_EQ(watch.due(), now.mono + 1h);
  Pass(1h);
  Confirm();
  const TimeWatch::Passed passed = PassTime();
  ASSERT_THAT(passed.events, SizeIs(1));
  EXPECT_EQ(passed.events[0].reason, "GrantExpired");
  EXPECT_THAT(passed.check,
              ElementsAre(world.engine->catalog().claims().FindResource("m")->place.target));
  EXPECT_THAT(PassTime().events, IsEmpty()) << "told once";
}

TEST_F(TimeWatchTest, BeforeTheFirstScanNothingIsTold) {
  Pass(2h);
  Confirm();
  const TimeWatch::Passed passed = watch.PassTime(/*scanned=*/false, now);
  EXPECT_THAT(passed.events, IsEmpty());
  EXPECT_THAT(passed.check, IsEmpty());
}

TEST_F(TimeWatchTest, WhileServicesDisagreeWhatMayHaveEndedWaits) {
  Confirm(2h);
  const TimeWatch::Passed disputed = PassTime();
  ASSERT_THAT(disputed.events, SizeIs(1));
  EXPECT_EQ(disputed.events[0].reason, "ClockDisputed");
  EXPECT_THAT(disputed.check, SizeIs(1));
  EXPECT_EQ(watch.awaiting(), 1U);
  EXPECT_TRUE(watch.clock().disputed());
  EXPECT_THAT(PassTime().check, IsEmpty()) << "looked at again after ten seconds only";
  EXPECT_EQ(watch.due(), now.mono + 10s);
}

}  // namespace
}  // namespace bindery::controller
