// The guard over time: slow reads, deletions one by one, restarts, clocks; what weighs much; and
// what an operator denied.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/twelve_targets.h"

namespace bindery::controller {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kViewer;
using ::testing::SizeIs;

constexpr const char* kAdminRole = "roles/networksecurity.admin";

class GuardOverTime : public testing::TwelveTargets {
 protected:
  void RemoveOneByOne(int from, int to) {
    for (int i = from; i < to; ++i) {
      world.Remove(Id(i));
      world.Pass();
      world.Advance(seconds(20));
    }
  }
  void SetMembers(int i, const std::string& role, const std::vector<std::string>& members) {
    world.Declare(Id(i), Id(i), role, members);
    world.Pass();
  }
  void OthersGrant(int i, const std::string& bindings) {
    world.cloud->AddTarget(EngineWorld::TargetName(Id(i)), bindings);
  }
};

TEST_F(GuardOverTime, ManifestsDeletedOneByOneAreNoMoreThanTheLimit) {
  RemoveOneByOne(0, kTargets - 1);
  EXPECT_EQ(EmptyTargets(), 5);
  EXPECT_THAT(world.Message(Id(5)),
              HasSubstr("11 grants would be removed within 1h (5 already are), more than "
                        "guard.maxRemovedGrants (5)"));
  world.NextInterval();
  EXPECT_EQ(EmptyTargets(), 5) << "an interval is no window";
}

TEST_F(GuardOverTime, TheWindowMovesOn) {
  RemoveOneByOne(0, 5);
  world.Advance(hours(1));
  RemoveOneByOne(5, 10);
  EXPECT_EQ(EmptyTargets(), 10);
  EXPECT_EQ(world.HoldDigest(), "");
}

TEST_F(GuardOverTime, WhatWaitsDoesNotGoByItselfWhenTheWindowHasPassed) {
  RemoveOneByOne(0, 6);
  ASSERT_EQ(EmptyTargets(), 5);
  world.Advance(hours(2));
  EXPECT_EQ(EmptyTargets(), 5);
  SetMembers(8, kViewer, {kAna, "user:new@example.com"});
  EXPECT_EQ(EmptyTargets(), 5) << "nor with another edit";
  world.Restart();
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 5) << "nor after a restart";
  EXPECT_NE(world.HoldDigest(), "");
}

TEST_F(GuardOverTime, TheWindowOutlivesARestart) {
  RemoveOneByOne(0, 5);
  world.Restart();
  world.Pass();
  RemoveOneByOne(5, 6);
  EXPECT_EQ(EmptyTargets(), 5);
  EXPECT_EQ(world.Status(Id(5)), "Stalled GuardHeld");
}

TEST_F(GuardOverTime, AClockSetForwardDoesNotShortenTheWindow) {
  RemoveOneByOne(0, 5);
  world.now.wall += hours(24 * 300);
  RemoveOneByOne(5, 6);
  EXPECT_EQ(EmptyTargets(), 5);
}

TEST_F(GuardOverTime, NorDoesARestartByAClockThatRunsAhead) {
  RemoveOneByOne(0, 5);
  world.SetClock(hours(3));
  world.Restart();
  world.Pass();
  RemoveOneByOne(5, 6);
  EXPECT_EQ(EmptyTargets(), 5);
  EXPECT_EQ(world.Status(Id(5)), "Stalled GuardHeld");
}

/// Five removals by a daemon with one clock; then another with its own is to remove one more.
struct ClocksCase {
  const char* name;
  hours before;  ///< How far the clock of the first is ahead.
  hours after;
  minutes between;
  bool held;
};

class GuardByClocks : public testing::TwelveTargets,
                      public ::testing::WithParamInterface<ClocksCase> {};

