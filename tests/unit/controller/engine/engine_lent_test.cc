// Replicas that stand by read targets for the one at work: decision 30.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class EngineLent : public ::testing::Test {
 protected:
  /// Targets that are as declared, and whose answers are known.
  void Settle(int targets) {
    for (int i = 0; i < targets; ++i) {
      const std::string id = "t" + std::to_string(i);
      world.cloud->AddTarget(EngineWorld::TargetName(id));
      world.Declare("m" + std::to_string(i), id, kViewer, {kAna});
    }
    world.Pass();
    world.NextInterval();
  }
  void SetHelpers(std::size_t count) {
    world.engine->flow().lending().SetHelpers(count, 100 * count);
  }

  /// All that is due after an interval: what is read here, and what is lent.
  controller::Engine::Actions NextTurn() {
    world.MoveOn(world.settings.recheck.interval + seconds(1));
    controller::Engine::Actions all;
    // What is read here is answered, as only some are read at once.
    for (int i = 0; i < 1'000; ++i) {
      controller::Engine::Actions actions = world.Step();
      if (actions.empty()) break;
      for (const auto& task : actions.checks) world.Check(task);
      std::ranges::move(actions.checks, std::back_inserter(all.checks));
      std::ranges::move(actions.lent, std::back_inserter(all.lent));
    }
    return all;
  }
  void Answer(const controller::LentCheck& check, controller::LentAnswer answer) {
    world.engine->flow().lending().End({check.loan, check.key, answer}, world.now);
  }
  [[nodiscard]] WallTime ObservedAt(const std::string& id) const {
    return world.engine->catalog()
        .claims()
        .FindTarget(Target{"AuthorizationPolicyIamBinding", "", EngineWorld::TargetName(id)})
        ->reading.observed_at;
  }

  EngineWorld world;
};

TEST_F(EngineLent, NothingIsLentWithoutAHelper) {
  Settle(3);
  const controller::Engine::Actions turn = NextTurn();
  EXPECT_THAT(turn.lent, IsEmpty());
  EXPECT_THAT(turn.checks, SizeIs(3));
}

TEST_F(EngineLent, AShareOfTheChecksStaysHere) {
  Settle(100);
  SetHelpers(3);
  const controller::Engine::Actions turn = NextTurn();
  EXPECT_THAT(turn.lent, SizeIs(75));
  EXPECT_THAT(turn.checks, SizeIs(25));
}

TEST_F(EngineLent, TheKnownAnswerElsewhereIsACheckOfTheTimeWhenItWasAskedFor) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  ASSERT_THAT(turn.lent, SizeIs(1));
  const int reads = world.Reads();
  const WallTime asked = world.now.wall;
  world.MoveOn(seconds(2));
  Answer(turn.lent[0], controller::LentAnswer::kSame);
  EXPECT_EQ(ObservedAt("t0"), asked);
  world.Advance(seconds(30));
  EXPECT_EQ(world.Reads(), reads) << "it is not read here";
  EXPECT_EQ(world.store.state.targets.begin()->second.observed_at, asked) << "it is on record";
  EXPECT_EQ(world.Status("m0"), "Ready ReconciliationSucceeded");
  world.Advance(world.settings.recheck.interval);
  EXPECT_EQ(world.Reads(), reads + 1) << "the next check has its turn after the interval";
}

TEST_F(EngineLent, AnotherAnswerElsewhereIsReadHereAndRepaired) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  ASSERT_THAT(turn.lent, SizeIs(1));
  world.cloud->AddTarget(EngineWorld::TargetName("t0"));
  Answer(turn.lent[0], controller::LentAnswer::kOther);
  world.Work();
  EXPECT_THAT(world.Grants("t0"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineLent, WhatFailedElsewhereIsReadHere) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  const int reads = world.Reads();
  Answer(turn.lent.at(0), controller::LentAnswer::kFailed);
  world.Work();
  EXPECT_EQ(world.Reads(), reads + 1);
}

TEST_F(EngineLent, WithoutAnAnswerItIsReadHereAfterAMoment) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  ASSERT_THAT(turn.lent, SizeIs(1));
  const int reads = world.Reads();
  world.Advance(controller::Lending::kPatience - seconds(1));
  EXPECT_EQ(world.Reads(), reads);
  world.Advance(seconds(2));
  EXPECT_EQ(world.Reads(), reads + 1);
}

TEST_F(EngineLent, AnAnswerThatIsNotWaitedForAnyMoreSaysNothing) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  world.Advance(controller::Lending::kPatience + seconds(1));
  const WallTime read = ObservedAt("t0");
  Answer(turn.lent.at(0), controller::LentAnswer::kSame);
  EXPECT_EQ(ObservedAt("t0"), read);
  controller::LentCheck another = turn.lent[0];
  another.loan += 100;
  Answer(another, controller::LentAnswer::kSame);
  EXPECT_EQ(ObservedAt("t0"), read) << "nor does one that nobody asked for";
}

