#include "controller/guard/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using testing::At;
using testing::Because;
using testing::CarryOut;
using testing::Caused;
using testing::Limits;
using testing::MayGo;
using testing::Of;
using testing::ReasonAgainst;
using ::testing::SizeIs;
using testing::Weighing;

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
  guard.SetLimits(Limits(GetParam().max, GetParam().fraction));
  guard.recent().BeginPass(GetParam().held_before);
  std::vector<Removals> together;
  for (int i = 0; i < GetParam().removals; ++i) together.push_back(Of("t" + std::to_string(i), 1));
  EXPECT_EQ(ReasonAgainst(guard, together), GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GuardLimit,
    ::testing::Values(
        LimitCase{"AtTheLimit", "as many as the limit may go", 50, 1, 1000, 50, ""},
        LimitCase{"OverTheLimit", "one more may not", 50, 1, 1000, 51,
                  "51 grants would be removed, more than guard.maxRemovedGrants (50)"},
        LimitCase{"TenOfFortyOne", "less than a quarter", 50, 0.25, 41, 10, ""},
        LimitCase{"TenOfForty", "a quarter exactly", 50, 0.25, 40, 10, ""},
        LimitCase{"TenOfThirtyNine", "more than a quarter", 50, 0.25, 39, 10,
                  "10 grants would be removed of the 39 the directory held, more than "
                  "guard.maxRemovedFraction (0.25)"},
        LimitCase{"NineOfEighteen", "few pass up to half", 50, 0.25, 18, 9, ""},
        LimitCase{"NineOfSixteen", "and no further", 50, 0.25, 16, 9,
                  "9 grants would be removed of the 16 the directory held, more than half of them "
                  "and guard.maxRemovedFraction (0.25)"},
        LimitCase{"FourOfSeven", "half is rounded up", 50, 0.25, 7, 4, ""},
        LimitCase{"FiveOfSeven", "a small directory is bounded too", 50, 0.25, 7, 5,
                  "5 grants would be removed of the 7 the directory held, more than half of them "
                  "and guard.maxRemovedFraction (0.25)"},
        LimitCase{"ThreeOfThree", "three always pass", 50, 0.25, 3, 3, ""},
        LimitCase{"FourOfFour", "four do not", 50, 0.25, 4, 4,
                  "4 grants would be removed of the 4 the directory held, more than half of them "
                  "and guard.maxRemovedFraction (0.25)"},
        LimitCase{"FourOfFourAtOne", "the whole of it is allowed", 50, 1, 4, 4, ""},
        LimitCase{"TwentyOfFourAtOne", "so is more than that, as grants come and go", 50, 1, 4, 20,
                  ""},
        LimitCase{"NothingHeld", "there is nothing to be a fraction of", 50, 0.25, 0, 20, ""},
        LimitCase{"ZeroAllowed", "a limit of 0 holds every removal", 0, 1, 1000, 1,
                  "1 grant would be removed, more than guard.maxRemovedGrants (0)"},
        LimitCase{"Nothing", "nothing is always allowed", 0, 0, 1000, 0, ""}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Guard, WhatWasRemovedCountsUntilTheWindowHasPassed) {
  Guard guard;
  guard.recent().PassTime(At(0));
  guard.recent().BeginPass(1000);
  CarryOut(guard, Of("a", 30));
  EXPECT_TRUE(MayGo(guard, Of("b", 20)));
  EXPECT_EQ(ReasonAgainst(guard, {Of("b", 21)}),
            "51 grants would be removed within 1h (30 already are), more than "
            "guard.maxRemovedGrants (50)");
  guard.recent().BeginPass(1000);
  guard.recent().PassTime(At(59));
  EXPECT_FALSE(MayGo(guard, Of("b", 21))) << "neither a new generation nor time alone ends it";
  guard.recent().PassTime(At(60));
  EXPECT_TRUE(MayGo(guard, Of("b", 21)));
}

TEST(Guard, TheFractionIsOfTheMostTheDirectoryHeldInTheWindow) {
  Guard guard;
  guard.recent().PassTime(At(0));
  int removed = 0;
  for (int i = 0; i < 138; ++i) {
    guard.recent().BeginPass(138 - i);
    const Removals one = Of("t" + std::to_string(i), 1);
    if (!MayGo(guard, one)) break;
    CarryOut(guard, one);
    ++removed;
  }
  EXPECT_EQ(removed, 34) << "a quarter of 138, file by file";
}

TEST(Guard, ARepeatedAttemptCountsOnce) {
  Guard guard;
  guard.recent().BeginPass(1000);
  guard.LetGo(Of("a", 30));
  guard.recent().Sent(Of("a", 0).target);
  guard.recent().Answered(Of("a", 0).target, RecentRemovals::Outcome::kNothingHappened);
  EXPECT_TRUE(MayGo(guard, Of("a", 30)));
  guard.LetGo(Of("a", 30));
  EXPECT_TRUE(MayGo(guard, Of("b", 20)));
  EXPECT_FALSE(MayGo(guard, Of("b", 21)));
}

TEST(Guard, AnAttemptOfUnknownOutcomeCountsBesideTheNext) {
  Guard guard;
  guard.recent().BeginPass(1000);
  guard.LetGo(Of("a", 30));
  guard.recent().Sent(Of("a", 0).target);
  guard.recent().Answered(Of("a", 0).target, RecentRemovals::Outcome::kMayHaveHappened);
  const auto more = [](int count) {
    Removals removals = Of("a", count);
    removals.declared = 1000;
    return removals;
  };
  EXPECT_TRUE(MayGo(guard, more(20)));
  EXPECT_FALSE(MayGo(guard, more(21)));
}

TEST(Guard, WhatWaitsIsToldByOneCountHoweverManyCameLater) {
  Guard guard;
  guard.recent().BeginPass(1000);
  GuardLimits limits;
  limits.max_removed_grants = 3;
  guard.SetLimits(limits);
  CarryOut(guard, Of("a", 3));
  for (const char* target : {"b", "c", "d"}) {
    const auto decision = guard.Judge({Of(target, 3)}, {0, nullptr}).front();
    guard.held().Hold(decision.wait, decision.reasons);
  }
  const std::string reason =
      "12 grants would be removed within 1h (3 already are), more than guard.maxRemovedGrants (3)";
  EXPECT_EQ(guard.held().Grants(), 9);
  EXPECT_EQ(guard.held().Reason(), reason);
  for (const char* target : {"b", "c", "d"})
    EXPECT_EQ(guard.held().GetReason(Of(target, 1).target), reason);
  const auto again = guard.Judge({Of("b", 4)}, {0, nullptr}).front();
  EXPECT_EQ(InWords(again.reasons),
            "13 grants would be removed within 1h (3 already are), more than "
            "guard.maxRemovedGrants (3)");
}

TEST(Guard, WhatWaitsAndWhatIsExpectedCount) {
  Guard guard;
  guard.recent().BeginPass(1000);
  guard.held().Hold(Of("a", 45), Because("r"));
  EXPECT_TRUE(MayGo(guard, Of("b", 5)));
  EXPECT_EQ(ReasonAgainst(guard, {Of("b", 6)}),
            "51 grants would be removed, more than guard.maxRemovedGrants (50)");
  const auto decisions = guard.Judge({Of("b", 5)}, {1, nullptr});
  EXPECT_FALSE(decisions.front().allowed()) << "a target still to be read asks for one";
}

TEST(Guard, WhatOthersCausedIsMeasuredApart) {
  Guard guard;
  guard.recent().PassTime(At(0));
  guard.recent().BeginPass(1000);
  CarryOut(guard, Of("a", 50));
  guard.held().Hold(Of("b", 100), Because("r"));
  const Removals foreign = Caused(RemovalCause::kForeign, Of("c", 50));
  EXPECT_TRUE(MayGo(guard, foreign)) << "no hold of the directory's keeps an intruder's grant";
  EXPECT_FALSE(MayGo(guard, Caused(RemovalCause::kForeign, Of("c", 51))));
  CarryOut(guard, foreign);
  EXPECT_FALSE(MayGo(guard, Caused(RemovalCause::kForeign, Of("d", 1))));
  guard.recent().PassTime(At(5));
  EXPECT_TRUE(MayGo(guard, Caused(RemovalCause::kForeign, Of("d", 50)))) << "an interval later";
}

TEST(Guard, WhatOthersCausedIsNoPartOfTheDirectorysNumber) {
  Guard guard;
  guard.recent().PassTime(At(0));
  guard.recent().BeginPass(1000);
  CarryOut(guard, Caused(RemovalCause::kForeign, Of("c", 50)));
  EXPECT_TRUE(MayGo(guard, Of("a", 50)));
  EXPECT_FALSE(MayGo(guard, Of("a", 51)));
}

TEST(Guard, AGroupOfKindsHasALimitOfItsOwn) {
  Guard guard;
  GuardLimits limits = Limits(50, 0.25);
  limits.groups = {{"guard.maxRemovedFromContainers", {"Pro?ect", "Folder"}, 3}, {"none", {}, 0}};
  guard.SetLimits(limits);
  guard.recent().PassTime(At(0));
  guard.recent().BeginPass(1000);
  const auto of = [](const char* kind, const char* target, int count) {
    Removals removals = Of(target, count);
    removals.target.kind = kind;
    return removals;
  };
  EXPECT_TRUE(MayGo(guard, Of("topic", 20))) << "another kind";
  EXPECT_TRUE(MayGo(guard, of("Project", "p", 3)));
  EXPECT_EQ(ReasonAgainst(guard, {of("Project", "p", 2), of("Folder", "f", 2)}),
            "4 grants would be removed, more than guard.maxRemovedFromContainers (3)");
  EXPECT_FALSE(MayGo(guard, Caused(RemovalCause::kAdoption, of("Project", "p", 4))));
  EXPECT_TRUE(MayGo(guard, Caused(RemovalCause::kForeign, of("Project", "p", 4))))
      << "what others granted counts apart";
  CarryOut(guard, of("Project", "p", 2));
  CarryOut(guard, Of("topic", 20));
  EXPECT_TRUE(MayGo(guard, of("Folder", "f", 1)));
  EXPECT_EQ(ReasonAgainst(guard, {of("Folder", "f", 2)}),
            "4 grants would be removed within 1h (2 already are), more than "
            "guard.maxRemovedFromContainers (3)");
  guard.held().Hold(of("Project", "q", 1), Because("r"));
  EXPECT_FALSE(MayGo(guard, of("Folder", "f", 1))) << "what waits counts";
  guard.recent().PassTime(At(60));
  EXPECT_TRUE(MayGo(guard, of("Folder", "f", 2)));
}

TEST(Guard, WhatWasNotDeclaredIsNoPartOfTheFraction) {
  Guard guard;
  guard.recent().BeginPass(20);
  EXPECT_TRUE(MayGo(guard, Caused(RemovalCause::kAdoption, Of("a", 15))));
  EXPECT_FALSE(MayGo(guard, Caused(RemovalCause::kAdoption, Of("a", 51)))) << "but of the number";
  EXPECT_FALSE(MayGo(guard, Caused(RemovalCause::kRollback, Of("a", 15))));
  EXPECT_FALSE(MayGo(guard, Caused(RemovalCause::kExpiry, Of("a", 15))));
}

TEST(Guard, TheFractionHoldsForATargetAndAProvider) {
  Guard guard;
  guard.recent().PassTime(At(0));
  guard.recent().BeginPass(1000);
  Removals ten = Of("a", 10);
  ten.declared = 40;
  EXPECT_TRUE(MayGo(guard, ten));
  ten.declared = 39;
  EXPECT_EQ(ReasonAgainst(guard, {ten}),
            "10 grants would be removed of the 39 the directory on this target held, more than "
            "guard.maxRemovedFraction (0.25)");
  const Guard::Context context{0, [](const std::string& /*provider*/) { return 36; }};
  const Removals five = Of("b", 5);
  const Removals six = Of("c", 6);
  EXPECT_TRUE(guard.Judge({five}, context).front().allowed());
  const auto both = guard.Judge({five, six}, context);
  EXPECT_FALSE(both.front().allowed());
  EXPECT_EQ(InWords(both.back().reasons),
            "11 grants would be removed of the 36 the directory on provider p held, more than "
            "guard.maxRemovedFraction (0.25)");
  CarryOut(guard, six);
  EXPECT_FALSE(guard.Judge({five}, context).front().allowed())
      << "one after the other is no other matter";
}

TEST(Guard, AGraveLossWaitsWhateverItsNumber) {
  Guard guard;
  guard.recent().BeginPass(1000);
  const Removals grave = Weighing(Severity::kCritical, Of("a", 1));
  EXPECT_EQ(ReasonAgainst(guard, {grave}),
            "a loss of severity high or worse waits for approval, by guard.holdSeverity");
  EXPECT_TRUE(MayGo(guard, Weighing(Severity::kMedium, Of("a", 1))));
  for (const RemovalCause cause : {RemovalCause::kAdoption, RemovalCause::kForeign,
                                   RemovalCause::kExpiry, RemovalCause::kRollback}) {
    EXPECT_TRUE(MayGo(guard, Caused(cause, grave))) << ToString(cause);
  }
  GuardLimits limits;
  limits.hold_severity.reset();
  guard.SetLimits(limits);
  EXPECT_TRUE(MayGo(guard, grave));
}

TEST(Guard, TheRestOfATargetGoesBesideAGraveLoss) {
  Guard guard;
  guard.recent().BeginPass(1000);
  Removals mixed = Of("a", 3);
  mixed.grants[1].severity = Severity::kHigh;
  const auto decision = guard.Judge({mixed}, {}).front();
  EXPECT_THAT(decision.go.grants, SizeIs(2));
  ASSERT_THAT(decision.wait.grants, SizeIs(1));
  EXPECT_EQ(decision.wait.grants[0].grant.principal, "user:u1@example.com");
}

}  // namespace
}  // namespace bindery::controller