TEST_P(GuardByClocks, TheServicesTimeSaysHowOldARemovalIs) {
  world.SetClock(GetParam().before);
  for (int i = 0; i < 5; ++i) world.Remove(Id(i));
  world.Pass();
  world.Pass();
  ASSERT_EQ(EmptyTargets(), 5);
  world.Advance(GetParam().between);
  world.SetClock(GetParam().after - GetParam().before);
  world.Restart();
  world.Pass();
  world.Remove(Id(5));
  world.Pass();
  world.Pass();
  EXPECT_EQ(EmptyTargets(), GetParam().held ? 5 : 6);
  EXPECT_EQ(world.HoldDigest().empty(), !GetParam().held);
}

INSTANTIATE_TEST_SUITE_P(
    , GuardByClocks,
    ::testing::Values(ClocksCase{"Ahead", hours(25), hours(0), minutes(70), false},
                      ClocksCase{"AheadOfLate", hours(25), hours(0), minutes(50), true},
                      ClocksCase{"Behind", hours(-30), hours(0), minutes(50), true},
                      ClocksCase{"BehindLongAgo", hours(-30), hours(0), minutes(70), false},
                      ClocksCase{"BothWrong", hours(-30), hours(25), minutes(50), true},
                      ClocksCase{"BothWrongLongAgo", hours(25), hours(-30), minutes(70), false},
                      ClocksCase{"OnlyTheSecond", hours(0), hours(-2), minutes(50), true},
                      ClocksCase{"OnlyTheSecondLongAgo", hours(0), hours(-2), minutes(70), false}),
    [](const auto& param) { return std::string(param.param.name); });

/// The only service steps to another time while this daemon's clock is right, and then the daemon
/// is restarted.
class ServiceThatSteps : public testing::TwelveTargets,
                         public ::testing::WithParamInterface<std::pair<hours, hours>> {};

TEST_P(ServiceThatSteps, DoesNotShortenTheWindow) {
  const auto [before, after] = GetParam();
  world.cloud_ahead = before;
  for (int i = 0; i < 5; ++i) world.Remove(Id(i));
  world.Pass();
  world.Pass();
  ASSERT_EQ(EmptyTargets(), 5);
  world.Advance(minutes(50));
  world.cloud_ahead = after;
  world.Restart();
  world.Pass();
  world.Remove(Id(5));
  world.Pass();
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 5);
  EXPECT_NE(world.HoldDigest(), "");
}

INSTANTIATE_TEST_SUITE_P(Forward, ServiceThatSteps,
                         ::testing::Values(std::pair(hours(0), hours(2)),
                                           std::pair(hours(-3), hours(0)),
                                           std::pair(hours(-3), hours(5))));
INSTANTIATE_TEST_SUITE_P(Back, ServiceThatSteps,
                         ::testing::Values(std::pair(hours(0), hours(-2)),
                                           std::pair(hours(3), hours(0))));

TEST_F(GuardOverTime, AWriteWithoutAnAnswerCountsWhetherItLandedOrNot) {
  world.cloud->Fail({"setIamPolicy", "", 503, "UNAVAILABLE", false, false, 1});
  RemoveOneByOne(0, 5);
  world.Advance(minutes(2));
  EXPECT_EQ(EmptyTargets(), 5) << "what did not land was tried again and counts once";
  RemoveOneByOne(5, 6);
  EXPECT_EQ(EmptyTargets(), 5);
}

TEST_F(GuardOverTime, WhatIsRemovedDeclaredAndRemovedAgainCountsEachTime) {
  for (int round = 0; round < 5; ++round) {
    SetMembers(0, kViewer, {kAna, "user:bob@example.com"});
    SetMembers(0, kViewer, {kAna});
  }
  EXPECT_THAT(world.Grants(Id(0)), SizeIs(1));
  SetMembers(0, kViewer, {kAna, "user:bob@example.com"});
  SetMembers(0, kViewer, {kAna});
  EXPECT_THAT(world.Grants(Id(0)), SizeIs(2));
}

