// How often targets are read again: docs/drift.md, "How soon it is seen".

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "controller/outbox/recheck_schedule.h"
#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class EngineRecheck : public ::testing::Test {
 protected:
  /// A target that is as declared.
  void Settle(const std::string& id) {
    world.cloud->AddTarget(EngineWorld::TargetName(id));
    world.Declare("m-" + id, id, kViewer, {kAna});
  }
  void FindDrift(const std::string& id) {
    world.cloud->AddTarget(
        EngineWorld::TargetName(id),
        R"([{"role": "roles/viewer", "members": ["user:ana@example.com", "user:eve@example.com"]}])");
  }
  [[nodiscard]] int ReadsOf(const std::string& id) const {
    return world.cloud->CallsOn("getIamPolicy", EngineWorld::TargetName(id));
  }
  /// A scan shows these targets as they were read, and counts for so long.
  void Hint(const std::vector<std::string>& ids, std::chrono::milliseconds lasting) {
    const controller::Claims::Targets& targets = world.engine->catalog().claims().targets();
    controller::TargetPolicies shown;
    for (const auto& [key, target] : targets) {
      for (const std::string& id : ids) {
        if (key->name != EngineWorld::TargetName(id)) continue;
        shown.emplace_back(*key, target.reading.policy_digest);
      }
    }
    Hint(std::make_shared<const controller::TargetPolicies>(std::move(shown)), lasting);
  }
  void Hint(std::shared_ptr<const controller::TargetPolicies> shown,
            std::chrono::milliseconds lasting) {
    world.engine->schedule().recheck().SetHints(
        {"cloudnative", std::move(shown), {world.now.mono + lasting, world.now.wall + lasting}},
        world.engine->catalog().claims().targets());
  }
  /// Scans watch the target "a", which was read since.
  void WatchForLong() {
    ReadExactly(hours(12));
    Settle("a");
    world.Pass();
    world.NextInterval();
    Hint({"a"}, hours(48));
    world.Advance(hours(12));
  }
  /// How long the clock leaves the target "a" alone.
  [[nodiscard]] std::chrono::seconds LeftAlone() const {
    const auto& key = world.engine->catalog().claims().targets().begin()->first;
    const auto turn = world.engine->schedule().queue().NotBefore(key);
    if (!turn) return {};
    return std::chrono::duration_cast<seconds>(*turn - world.now.mono);
  }
  void ReadExactly(std::chrono::milliseconds interval) {
    world.settings.exact_interval = interval;
    world.Configure();
  }
  void Limit(const controller::RecheckLimits& limits) {
    world.settings.recheck = limits;
    world.Configure();
  }

  EngineWorld world;
};

TEST_F(EngineRecheck, EveryTargetIsReadOnceAnInterval) {
  Settle("a");
  Settle("b");
  world.Pass();
  world.NextInterval();
  const int before = ReadsOf("a");
  world.Advance(minutes(50));
  EXPECT_NEAR(ReadsOf("a") - before, 10, 1);
}

TEST_F(EngineRecheck, WhatDriftsAgainAndAgainIsReadMoreOftenThanWhatNeverDoes) {
  Limit({minutes(5), seconds(30), minutes(30)});
  for (const char* id : {"a", "b", "c", "d", "e"}) Settle(id);
  world.Pass();
  for (int i = 0; i < 4; ++i) {
    FindDrift("a");
    world.Advance(minutes(31));
  }
  const int drifting = ReadsOf("a");
  const int quiet = ReadsOf("b");
  const int reads = world.Reads();
  world.Advance(hours(2));
  EXPECT_GT(ReadsOf("a") - drifting, 2 * (ReadsOf("b") - quiet));
  EXPECT_GE(ReadsOf("b") - quiet, 3) << "the longest period is a promise";
  EXPECT_NEAR(world.Reads() - reads, 5 * 24, 20) << "the number of reads is that of the interval";
}

TEST_F(EngineRecheck, ABudgetBoundsTheReadsAndTheBoundOfDetectionFollows) {
  Limit({minutes(5), {}, {}, 1});
  for (int i = 0; i < 20; ++i) Settle("t" + std::to_string(i));
  world.Pass();
  world.Advance(hours(1));
  const int before = world.Reads();
  world.Advance(hours(2));
  EXPECT_NEAR(world.Reads() - before, 120, 12);
  EXPECT_EQ(world.engine->schedule().recheck().plan().Bound(), minutes(20));
}

TEST_F(EngineRecheck, ABudgetThatIsTooSmallForTheBoundIsToldOnce) {
  Limit({minutes(5), {}, minutes(10), 1});
  for (int i = 0; i < 20; ++i) Settle("t" + std::to_string(i));
  world.Pass();
  world.Advance(hours(1));
  EXPECT_EQ(world.Events("RecheckBudgetTooSmall"), 1);
}

TEST_F(EngineRecheck, APeriodOfItsOwnIsKept) {
  Limit({minutes(5), {}, hours(2), 1});
  Settle("a");
  world.manifests.at("m-a").options.interval = minutes(1);
  Settle("b");
  world.Pass();
  world.NextInterval();
  const int before = ReadsOf("a");
  world.Advance(minutes(30));
  EXPECT_NEAR(ReadsOf("a") - before, 30, 2);
}

