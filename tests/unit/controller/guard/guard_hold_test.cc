// What waits for an operator, was approved, or was denied.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using testing::At;
using testing::Because;
using testing::CarryOut;
using ::testing::IsEmpty;
using testing::Limits;
using testing::MayGo;
using testing::Of;
using testing::ReasonAgainst;
using ::testing::SizeIs;

TEST(Guard, WhatWaitsIsStickyHoweverSmall) {
  Guard guard;
  guard.recent().PassTime(At(0));
  guard.recent().BeginPass(1000);
  guard.held().Hold(Of("a", 1), Because("too many"));
  guard.recent().PassTime(At(600));
  EXPECT_EQ(ReasonAgainst(guard, {Of("a", 1)}), "too many");
  // Others are judged by themselves.
  EXPECT_TRUE(MayGo(guard, Of("b", 1)));
  EXPECT_TRUE(guard.Withdraw(Of("a", 1).target));
  EXPECT_FALSE(guard.Withdraw(Of("a", 1).target));
  EXPECT_TRUE(MayGo(guard, Of("a", 1)));
}

TEST(Guard, OnlyADirectoryThatWantsLessOrOtherLimitsHaveItJudgedAnew) {
  Guard guard;
  guard.SetLimits({});
  guard.BeginRun(1000);
  guard.held().Hold(Of("a", 30), Because("r"));
  guard.held().Hold(Of("b", 30), Because("r"));
  EXPECT_FALSE(guard.held().MayRelease());
  guard.KeepOnly(Of("b", 0).target, testing::Among(Of("b", 20)));
  EXPECT_TRUE(guard.held().MayRelease());
  const auto decisions = guard.Judge({Of("a", 30), Of("b", 20)}, {.judged_anew = true});
  EXPECT_TRUE(decisions[0].allowed() && decisions[1].allowed());
  guard.held().JudgedAnew();
  EXPECT_FALSE(guard.held().MayRelease());
  guard.SetLimits(Limits(100, 1));
  EXPECT_TRUE(guard.held().MayRelease());
}

TEST(Guard, ApprovalLetsThroughExactlyWhatItNames) {
  Guard guard;
  guard.SetLimits(Limits(0, 0));
  guard.recent().BeginPass(1000);
  guard.held().Hold(Of("a", 3), Because("r"));
  EXPECT_THAT(guard.Approve("000000000000"), IsEmpty());
  EXPECT_THAT(guard.Approve(""), IsEmpty());
  EXPECT_TRUE(guard.held().Has(Of("a", 0).target));

  const std::vector<Target> released = guard.Approve(guard.held().Digest());
  ASSERT_THAT(released, SizeIs(1));
  EXPECT_EQ(released[0].name, "a");
  EXPECT_EQ(guard.held().Digest(), "");
  EXPECT_TRUE(MayGo(guard, Of("a", 3)));
  EXPECT_TRUE(MayGo(guard, Of("a", 2))) << "less than was approved";
  EXPECT_FALSE(MayGo(guard, Of("a", 4))) << "one more than was approved";
  EXPECT_FALSE(MayGo(guard, Of("b", 3))) << "another target";
}

TEST(Guard, AnApprovalDoesNotOutliveItsUse) {
  Guard guard;
  guard.SetLimits(Limits(0, 0));
  guard.recent().BeginPass(1000);
  guard.held().Hold(Of("a", 3), Because("r"));
  ASSERT_THAT(guard.Approve(guard.held().Digest()), SizeIs(1));
  EXPECT_TRUE(guard.answers().HasApproval(Of("a", 0).target));
  CarryOut(guard, Of("a", 3));
  EXPECT_FALSE(guard.answers().HasApproval(Of("a", 0).target));
  EXPECT_FALSE(MayGo(guard, Of("a", 3)));
}

TEST(Guard, ApprovedRemovalsDoNotCount) {
  Guard guard;
  guard.SetLimits(Limits(5, 1));
  guard.recent().BeginPass(1000);
  guard.answers().Approve(Of("a", 100));
  EXPECT_TRUE(guard.answers().IsApproved(Of("a", 100)));
  guard.LetGo(Of("a", 100));
  EXPECT_TRUE(MayGo(guard, Of("b", 5)));
  EXPECT_EQ(ReasonAgainst(guard, {Of("a", 100), Of("b", 5)}), "");
  EXPECT_NE(ReasonAgainst(guard, {Of("a", 100), Of("b", 6)}), "");
}

TEST(Guard, WhatWasDeniedStaysAndIsNotAskedAboutAgain) {
  Guard guard;
  guard.SetLimits(Limits(2, 1));
  guard.recent().BeginPass(1000);
  guard.held().Hold(Of("a", 3), Because("r"));
  const std::string digest = guard.held().Digest();
  EXPECT_THAT(guard.Deny("000000000000"), IsEmpty());
  EXPECT_THAT(guard.Deny(digest), SizeIs(1));
  EXPECT_EQ(guard.held().Digest(), "");
  EXPECT_EQ(guard.held().Grants(), 0);
  EXPECT_EQ(guard.answers().DeniedGrants(), 3);
  auto decision = guard.Judge({Of("a", 3)}, {}).front();
  EXPECT_THAT(decision.denied.grants, SizeIs(3));
  EXPECT_THAT(decision.wait.grants, IsEmpty());
  EXPECT_THAT(decision.go.grants, IsEmpty());
  decision = guard.Judge({Of("a", 5)}, {}).front();
  EXPECT_THAT(decision.go.grants, SizeIs(2)) << "what was not denied goes its way";
  EXPECT_TRUE(MayGo(guard, Of("b", 2))) << "what was denied does not count";
}

TEST(Guard, ADenialEndsWithWhatItDenied) {
  Guard guard;
  guard.SetLimits(Limits(0, 0));
  guard.held().Hold(Of("a", 3), Because("r"));
  guard.held().Hold(Of("b", 1), Because("r"));
  const std::string digest = guard.held().Digest();
  ASSERT_THAT(guard.Deny(digest), SizeIs(2));
  guard.KeepOnly(Of("a", 0).target, testing::Among(Of("a", 2)));
  EXPECT_EQ(guard.answers().DeniedGrants(), 3);
  EXPECT_TRUE(guard.Withdraw(Of("b", 0).target));
  EXPECT_THAT(guard.answers().DeniedItems(digest), SizeIs(1));
  guard.KeepOnly(Of("a", 0).target, testing::Among(Of("a", 3)));
  const auto decision = guard.Judge({Of("a", 3)}, {}).front();
  EXPECT_THAT(decision.wait.grants, SizeIs(1)) << "the third was let go of and is asked about anew";
  EXPECT_THAT(guard.Approve(digest), SizeIs(1)) << "the rest can still be approved";
  EXPECT_TRUE(MayGo(guard, Of("a", 2)));
}

}  // namespace
}  // namespace bindery::controller
