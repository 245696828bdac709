#include "controller/engine/foreseen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Target kForeseenTarget{"Kind", "", "t"};
const Grant kAnasGrant{"role", "user:ana@example.com"};
const Grant kEvesGrant{"role", "user:eve@example.com"};

WriteResult Landed() {
  WriteResult result;
  result.written = reconcilers::Observation{};
  return result;
}

reconcilers::TargetPlan WrittenIn(const ForeseenTargets& foreseen) {
  return foreseen.all().at(kForeseenTarget).written;
}

reconcilers::GrantChange Replacing(const Grant& before, const Grant& grant) {
  reconcilers::GrantChange change;
  change.action = reconcilers::ChangeAction::kReplace;
  change.before = before;
  change.grant = grant;
  return change;
}

TEST(ForeseenTargets, WritesThatFollowOneAnotherAreOneChange) {
  const Grant first{"role", "user:ana@example.com", Condition{"a", "", ""}};
  const Grant second{"role", "user:ana@example.com", Condition{"b", "", ""}};
  struct Case {
    const char* why;
    reconcilers::TargetPlan one;
    reconcilers::TargetPlan two;
    std::vector<Grant> adds;
    std::vector<Grant> removes;
  };
  const Case cases[] = {
      {"replaced twice",
       {{Replacing(first, second)}},
       {{Replacing(second, kAnasGrant)}},
       {kAnasGrant},
       {first}},
      {"replaced and back", {{Replacing(first, second)}}, {{Replacing(second, first)}}, {}, {}},
      {"added and replaced",
       reconcilers::ComposePlan({first}, {}),
       {{Replacing(first, second)}},
       {second},
       {}},
      {"replaced and removed",
       {{Replacing(first, second)}},
       reconcilers::ComposePlan({}, {second}),
       {},
       {first}},
      {"removed and added",
       reconcilers::ComposePlan({}, {first}),
       reconcilers::ComposePlan({first}, {}),
       {},
       {}},
  };
  for (const Case& one : cases) {
    ForeseenTargets foreseen;
    foreseen.NoteWritten(kForeseenTarget, one.one, Landed());
    foreseen.NoteWritten(kForeseenTarget, one.two, Landed());
    EXPECT_EQ(WrittenIn(foreseen).adds(), one.adds) << one.why;
    EXPECT_EQ(WrittenIn(foreseen).removes(), one.removes) << one.why;
    EXPECT_LE(WrittenIn(foreseen).changes.size(), 1U) << one.why;
  }
}

TEST(ForeseenTargets, WhatOneWriteAddsAndTheNextRemovesIsNeither) {
  ForeseenTargets foreseen;
  foreseen.NoteWritten(kForeseenTarget, reconcilers::ComposePlan({kAnasGrant, kEvesGrant}, {}),
                       Landed());
  foreseen.NoteWritten(kForeseenTarget, reconcilers::ComposePlan({}, {kEvesGrant}), Landed());
  EXPECT_THAT(WrittenIn(foreseen).adds(), ElementsAre(kAnasGrant));
  EXPECT_THAT(WrittenIn(foreseen).removes(), IsEmpty());
}

TEST(ForeseenTargets, AWriteThatWouldFailChangesNothing) {
  ForeseenTargets foreseen;
  const reconcilers::TargetPlan plan = reconcilers::ComposePlan({kAnasGrant}, {});
  WriteResult refused;
  refused.written = Fail(Code::kPermissionDenied, "no");
  foreseen.NoteWritten(kForeseenTarget, plan, refused);
  EXPECT_THAT(WrittenIn(foreseen).changes, IsEmpty());
  ASSERT_TRUE(foreseen.all().at(kForeseenTarget).unwritten.has_value());
  EXPECT_EQ(foreseen.all().at(kForeseenTarget).unwritten->code, Code::kPermissionDenied);
}

TEST(ForeseenTargets, TheLastReadingSaysWhetherItCouldBeRead) {
  ForeseenTargets foreseen;
  CheckResult result;
  result.observed = Fail(Code::kUnavailable, "away");
  foreseen.NoteRead(kForeseenTarget, result);
  EXPECT_TRUE(foreseen.all().at(kForeseenTarget).unread.has_value());
  result.observed = reconcilers::Observation{};
  foreseen.NoteRead(kForeseenTarget, result);
  EXPECT_FALSE(foreseen.all().at(kForeseenTarget).unread.has_value());
}

TEST(ForeseenTargets, WhatItHeldIsWhatTheFirstComparisonFound) {
  ForeseenTargets foreseen;
  TargetUnderWork work;
  CheckJob job;
  job.target = kForeseenTarget;
  work.job = std::make_shared<const CheckJob>(job);
  work.reading.seen.exists = true;
  work.reading.seen.grants = {kAnasGrant};
  foreseen.Judged(work);
  work.reading.seen.grants = {kAnasGrant, kEvesGrant};
  work.plan = reconcilers::ComposePlan({}, {kEvesGrant});
  work.plan.changes[0].Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kGuard,
                             {reconcilers::ReasonCode::kOverLimits});
  foreseen.Judged(work);
  EXPECT_EQ(foreseen.all().at(kForeseenTarget).grants, 1U);
  ASSERT_EQ(foreseen.all().at(kForeseenTarget).plan.changes.size(), 1U);
  EXPECT_TRUE(
      foreseen.all().at(kForeseenTarget).plan.changes[0].IsStoppedBy(reconcilers::Gate::kGuard));
}

}  // namespace
}  // namespace bindery::controller