TEST_F(EngineRecheck, WhatScansWatchIsReadRarelyAsLongAsTheScanCounts) {
  ReadExactly(hours(2));
  for (const char* id : {"watched", "other"}) Settle(id);
  world.Pass();
  world.NextInterval();
  Hint({"watched"}, hours(9));
  world.Advance(hours(2));
  const int watched = ReadsOf("watched");
  const int other = ReadsOf("other");
  world.Advance(hours(6));
  EXPECT_NEAR(ReadsOf("watched") - watched, 3, 1);
  EXPECT_NEAR(ReadsOf("other") - other, 72, 3);
  EXPECT_EQ(world.engine->schedule().recheck().plan().Bound(), hours(2)) << "the bound is said";
  EXPECT_EQ(world.engine->schedule().recheck().watched(), 1U);
  world.Advance(hours(1));
  const int later = ReadsOf("watched");
  world.Advance(minutes(6));
  EXPECT_GE(ReadsOf("watched") - later, 1) << "no later scan came: the next turn reads";
  world.Advance(hours(1));
  EXPECT_NEAR(ReadsOf("watched") - later, 13, 2);
  EXPECT_EQ(world.engine->schedule().recheck().plan().Bound(), minutes(5));
}

TEST_F(EngineRecheck, WhatScansWatchHasNoTurnsWithoutARead) {
  WatchForLong();
  const int before = ReadsOf("a");
  std::chrono::seconds longest{0};
  for (int i = 0; i < 24 * 12; ++i) {
    world.Advance(minutes(5));
    longest = std::max(longest, LeftAlone());
  }
  EXPECT_NEAR(ReadsOf("a") - before, 2, 1);
  EXPECT_GT(longest, hours(11));
  EXPECT_LE(longest, hours(12));
}

TEST_F(EngineRecheck, WhateverEndsAHintBringsTheTurnWithinAnInterval) {
  WatchForLong();
  const std::vector<std::pair<const char*, std::function<void()>>> ends = {
      {"a scan failed",
       [this] { world.engine->schedule().recheck().SetHints({"cloudnative"}, {}); }},
      {"a scan shows the target no more", [this] { Hint(std::vector<std::string>{}, hours(48)); }},
      {"a scan shows another policy",
       [this] {
         const Target target = *world.engine->catalog().claims().targets().begin()->first;
         Hint(std::make_shared<const controller::TargetPolicies>(
                  1, std::pair(target, Sha256Digest::Of("another"))),
              hours(48));
       }},
      {"a scan failed, and the next one did not",
       [this] {
         world.engine->schedule().recheck().SetHints({"cloudnative"}, {});
         Hint({"a"}, hours(48));
       }},
      {"the clock was set", [this] { world.now.wall += hours(49); }},
      {"no later scan came", [this] { Hint({"a"}, std::chrono::milliseconds(1)); }},
      {"the configuration wants reads more often", [this] { ReadExactly(hours(1)); }},
      {"the configuration wants all reads", [this] { ReadExactly(hours(0)); }},
      {"the result is to be compared again",
       [this] {
         world.engine->catalog().claims().targets().begin()->second.last_synced_digest = {};
         world.Advance(minutes(1));
       }},
  };
  for (const auto& [name, end] : ends) {
    ReadExactly(hours(12));
    Hint({"a"}, hours(48));
    world.Advance(hours(13));
    ASSERT_GT(LeftAlone(), minutes(10)) << name;
    const int before = ReadsOf("a");
    end();
    // The heartbeat of the loop turns the engine every few seconds.
    for (int i = 0; i < 6; ++i) world.Advance(minutes(1));
    EXPECT_GE(ReadsOf("a") - before, 1) << name;
  }
}

TEST_F(EngineRecheck, AReadThatHintsLeaveIsInFull) {
  world.settings.full_read_every = 100;
  ReadExactly(hours(2));
  Settle("a");
  world.Pass();
  world.NextInterval();
  world.Advance(minutes(30));
  ASSERT_GT(world.observer.etag_reads, 0);
  Hint({"a"}, hours(9));
  world.observer.etag_reads = 0;
  world.observer.full_reads = 0;
  world.Advance(hours(6));
  EXPECT_EQ(world.observer.etag_reads, 0);
  EXPECT_GE(world.observer.full_reads, 2);
}

TEST_F(EngineRecheck, WhatIsAskedForIsReadWhateverAScanSays) {
  ReadExactly(hours(2));
  Settle("a");
  world.Pass();
  world.NextInterval();
  Hint({"a"}, hours(9));
  world.NextInterval();
  const int before = ReadsOf("a");
  FindDrift("a");
  world.engine->schedule().CheckAnew(world.engine->catalog().claims().targets().begin()->first,
                                     world.now);
  world.Work();
  EXPECT_GT(ReadsOf("a"), before);
  const int repaired = ReadsOf("a");
  world.Advance(hours(1));
  EXPECT_NEAR(ReadsOf("a") - repaired, 12, 3) << "the policy is not what the scan showed any more";
}

TEST_F(EngineRecheck, ARecheckIsDueAtAStepSoThatOthersAreTakenUpWithIt) {
  for (int i = 0; i < 20; ++i) Settle("t" + std::to_string(i));
  world.Pass();
  world.MoveOn(seconds(2));  // What was touched meanwhile is recorded, and wakes nobody any more.
  world.Work();
  const auto wake = world.engine->NextWake();
  ASSERT_TRUE(wake.has_value());
  EXPECT_EQ(wake->time_since_epoch() % std::chrono::milliseconds(20), seconds(0));
}

}  // namespace
}  // namespace bindery::testing
