#include "controller/removals/removal_holds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"
#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using testing::Because;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Of;
using ::testing::SizeIs;

class RemovalHoldsTest : public ::testing::Test {
 protected:
  /// Something waits, and is on record.
  std::string Hold(const std::string& target, int grants) {
    holds.guard().held().Hold(Of(target, grants), Because("too many"));
    store::StoreChange opened;
    holds.Sync(opened, now);
    return holds.guard().held().Digest();
  }
  static std::string StateIn(const store::StoreChange& recorded) {
    std::string states;
    for (const store::HoldRecord& hold : recorded.upsert_holds) {
      states += std::string(ToString(hold.state)) + " ";
    }
    return states;
  }

  EngineWorld world;
  Rollbacks rollbacks;
  RemovalHolds holds{world.engine->catalog(), rollbacks};
  Now now = world.now;
  store::StoreChange change;
};

TEST_F(RemovalHoldsTest, TheRecordFollowsWhatTheGuardWithholds) {
  holds.guard().held().Hold(Of("a", 2), Because("too many"));
  holds.Sync(change, now);
  EXPECT_EQ(StateIn(change), "open ");
  ASSERT_THAT(change.events, SizeIs(1));
  EXPECT_EQ(change.events[0].reason, "GuardHeld");
  store::StoreChange unchanged;
  holds.Sync(unchanged, now);
  EXPECT_TRUE(unchanged.empty());
  store::StoreChange more;
  holds.guard().held().Hold(Of("b", 1), Because("too many"));
  holds.Sync(more, now);
  EXPECT_EQ(StateIn(more), "withdrawn open ") << "another digest names what waits now";
}

TEST_F(RemovalHoldsTest, WhatIsNotWantedAnyMoreIsDropped) {
  Hold("a", 2);
  EXPECT_TRUE(holds.Drop(Of("a", 0).target, change));
  holds.Sync(change, now);
  EXPECT_EQ(StateIn(change), "withdrawn ");
  EXPECT_FALSE(holds.Drop(Of("a", 0).target, change)) << "nothing waits there";
}

TEST_F(RemovalHoldsTest, AnApprovalIsReleasedOnceItWasCarriedOut) {
  const std::string digest = Hold("a", 2);
  const auto decided = holds.Approve(digest.substr(0, 6), "ops", change, now);
  ASSERT_TRUE(decided.has_value());
  EXPECT_EQ(decided->digest, digest);
  EXPECT_EQ(decided->grants, 2U);
  EXPECT_THAT(decided->targets, SizeIs(1));
  EXPECT_EQ(StateIn(change), "approved ");
  store::StoreChange later;
  holds.SettleApproval(Of("a", 0).target, later);
  EXPECT_THAT(later.upsert_holds, IsEmpty()) << "not carried out yet";
  holds.guard().answers().CarriedOut(Of("a", 0).target, {Of("a", 2).grants[0].grant});
  holds.guard().answers().CarriedOut(Of("a", 0).target, {Of("a", 2).grants[1].grant});
  holds.SettleApproval(Of("a", 0).target, later);
  EXPECT_EQ(StateIn(later), "released ");
}

TEST_F(RemovalHoldsTest, ADenialStaysUntilNothingOfItIsWanted) {
  const std::string digest = Hold("a", 2);
  ASSERT_TRUE(holds.Deny(digest, "ops", change, now).has_value());
  EXPECT_EQ(StateIn(change), "denied ");
  ASSERT_NE(holds.FindDenial(Of("a", 0).target), nullptr);
  EXPECT_EQ(holds.FindDenial(Of("a", 0).target)->actor, "ops");
  const auto again = holds.Deny(digest, "eve", change, now);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, Code::kFailedPrecondition);
  store::StoreChange later;
  (void)holds.Drop(Of("a", 0).target, later);
  holds.Sync(later, now);
  EXPECT_EQ(StateIn(later), "withdrawn ");
  EXPECT_EQ(holds.FindDenial(Of("a", 0).target), nullptr);
}

TEST_F(RemovalHoldsTest, AnUnknownDigestNamesWhatIsHeld) {
  EXPECT_EQ(holds.Approve("ffffff", "ops", change, now).error().message, "nothing is held");
  const std::string digest = Hold("a", 2);
  EXPECT_THAT(holds.Approve("ffffff", "ops", change, now).error().message, HasSubstr(digest));
  EXPECT_FALSE(holds.Approve(digest.substr(0, 5), "ops", change, now).has_value())
      << "too short to name a hold";
  EXPECT_TRUE(change.empty());
}

}  // namespace
}  // namespace bindery::controller