TEST_F(GuardOverTime, SlowReadsDoNotMakeAPassSmaller) {
  for (int i = 0; i < 8; ++i) world.Remove(Id(i));
  world.Scan();
  world.Scan();
  const Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(8));
  for (int i = 0; i < 4; ++i) world.Check(actions.checks[static_cast<std::size_t>(i)]);
  world.MoveOn(seconds(11));
  EXPECT_THAT(world.Step().writes, IsEmpty()) << "four more are known to come";
  for (int i = 4; i < 8; ++i) {
    world.Check(actions.checks[static_cast<std::size_t>(i)]);
    EXPECT_THAT(world.Step().writes, IsEmpty());
    world.MoveOn(world.settings.recheck.interval);
  }
  world.Work();
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_EQ(world.engine->removals().guard().held().Grants(), 8);
}

TEST_F(GuardOverTime, SlowReadsOfNarrowedManifestsStayWithinTheLimit) {
  for (int i = 0; i < 8; ++i) {
    world.Declare(Id(i), Id(i), kViewer, {"user:new@example.com"});
  }
  world.Scan();
  const Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(8));
  for (const auto& check : actions.checks) {
    world.MoveOn(seconds(11));
    world.Check(check);
    world.Work();
  }
  world.NextInterval();
  int kept = 0;
  for (int i = 0; i < 8; ++i) kept += world.Grants(Id(i)).size() == 2 ? 1 : 0;
  EXPECT_EQ(kept, 3) << "five of eight lost ana";
}

// What weighs much ------------------------------------------------------------------------------

TEST_F(GuardOverTime, AGraveLossThatAManifestAsksForWaits) {
  SetMembers(0, kAdminRole, {kAna, "user:bob@example.com"});
  ASSERT_EQ(world.Status(Id(0)), "Ready ReconciliationSucceeded");
  SetMembers(0, kAdminRole, {kAna});
  EXPECT_THAT(world.Grants(Id(0)), SizeIs(2));
  EXPECT_EQ(world.Message(Id(0)),
            "removals on its target are held by the guard (a loss of severity high or worse "
            "waits for approval, by guard.holdSeverity): bindery guard");
  // Ordinary work goes on beside it, also on the same target.
  world.Declare("viewers", Id(0), kViewer, {kAna, "user:bob@example.com"});
  world.Pass();
  world.Declare("viewers", Id(0), kViewer, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants(Id(0)), SizeIs(3));
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants(Id(0)), SizeIs(2));
  EXPECT_EQ(world.Status(Id(0)), "Ready ReconciliationSucceeded");
}

TEST_F(GuardOverTime, SoDoesTheManifestOfAGraveRoleThatGoes) {
  SetMembers(0, kAdminRole, {kAna});
  world.Remove(Id(0));
  world.Pass();
  world.Restart();
  world.Pass();
  EXPECT_THAT(world.Grants(Id(0)), SizeIs(1));
  EXPECT_EQ(world.Status(Id(0)), "Stalled GuardHeld");
}

TEST_F(GuardOverTime, WhatOthersAddIsTakenAwayAtOnceHoweverGrave) {
  SetMembers(0, kAdminRole, {kAna});
  // With a hold of the directory's over the limit in the way.
  for (int i = 4; i < 11; ++i) world.Remove(Id(i));
  world.Pass();
  ASSERT_EQ(world.Status(Id(4)), "Stalled GuardHeld");
  OthersGrant(0, R"([{"role":"roles/networksecurity.admin","members":["user:ana@example.com",)"
                 R"("user:eve@example.com"]},{"role":"roles/owner","members":["allUsers"]}])");
  world.NextInterval();
  EXPECT_THAT(world.Grants(Id(0)), ElementsAre("roles/networksecurity.admin user:ana@example.com"));
}

