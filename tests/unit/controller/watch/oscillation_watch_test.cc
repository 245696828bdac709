#include "controller/watch/oscillation_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using ::testing::HasSubstr;
using testing::kViewer;
using namespace std::chrono_literals;

class OscillationWatchTest : public ::testing::Test {
 protected:
  OscillationWatchTest() { watch.SetInterval(5min); }
  std::optional<Event> Round() {
    const auto event =
        watch.NoteRound(key, Sha256Digest::Of("theirs"), Sha256Digest::Of("ours"), now);
    now.mono += 5min;
    now.wall += 5min;
    return event;
  }

  EngineWorld world;
  OscillationWatch watch{world.engine->catalog()};
  TargetKey key{Target{"AuthorizationPolicyIamBinding", "", EngineWorld::TargetName("t")}};
  Now now = world.now;
};

TEST_F(OscillationWatchTest, TellsOnceOfTheRoundThatIsOneTooMany) {
  int told = 0;
  for (int i = 0; i < 8; ++i) told += Round() ? 1 : 0;
  EXPECT_EQ(told, 1);
  EXPECT_EQ(watch.Tripped(), 1U);
  EXPECT_THAT(watch.WhyPaused(key), HasSubstr("another writer has it otherwise"));
  watch.Reset(key);
  EXPECT_EQ(watch.Tripped(), 0U);
  EXPECT_FALSE(watch.Holds(key, now));
}

TEST_F(OscillationWatchTest, NamesAManifestOnWhatMayBeTheSamePolicy) {
  const std::string by_number = "projects/123/locations/global/authorizationPolicies/t";
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("rival", "t", kViewer, {"user:ana@example.com"});
  world.Pass();
  key = TargetKey({"AuthorizationPolicyIamBinding", "", by_number});
  while (!Round()) {
  }
  EXPECT_THAT(watch.WhyPaused(key), HasSubstr("rival (rival.yaml"));
}

TEST_F(OscillationWatchTest, ForgetsWhatIsOver) {
  while (!Round()) {
  }
  now.mono += 24h;
  now.wall += 24h;
  watch.PassTime(now);
  EXPECT_EQ(watch.Tripped(), 0U);
}

}  // namespace
}  // namespace bindery::controller
