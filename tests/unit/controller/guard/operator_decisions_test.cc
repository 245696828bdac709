#include "controller/guard/operator_decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using testing::Because;
using ::testing::IsEmpty;
using testing::Of;
using ::testing::SizeIs;

TEST(OperatorDecisions, AnApprovalIsOfEachGrantUntilItIsCarriedOut) {
  OperatorDecisions answers;
  answers.Approve(Of("a", 2));
  EXPECT_TRUE(answers.IsApproved(Of("a", 1)));
  EXPECT_FALSE(answers.IsApproved(Of("a", 3)));
  EXPECT_FALSE(answers.IsApproved(Of("b", 1)));
  answers.CarriedOut(Of("b", 0).target, {Of("a", 1).grants[0].grant});
  answers.CarriedOut(Of("a", 0).target, {Of("a", 1).grants[0].grant});
  EXPECT_FALSE(answers.IsApproved(Of("a", 1)));
  EXPECT_TRUE(answers.IsApproved(Of("a", 1, 1)));
  answers.CarriedOut(Of("a", 0).target, {Of("a", 1, 1).grants[0].grant});
  EXPECT_FALSE(answers.HasApproval(Of("a", 0).target));
}

TEST(OperatorDecisions, AnAnswerHoldsForAsLongAsWhatItIsAboutIsWanted) {
  OperatorDecisions answers;
  answers.Approve(Of("a", 2));
  answers.Deny({Of("a", 2, 5), Because("r")}, "first");
  answers.KeepOnly(Of("a", 0).target, testing::Among(Of("a", 5, 1)));
  EXPECT_FALSE(answers.IsApproved(Of("a", 1)));
  EXPECT_TRUE(answers.IsApproved(Of("a", 1, 1)));
  EXPECT_EQ(answers.DeniedGrants(), 1);
  EXPECT_TRUE(answers.IsDenied(Of("a", 0).target.Key(), Of("a", 1, 5).grants[0].grant));
  EXPECT_FALSE(answers.IsDenied(Of("b", 0).target.Key(), Of("a", 1, 5).grants[0].grant));
  answers.KeepOnly(Of("a", 0).target, testing::Among({}));
  EXPECT_THAT(answers.GrantsOn(Of("a", 0).target), IsEmpty());
}

TEST(OperatorDecisions, WhatWasDeniedIsTakenByItsDigest) {
  OperatorDecisions answers;
  answers.Deny({Of("a", 2), Because("r")}, "first");
  answers.Deny({Of("a", 1, 5), Because("r")}, "second");
  answers.Deny({Of("b", 1), Because("r")}, "first");
  EXPECT_THAT(answers.TakeDenied("third"), IsEmpty());
  EXPECT_THAT(answers.DeniedItems("first"), SizeIs(2));
  EXPECT_THAT(answers.TakeDenied("first"), SizeIs(2));
  EXPECT_EQ(answers.DeniedGrants(), 1);
  EXPECT_THAT(answers.GrantsOn(Of("a", 0).target), SizeIs(1));
  EXPECT_THAT(answers.GrantsOn(Of("b", 0).target), IsEmpty());
}

TEST(OperatorDecisions, ForgettingATargetTellsWhetherSomethingWasDenied) {
  OperatorDecisions answers;
  answers.Approve(Of("a", 2));
  answers.Deny({Of("b", 1), Because("r")}, "first");
  EXPECT_FALSE(answers.Forget(Of("a", 0).target));
  EXPECT_FALSE(answers.HasApproval(Of("a", 0).target));
  EXPECT_TRUE(answers.Forget(Of("b", 0).target));
  EXPECT_FALSE(answers.Forget(Of("b", 0).target));
}

}  // namespace
}  // namespace bindery::controller