TEST_F(GuardOverTime, WhatWasThereFirstIsNoLossOfTheDirectory) {
  world.cloud->AddTarget(EngineWorld::TargetName("new"),
                         R"([{"role":"roles/owner","members":["user:former@example.com"]},)"
                         R"({"role":"roles/viewer","members":["user:former@example.com"]}])");
  world.Declare("new", "new", kViewer, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("new"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(GuardOverTime, ARestrictionIsNotLiftedWithoutApproval) {
  world.DeclareRestriction("dash", "dashboard:abc-def-ghi", "viewer", {"user:one", "user:two"});
  world.Pass();
  ASSERT_EQ(world.Status("dash"), "Ready ReconciliationSucceeded");
  world.DeclareRestriction("dash", "dashboard:abc-def-ghi", "viewer", {"user:one"});
  world.Pass();
  ASSERT_EQ(world.Status("dash"), "Ready ReconciliationSucceeded") << "an ordinary loss";
  world.Remove("dash");
  world.Pass();
  EXPECT_EQ(world.Status("dash"), "Stalled GuardHeld") << "it would be open to everybody";
}

// Denials ---------------------------------------------------------------------------------------

class GuardDenial : public GuardOverTime {
 protected:
  GuardDenial() {
    for (int i = 0; i < 6; ++i) world.Remove(Id(i));
    world.Pass();
    digest = world.HoldDigest();
    EXPECT_TRUE(world.engine->commands().Deny(digest.substr(0, 6), "ops", world.now).has_value());
    world.Work();
  }
  std::string digest;
};

TEST_F(GuardDenial, WhatWasDeniedStaysAndIsSaidToBeDenied) {
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_EQ(world.HoldDigest(), "");
  EXPECT_EQ(world.Status(Id(0)), "Stalled RemovalDenied");
  EXPECT_EQ(
      world.Message(Id(0)),
      "removals on its target were denied by ops: what is there stays (bindery guard; bindery "
      "guard approve " +
          digest + " lets them through)");
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kDenied);
  EXPECT_EQ(world.store.state.holds.at(digest).actor, "ops");
  EXPECT_EQ(world.Events("GuardDenied"), 1);
  const int events = static_cast<int>(world.store.state.events.size());
  world.NextInterval();
  world.Advance(hours(2));
  EXPECT_EQ(static_cast<int>(world.store.state.events.size()), events) << "nobody is asked again";
  EXPECT_EQ(EmptyTargets(), 0);
}

TEST_F(GuardDenial, OutlivesARestart) {
  world.Restart();
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(EmptyTargets(), 0);
  EXPECT_EQ(world.HoldDigest(), "");
  EXPECT_EQ(world.Status(Id(0)), "Stalled RemovalDenied");
}

TEST_F(GuardDenial, DoesNotHoldUpOthers) {
  for (int i = 6; i < 10; ++i) world.Remove(Id(i));
  world.Pass();
  EXPECT_EQ(EmptyTargets(), 4);
}

TEST_F(GuardDenial, EndsForWhatIsDeclaredAgain) {
  for (int i = 0; i < 6; ++i) world.Declare(Id(i), Id(i), kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kWithdrawn);
  for (int i = 0; i < 6; ++i) world.Remove(Id(i));
  world.Pass();
  EXPECT_EQ(world.HoldDigest(), digest) << "it is asked about anew";
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kOpen);
}

TEST_F(GuardDenial, CanBeApprovedAfterAllAndNotDeniedTwice) {
  const auto again = world.engine->commands().Deny(digest, "eve", world.now);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(ToString(again.error()), HasSubstr("was denied already, by ops"));
  ASSERT_TRUE(world.engine->commands().Approve(digest, "boss", world.now).has_value());
  world.Work();
  EXPECT_EQ(EmptyTargets(), 6);
  EXPECT_EQ(world.store.state.holds.at(digest).state, HoldState::kReleased);
}

TEST_F(GuardDenial, OfWhatNobodyHoldsIsRefused) {
  const auto wrong = world.engine->commands().Deny("ffffffffffff", "ops", world.now);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(ToString(wrong.error()),
            "NOT_FOUND: nothing is held under \"ffffffffffff\"; \"" + digest + "\" was denied");
}

}  // namespace
}  // namespace bindery::controller
