#include "controller/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace bindery {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Removals Of(const std::string& target, int count, int first = 0) {
  Removals removals;
  removals.target = {"Kind", "", target};
  for (int i = first; i < first + count; ++i) {
    removals.grants.push_back({"role", "user:u" + std::to_string(i) + "@example.com"});
  }
  removals.resources = {"m-" + target};
  return removals;
}

struct LimitCase {
  const char* name;
  const char* why;
  std::int64_t max;
  double fraction;
  std::int64_t held_before;
  int removals;
  const char* reason;  // empty: allowed
};
class GuardLimit : public ::testing::TestWithParam<LimitCase> {};

TEST_P(GuardLimit, IsJudgedOverTheWholePass) {
  SCOPED_TRACE(GetParam().why);
  Guard guard;
  guard.SetLimits({GetParam().max, GetParam().fraction});
  guard.BeginPass(GetParam().held_before);
  std::vector<Removals> together;
  for (int i = 0; i < GetParam().removals; ++i) together.push_back(Of("t" + std::to_string(i), 1));
  const Guard::Verdict verdict = guard.Judge(together);
  EXPECT_EQ(verdict.reason, GetParam().reason);
  EXPECT_EQ(verdict.allowed, verdict.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GuardLimit,
    ::testing::Values(
        LimitCase{"AtTheLimit", "as many as the limit may go", 50, 1, 1000, 50, ""},
        LimitCase{"OverTheLimit", "one more may not", 50, 1, 1000, 51,
                  "51 grants would be removed, more than guard.maxRemovedGrants (50)"},
        LimitCase{"NineOfNine", "the fraction counts from 10 removals on", 50, 0.25, 9, 9, ""},
        LimitCase{"TenOfFortyOne", "less than a quarter", 50, 0.25, 41, 10, ""},
        LimitCase{"TenOfForty", "a quarter exactly", 50, 0.25, 40, 10, ""},
        LimitCase{"TenOfThirtyNine", "more than a quarter", 50, 0.25, 39, 10,
                  "10 grants would be removed of the 39 the directory held, more than "
                  "guard.maxRemovedFraction (0.25)"},
        LimitCase{"NothingHeld", "there is nothing to be a fraction of", 50, 0.25, 0, 20, ""},
        LimitCase{"ZeroAllowed", "a limit of 0 holds every removal", 0, 1, 1000, 1,
                  "1 grants would be removed, more than guard.maxRemovedGrants (0)"},
        LimitCase{"Nothing", "nothing is always allowed", 0, 0, 1000, 0, ""}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Guard, WhatWasRemovedInThePassCounts) {
  Guard guard;
  guard.BeginPass(1000);
  guard.Spend(Of("a", 30));
  guard.CarriedOut(Of("a", 0).target);
  EXPECT_TRUE(guard.JudgeLater(Of("b", 20)).allowed);
  EXPECT_FALSE(guard.JudgeLater(Of("b", 21)).allowed);
  guard.BeginInterval();
  EXPECT_TRUE(guard.JudgeLater(Of("b", 21)).allowed);
}

TEST(Guard, ARepeatedAttemptCountsOnce) {
  Guard guard;
  guard.BeginPass(1000);
  guard.Spend(Of("a", 30));
  // The write failed; the same is judged and tried again.
  EXPECT_TRUE(guard.JudgeLater(Of("a", 30)).allowed);
  guard.Spend(Of("a", 30));
  EXPECT_TRUE(guard.JudgeLater(Of("b", 20)).allowed);
  EXPECT_FALSE(guard.JudgeLater(Of("b", 21)).allowed);
}

TEST(Guard, WhatWaitsIsStickyHoweverSmall) {
  Guard guard;
  guard.BeginPass(1000);
  guard.Hold(Of("a", 1), "too many");
  guard.BeginInterval();
  const Guard::Verdict verdict = guard.JudgeLater(Of("a", 1));
  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.reason, "too many");
  // Others are judged by themselves.
  EXPECT_TRUE(guard.JudgeLater(Of("b", 1)).allowed);
  EXPECT_TRUE(guard.Withdraw(Of("a", 1).target));
  EXPECT_FALSE(guard.Withdraw(Of("a", 1).target));
  EXPECT_TRUE(guard.JudgeLater(Of("a", 1)).allowed);
}

TEST(Guard, TheReasonCountsWhatHasComeToWaitSince) {
  Guard guard;
  guard.SetLimits({2, 1});
  guard.Hold(Of("a", 1), "2 grants and 1 before");
  EXPECT_EQ(guard.ReasonNow(), "2 grants and 1 before");
  guard.Hold(Of("b", 4), "4 grants");
  EXPECT_EQ(guard.ReasonNow(), "5 grants would be removed, more than guard.maxRemovedGrants (2)");
  EXPECT_EQ(guard.reason(), "4 grants");
}

TEST(Guard, TheDigestNamesExactlyWhatWaits) {
  Guard guard;
  EXPECT_EQ(guard.Digest(), "");
  guard.Hold(Of("a", 3), "r");
  guard.Hold(Of("b", 1), "r");
  const std::string digest = guard.Digest();
  EXPECT_THAT(digest, SizeIs(12));
  EXPECT_EQ(guard.HeldGrants(), 4);

  Guard other;
  Removals reversed = Of("a", 3);
  std::reverse(reversed.grants.begin(), reversed.grants.end());
  other.Hold(Of("b", 1), "another reason");
  other.Hold(reversed, "r");
  EXPECT_EQ(other.Digest(), digest) << "neither order nor reason is part of it";
  other.Hold(Of("b", 1, 5), "r");
  EXPECT_NE(other.Digest(), digest) << "another grant is";
}

TEST(Guard, ApprovalLetsThroughExactlyWhatItNames) {
  Guard guard;
  guard.SetLimits({0, 0});
  guard.BeginPass(1000);
  guard.Hold(Of("a", 3), "r");
  EXPECT_THAT(guard.Approve("000000000000"), IsEmpty());
  EXPECT_THAT(guard.Approve(""), IsEmpty());
  EXPECT_TRUE(guard.IsHeld(Of("a", 0).target));

  const std::vector<Target> released = guard.Approve(guard.Digest());
  ASSERT_THAT(released, SizeIs(1));
  EXPECT_EQ(released[0].name, "a");
  EXPECT_EQ(guard.Digest(), "");
  EXPECT_TRUE(guard.JudgeLater(Of("a", 3)).allowed);
  EXPECT_TRUE(guard.JudgeLater(Of("a", 2)).allowed) << "less than was approved";
  EXPECT_FALSE(guard.JudgeLater(Of("a", 4)).allowed) << "one more than was approved";
  EXPECT_FALSE(guard.JudgeLater(Of("b", 3)).allowed) << "another target";
}

TEST(Guard, AnApprovalDoesNotOutliveItsUse) {
  Guard guard;
  guard.SetLimits({0, 0});
  guard.BeginPass(1000);
  guard.Hold(Of("a", 3), "r");
  ASSERT_THAT(guard.Approve(guard.Digest()), SizeIs(1));
  guard.Spend(Of("a", 3));
  EXPECT_TRUE(guard.JudgeLater(Of("b", 0)).allowed);
  guard.CarriedOut(Of("a", 0).target);
  EXPECT_FALSE(guard.JudgeLater(Of("a", 3)).allowed);
}

TEST(Guard, ApprovedRemovalsDoNotCount) {
  Guard guard;
  guard.SetLimits({5, 1});
  guard.BeginPass(1000);
  guard.RestoreApproval(Of("a", 0).target, Of("a", 100).grants);
  EXPECT_TRUE(guard.IsApproved(Of("a", 100)));
  guard.Spend(Of("a", 100));
  EXPECT_TRUE(guard.JudgeLater(Of("b", 5)).allowed);
  EXPECT_TRUE(guard.Judge({Of("a", 100), Of("b", 5)}).allowed);
  EXPECT_FALSE(guard.Judge({Of("a", 100), Of("b", 6)}).allowed);
}

TEST(Guard, TellsPeopleWhatWaits) {
  Guard guard;
  Removals restriction = Of("dashboard:d", 1);
  restriction.target = {"RestrictionPolicy", "monitoring", "dashboard:d"};
  guard.Hold(Of("a", 1), "r");
  guard.Hold(restriction, "r");
  EXPECT_EQ(CanonicalJson(guard.Items()),
            R"([{"kind":"Kind","removes":[{"member":"user:u0@example.com","role":"role"}],)"
            R"("resources":["m-a"],"scope":"","target":"a"},)"
            R"({"kind":"RestrictionPolicy","removes":[{"principal":"user:u0@example.com",)"
            R"("relation":"role"}],"resources":["m-dashboard:d"],"scope":"monitoring",)"
            R"("target":"dashboard:d"}])");
}

}  // namespace
}  // namespace bindery