TEST_F(EngineLent, AnEditIsCarriedOutWhileACheckIsLent) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  ASSERT_THAT(turn.lent, SizeIs(1));
  world.Declare("m0", "t0", kViewer, {kAna, kBob});
  world.Scan();
  // Before the edit had its turn.
  Answer(turn.lent[0], controller::LentAnswer::kSame);
  world.Work();
  EXPECT_THAT(world.Grants("t0"), ElementsAre("roles/viewer user:ana@example.com",
                                              "roles/viewer user:bob@example.com"));
  EXPECT_EQ(world.Status("m0"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineLent, AnAnswerByOtherSettingsIsComparedHere) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  const int reads = world.Reads();
  world.Configure();
  Answer(turn.lent.at(0), controller::LentAnswer::kSame);
  world.Work();
  EXPECT_EQ(world.Reads(), reads + 1);
}

TEST_F(EngineLent, WhatIsAskedForByPeopleIsReadHere) {
  Settle(1);
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  const int reads = world.Reads();
  world.Reconcile("m0");
  EXPECT_EQ(world.Reads(), reads + 1);
  Answer(turn.lent.at(0), controller::LentAnswer::kSame);
  world.Advance(minutes(1));
  EXPECT_EQ(world.Reads(), reads + 1) << "and nothing is left of the loan";
}

TEST_F(EngineLent, WhatDiffersIsNotLent) {
  world.settings.catalog.mode = Mode::kObserve;
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("t0"));
  world.Declare("m0", "t0", kViewer, {kAna});
  world.Pass();
  SetHelpers(1);
  EXPECT_THAT(NextTurn().lent, IsEmpty());
  EXPECT_THAT(NextTurn().lent, IsEmpty());
}

TEST_F(EngineLent, WhatFailedLastIsNotLent) {
  Settle(1);
  world.cloud->Fail({.operation = "getIamPolicy", .status = 403, .code = "PERMISSION_DENIED"});
  world.NextInterval();
  SetHelpers(1);
  EXPECT_THAT(NextTurn().lent, IsEmpty());
}

TEST_F(EngineLent, ATargetThatWentWhileItWasLentStaysGone) {
  Settle(2);
  SetHelpers(3);
  const controller::Engine::Actions turn = NextTurn();
  ASSERT_THAT(turn.lent, SizeIs(2));
  world.Remove("m0");
  world.Pass();
  world.Advance(minutes(1));
  ASSERT_EQ(world.Status("m0"), "gone");
  for (const controller::LentCheck& check : turn.lent) Answer(check, controller::LentAnswer::kSame);
  world.Advance(minutes(1));
  EXPECT_EQ(world.Status("m0"), "gone");
}

TEST_F(EngineLent, CallsOfOthersCountInTheQuota) {
  Settle(50);
  SetHelpers(4);
  // Ten at once, then one in ten seconds.
  world.settings.quotas["cloudnative"] = {0.1, 10, 1};
  world.Configure();
  world.NextInterval();  // Compared again here, by the settings.
  world.Advance(minutes(20));
  const controller::Engine::Actions turn = NextTurn();
  EXPECT_LE(turn.lent.size() + turn.checks.size(), 12U);
}

TEST_F(EngineLent, WhatDiffersElsewhereIsReadHereHoweverLongTheQuotaMakesItWait) {
  Settle(1);
  // The one call goes to the helper; the next is a minute later.
  world.settings.quotas["cloudnative"] = {1.0 / 60, 1, 1};
  world.Configure();
  world.NextInterval();  // Compared again here, by the settings.
  world.Advance(minutes(2));
  SetHelpers(1);
  const controller::Engine::Actions turn = NextTurn();
  ASSERT_THAT(turn.lent, SizeIs(1));
  const int reads = world.Reads();
  Answer(turn.lent[0], controller::LentAnswer::kOther);
  for (int i = 0; i < 70; ++i) {
    world.MoveOn(seconds(1));
    controller::Engine::Actions actions = world.Step();
    EXPECT_THAT(actions.lent, IsEmpty()) << "after " << i << " s";
    for (const auto& task : actions.checks) world.Check(task);
  }
  EXPECT_EQ(world.Reads(), reads + 1);
}

TEST_F(EngineLent, WhatAlwaysDiffersElsewhereIsLentLessAndLessOften) {
  Settle(1);
  SetHelpers(99);
  std::vector<int> lent;
  for (int turn = 1; turn <= 64; ++turn) {
    const controller::Engine::Actions actions = NextTurn();
    if (actions.lent.empty()) continue;
    lent.push_back(turn);
    Answer(actions.lent[0],
           turn < 64 ? controller::LentAnswer::kOther : controller::LentAnswer::kSame);
    world.Work();
  }
  EXPECT_THAT(lent, ElementsAre(1, 2, 4, 8, 16, 32, 64));
  EXPECT_THAT(NextTurn().lent, SizeIs(1)) << "one that did not differ ends it";
}

TEST_F(EngineLent, NoMoreIsLentThanHelpersCanDo) {
  Settle(100);
  world.engine->flow().lending().SetHelpers(4, 30);
  const controller::Engine::Actions turn = NextTurn();
  EXPECT_THAT(turn.lent, SizeIs(30));
  EXPECT_THAT(turn.checks, SizeIs(70));
}

}  // namespace
}  // namespace bindery::testing
