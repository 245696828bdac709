// What a service that stores grants without their conditions is taken for.

#include "controller/dropped_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/status.h"
#include "providers/kinds.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr const char* kTarget = "projects/acme/locations/global/authorizationPolicies/p";
constexpr const char* kRole = "roles/viewer";
constexpr const char* kAna = "user:ana@example.com";
const Condition kSoon{"request.time < timestamp(\"2030-01-01T00:00:00Z\")", "soon", ""};
const Condition kRenamed{kSoon.expression, "Soon", "reworded"};
const Grant kTimed{kRole, kAna, kSoon};
const Grant kAlways{kRole, kAna, {}};

void PutOnTarget(CheckJob& job) {
  job.kind = KnownKinds().FindByName("AuthorizationPolicyIamBinding");
  job.target = {job.kind->schema().token.kind, "", kTarget};
}

TEST(DroppedConditionsIn, AreTheGrantsThatCameBackWithoutACondition) {
  struct Case {
    const char* why;
    std::vector<Grant> before;
    std::vector<Grant> adds;
    std::vector<Grant> after;
    bool dropped;
  };
  const Case cases[] = {
      {"stored without it", {}, {kTimed}, {kAlways}, true},
      {"stored in other capitals", {}, {kTimed}, {{kRole, "user:Ana@example.com", {}}}, true},
      {"stored as it is", {}, {kTimed}, {kTimed}, false},
      {"stored with other words", {}, {kTimed}, {{kRole, kAna, kRenamed}}, false},
      {"not stored at all", {}, {kTimed}, {}, false},
      {"stored for another one", {}, {kTimed}, {{kRole, "user:ben@example.com", {}}}, false},
      {"held always before", {kAlways}, {kTimed}, {kAlways}, false},
      {"asked for in both ways", {}, {kTimed, kAlways}, {kAlways}, false},
      {"asked for without a condition", {}, {kAlways}, {kAlways}, false},
  };
  for (const Case& one : cases) {
    const auto check = std::make_shared<CheckJob>();
    PutOnTarget(*check);
    WriteJob job;
    job.check = check;
    job.before.grants = one.before;
    job.plan.adds = one.adds;
    Observation after;
    after.grants = one.after;
    EXPECT_EQ(!DroppedConditionsIn(job, after).empty(), one.dropped) << one.why;
  }
}

class RefuseDroppedConditionsTest : public ::testing::Test {
 protected:
  RefuseDroppedConditionsTest() {
    PutOnTarget(job_);
    job_.dropped = {kTimed};
    desired_.claims.push_back({"a", {kTarget, kRole, {kTimed}}});
    plan_.adds = {kTimed, {kRole, "user:ben@example.com", kSoon}};
  }

  CheckJob job_;
  Desired desired_;
  Observation seen_;
  TargetPlan plan_;
};

TEST_F(RefuseDroppedConditionsTest, TheGrantIsTakenBackAndNotWrittenAgain) {
  seen_.grants = {kAlways};
  RefuseDroppedConditions(job_, desired_, seen_, plan_);
  EXPECT_THAT(plan_.adds, ElementsAre(Grant{kRole, "user:ben@example.com", kSoon}));
  EXPECT_THAT(plan_.removes, ElementsAre(kAlways));
  ASSERT_EQ(plan_.impossible.size(), 1U);
  EXPECT_EQ(plan_.impossible[0].first, "a");
  EXPECT_EQ(plan_.impossible[0].second.reason, reason::kConditionDropped);
  EXPECT_EQ(plan_.impossible[0].second.state, ResourceState::kStalled);
}

TEST_F(RefuseDroppedConditionsTest, WhatTheDifferenceRemovesAlreadyIsRemovedOnce) {
  seen_.grants = {kAlways};
  plan_.removes = {kAlways};
  RefuseDroppedConditions(job_, desired_, seen_, plan_);
  EXPECT_THAT(plan_.removes, ElementsAre(kAlways));
}

TEST_F(RefuseDroppedConditionsTest, AGrantThatAManifestDeclaresWithoutAConditionStays) {
  seen_.grants = {kAlways};
  desired_.claims.push_back({"b", {kTarget, kRole, {kAlways}}});
  RefuseDroppedConditions(job_, desired_, seen_, plan_);
  EXPECT_THAT(plan_.removes, IsEmpty());
}

TEST_F(RefuseDroppedConditionsTest, AnotherConditionIsTried) {
  plan_.adds = {{kRole, kAna, kRenamed}};
  RefuseDroppedConditions(job_, desired_, seen_, plan_);
  EXPECT_THAT(plan_.adds, ElementsAre(Grant{kRole, kAna, kRenamed}));
  EXPECT_THAT(plan_.impossible, IsEmpty());
}

TEST(DroppedConditions, EachIsKnownOnceUntilTheTargetIsForgotten) {
  DroppedConditions known;
  const TargetKey key(Target{"Kind", "name", ""});
  known.Note(key, {});
  known.Note(key, {kTimed});
  known.Note(key, {kTimed, kAlways});
  EXPECT_THAT(known.Of(key), UnorderedElementsAre(kTimed, kAlways));
  known.Forget(key);
  EXPECT_THAT(known.Of(key), IsEmpty());
}

}  // namespace
}  // namespace bindery
