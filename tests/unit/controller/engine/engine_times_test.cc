// What time does to grants: warnings, expiry, and what becomes of an expired grant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kViewer;
using namespace std::chrono_literals;

class EngineTimes : public ::testing::Test {
 protected:
  EngineTimes() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.settings.expiry_warnings = {24h, 1h};
    world.settings.guard.max_removed_grants = 50;
    world.Configure();
  }
  /// Ana views t for so long from now on.
  manifests::Manifest& DeclareFor(std::chrono::milliseconds time,
                                  const std::string& title = "for a while") {
    manifests::Manifest& manifest = world.Declare("m", "t", kViewer, {kAna});
    Json spec = *ParseJson(manifest.spec);
    spec["condition"] = {
        {"title", title},
        {"expression", "request.time < timestamp('" + FormatRfc3339(world.now.wall + time) + "')"}};
    manifest.spec = CanonicalJson(spec);
    return manifest;
  }
  int Warnings() const { return world.Events("GrantExpiring"); }
  int Expiries() const { return world.Events("GrantExpired"); }

  EngineWorld world;
};

TEST_F(EngineTimes, AnEndIsToldOnceAtEachLeadTime) {
  DeclareFor(48h);
  world.Pass();
  EXPECT_EQ(Warnings(), 0);
  world.Advance(25h);
  EXPECT_EQ(Warnings(), 1);
  world.Advance(22h + 30min);
  EXPECT_EQ(Warnings(), 2);
  EXPECT_EQ(Expiries(), 0);
  world.Advance(1h);
  EXPECT_EQ(Expiries(), 1);
  world.Advance(48h);
  EXPECT_EQ(Warnings() + Expiries(), 3);
}

TEST_F(EngineTimes, AGrantThatComesInLateIsToldOfOnce) {
  DeclareFor(30min);
  world.Pass();
  EXPECT_EQ(Warnings(), 1) << "both lead times are over";
}

TEST_F(EngineTimes, ARestartTellsNothingTwice) {
  DeclareFor(48h);
  world.Pass();
  world.Advance(25h);
  world.Restart();
  world.Pass();
  EXPECT_EQ(Warnings(), 1);
  world.MoveOn(48h);
  world.Restart();
  world.Pass();
  EXPECT_EQ(Expiries(), 1) << "it expired while nobody looked";
}

TEST_F(EngineTimes, AnExpiredGrantStaysUnlessItIsToGo) {
  DeclareFor(1h);
  world.Pass();
  world.Advance(2h);
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineTimes, AnExpiredGrantIsTakenOutWhenItIsToGo) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  ASSERT_EQ(world.Grants("t").size(), 1U);
  world.Advance(2h);
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "Ready Expired");
  EXPECT_EQ(world.Names(), std::vector<std::string>{"m"}) << "it is declared still";
  const int writes = world.Writes();
  world.Advance(24h);
  EXPECT_EQ(world.Writes(), writes);
}

TEST_F(EngineTimes, WhereAllHasExpiredWhatNobodyDeclaresIsStillFound) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/owner","members":["allUsers"]}])");
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "Ready Expired");
}

TEST_F(EngineTimes, ARestartDoesNotBringAnExpiredGrantBack) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  world.Restart();
  world.Pass();
  world.Advance(1h);
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(Expiries(), 1);
}

TEST_F(EngineTimes, AnExpiredGrantThatIsProlongedComesBack) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  DeclareFor(48h);
  world.Pass();
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineTimes, TheGuardHoldsWhatExpiresAsAnythingElse) {
  world.settings.guard.max_removed_grants = 0;
  world.Configure();
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
}

TEST_F(EngineTimes, ProtectionAndModeObserveKeepAnExpiredGrant) {
  manifests::Manifest& manifest = DeclareFor(1h);
  manifest.options.remove_expired = true;
  manifest.options.protect = true;
  world.Pass();
  world.Advance(2h);
  EXPECT_EQ(world.Grants("t").size(), 1U);
  manifest.options.protect = false;
  manifest.options.mode = Mode::kObserve;
  world.Pass();
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Stalled DriftObserved");
}

TEST_F(EngineTimes, AClockThatIsSetAheadTakesNothingAway) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  const int writes = world.Writes();
  world.SetClock(24h * 300);
  world.Advance(3s);
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("m"), HasSubstr("the local clock is 300d ahead of the time"));
  EXPECT_EQ(world.Events("ClockDisputed"), 1);
  EXPECT_EQ(Expiries(), 0) << "it has not ended";
  EXPECT_EQ(world.engine->time().awaiting(), 1U);
  world.NextInterval();
  EXPECT_EQ(world.Grants("t").size(), 1U);
  world.SetClock(-24h * 300);
  world.Advance(3s);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Events("ClockConfirmed"), 1);
  EXPECT_EQ(world.Writes(), writes);
  EXPECT_EQ(world.engine->time().awaiting(), 0U);
  world.Advance(1h);
  EXPECT_THAT(world.Grants("t"), IsEmpty()) << "now it has ended";
}

TEST_F(EngineTimes, AClockThatIsSetBackGivesNothingThatHasEnded) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  ASSERT_THAT(world.Grants("t"), IsEmpty());
  world.SetClock(-24h * 300);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  world.SetClock(24h * 300);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "Ready Expired");
}

TEST_F(EngineTimes, AClockThatIsAheadAtTheStartTakesNothingAway) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.SetClock(24h * 300);
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Grants("t").size(), 1U);
  world.SetClock(-24h * 300);
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(Expiries(), 0);
}

TEST_F(EngineTimes, WithoutAnybodyWhoTellsTheTimeNothingIsTakenAway) {
  world.cloud_tells_time = false;
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Reconciling RemovalPending");
  world.cloud_tells_time = true;
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineTimes, AClockThatGoesBackJudgesAnew) {
  // Both clocks were wrong, and those of the services kept to it until they were believed.
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.now.wall += 24h * 300;
  world.Advance(1h);
  ASSERT_THAT(world.Grants("t"), IsEmpty());
  world.now.wall -= 24h * 300 + 1h;
  world.Advance(20min);
  EXPECT_EQ(world.Grants("t").size(), 1U);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineTimes, ARestartWritesNothingWhileTheTimeIsNotKnown) {
  DeclareFor(1h).options.remove_expired = true;
  world.Pass();
  world.Advance(2h);
  const int writes = world.Writes();
  world.cloud_tells_time = false;
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready Expired");
  EXPECT_EQ(world.Writes(), writes);
}

TEST_F(EngineTimes, AnEventSaysWhenItEnds) {
  DeclareFor(30min);
  world.Pass();
  ASSERT_FALSE(world.observer.events.empty());
  EXPECT_THAT(world.observer.events,
              ::testing::Contains(::testing::Field(
                  &Event::message, HasSubstr("the condition of 1 grant ends in 30m"))));
}

}  // namespace
}  // namespace bindery::controller
