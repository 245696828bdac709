#include "controller/foreseen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Target kForeseenTarget{"Kind", "", "t"};
const Grant kAnasGrant{"role", "user:ana@example.com"};
const Grant kEvesGrant{"role", "user:eve@example.com"};

WriteResult Landed() {
  WriteResult result;
  result.written = Observation{};
  return result;
}

TEST(ForeseenTargets, WhatOneWriteAddsAndTheNextRemovesIsNeither) {
  ForeseenTargets foreseen;
  TargetPlan first;
  first.adds = {kAnasGrant, kEvesGrant};
  foreseen.NoteWritten(kForeseenTarget, first, Landed());
  TargetPlan second;
  second.removes = {kEvesGrant};
  foreseen.NoteWritten(kForeseenTarget, second, Landed());
  EXPECT_THAT(foreseen.all().at(kForeseenTarget).adds, ElementsAre(kAnasGrant));
  EXPECT_THAT(foreseen.all().at(kForeseenTarget).removes, IsEmpty());
}

TEST(ForeseenTargets, AWriteThatWouldFailChangesNothing) {
  ForeseenTargets foreseen;
  TargetPlan plan;
  plan.adds = {kAnasGrant};
  WriteResult refused;
  refused.written = Fail(Code::kPermissionDenied, "no");
  foreseen.NoteWritten(kForeseenTarget, plan, refused);
  EXPECT_THAT(foreseen.all().at(kForeseenTarget).adds, IsEmpty());
  ASSERT_TRUE(foreseen.all().at(kForeseenTarget).unwritten.has_value());
  EXPECT_EQ(foreseen.all().at(kForeseenTarget).unwritten->code, Code::kPermissionDenied);
}

TEST(ForeseenTargets, TheLastReadingSaysWhetherItCouldBeRead) {
  ForeseenTargets foreseen;
  CheckResult result;
  result.observed = Fail(Code::kUnavailable, "away");
  foreseen.NoteRead(kForeseenTarget, result);
  EXPECT_TRUE(foreseen.all().at(kForeseenTarget).unread.has_value());
  result.observed = Observation{};
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
  work.decision.kept = {kEvesGrant};
  foreseen.Judged(work);
  EXPECT_EQ(foreseen.all().at(kForeseenTarget).grants, 1U);
  EXPECT_THAT(foreseen.all().at(kForeseenTarget).kept, ElementsAre(kEvesGrant));
}

}  // namespace
}  // namespace bindery
