// What a service that stores grants without their conditions is taken for.

#include "controller/gates/dropped_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/gates/gate.h"
#include "controller/gates/grants_digest.h"
#include "core/access/status.h"
#include "fakes/engine_words.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using testing::kAna;

constexpr const char* kTarget = "projects/acme/locations/global/authorizationPolicies/p";
constexpr const char* kRole = "roles/viewer";
const Condition kSoon{"request.time < timestamp(\"2030-01-01T00:00:00Z\")", "soon", ""};
const Condition kRenamed{kSoon.expression, "Soon", "reworded"};
const Grant kTimed{kRole, kAna, kSoon};
const Grant kAlways{kRole, kAna, {}};

void PutOnTarget(CheckJob& job) {
  job.kind = providers::KnownKinds().FindByName("AuthorizationPolicyIamBinding");
  job.target = {job.kind->schema().token.kind, "", kTarget};
}

enum class Drops { kNo, kBrings, kHeldBefore };

TEST(DroppedConditionsIn, AreTheGrantsThatCameBackWithoutACondition) {
  struct Case {
    const char* why;
    std::vector<Grant> before;
    std::vector<Grant> adds;
    std::vector<Grant> after;
    Drops drops;
    std::vector<Grant> earlier = {};  ///< Of a write before, not taken back yet.
  };
  const Case cases[] = {
      {"stored without it", {}, {kTimed}, {kAlways}, Drops::kBrings},
      {"in other capitals", {}, {kTimed}, {{kRole, "user:Ana@example.com", {}}}, Drops::kBrings},
      {"stored as it is", {}, {kTimed}, {kTimed}, Drops::kNo},
      {"stored with other words", {}, {kTimed}, {{kRole, kAna, kRenamed}}, Drops::kNo},
      {"not stored at all", {}, {kTimed}, {}, Drops::kNo},
      {"stored for another one", {}, {kTimed}, {{kRole, "user:ben@example.com", {}}}, Drops::kNo},
      {"held always before", {kAlways}, {kTimed}, {kAlways}, Drops::kHeldBefore},
      {"held always by a write before", {kAlways}, {kTimed}, {kAlways}, Drops::kBrings, {kTimed}},
      {"asked for in both ways", {}, {kTimed, kAlways}, {kAlways}, Drops::kNo},
      {"asked for without a condition", {}, {kAlways}, {kAlways}, Drops::kNo},
  };
  for (const Case& one : cases) {
    const auto check = std::make_shared<CheckJob>();
    PutOnTarget(*check);
    for (const Grant& grant : one.earlier) check->conditional.push_back({grant});
    WriteJob job;
    job.check = check;
    job.before.grants = one.before;
    job.plan = reconcilers::ComposePlan(one.adds, {});
    reconcilers::Observation after;
    after.grants = one.after;
    const auto dropped = DroppedConditionsIn(job, after);
    const Drops drops = dropped.empty()               ? Drops::kNo
                        : dropped.front().held_before ? Drops::kHeldBefore
                                                      : Drops::kBrings;
    EXPECT_EQ(drops, one.drops) << one.why;
  }
}

class RefuseDroppedConditionsTest : public ::testing::Test {
 protected:
  RefuseDroppedConditionsTest() {
    PutOnTarget(job_);
    job_.dropped = {{kTimed}};
    desired_.claims.push_back({"a", {kTarget, kRole, {kTimed}}});
    plan_ = reconcilers::ComposePlan({kTimed, {kRole, "user:ben@example.com", kSoon}}, {});
  }

  [[nodiscard]] std::vector<std::pair<std::string, ResourceStatus>> Refusals() const {
    return ListRefusals(job_, plan_, desired_);
  }

  CheckJob job_;
  reconcilers::Desired desired_;
  reconcilers::Observation seen_;
  reconcilers::TargetPlan plan_;
};

TEST_F(RefuseDroppedConditionsTest, TheGrantIsNotWrittenAgain) {
  RefuseDroppedConditions({job_, desired_, seen_}, plan_);
  EXPECT_THAT(plan_.adds(), ElementsAre(Grant{kRole, "user:ben@example.com", kSoon}));
  EXPECT_THAT(plan_.removes(), IsEmpty());
  ASSERT_EQ(Refusals().size(), 1U);
  EXPECT_EQ(Refusals()[0].first, "a");
  EXPECT_EQ(Refusals()[0].second.reason, reason::kConditionDropped);
  EXPECT_EQ(Refusals()[0].second.state, ResourceState::kStalled);
}

TEST_F(RefuseDroppedConditionsTest, WhatWasHeldBeforeIsNotRemovedForItsSake) {
  plan_ = reconcilers::ComposePlan({kTimed}, {kAlways});
  RefuseDroppedConditions({job_, desired_, seen_}, plan_);
  EXPECT_THAT(plan_.removes(), ElementsAre(kAlways)) << "somebody else's";
  plan_ = reconcilers::ComposePlan({kTimed}, {kAlways});
  job_.dropped = {{kTimed, /*held_before=*/true}};
  RefuseDroppedConditions({job_, desired_, seen_}, plan_);
  EXPECT_THAT(plan_.removes(), IsEmpty());
}

TEST_F(RefuseDroppedConditionsTest, WhatMustNotBeTakenBackIsSaidToStay) {
  seen_.grants = {kAlways};
  RefuseDroppedConditions({job_, desired_, seen_}, plan_);
  ASSERT_EQ(Refusals().size(), 1U);
  EXPECT_THAT(Refusals()[0].second.message, HasSubstr("the grant is taken back"));
  plan_ = reconcilers::ComposePlan({kTimed}, {});
  plan_.changes[0].resource = "a";
  desired_.claims[0].treatment = reconcilers::ManagementPolicy::kObserve;
  RefuseDroppedConditions({job_, desired_, seen_}, plan_);
  ASSERT_EQ(Refusals().size(), 1U);
  EXPECT_THAT(Refusals()[0].second.message, HasSubstr("the grant stays"));
}

TEST_F(RefuseDroppedConditionsTest, AnotherConditionIsTried) {
  plan_ = reconcilers::ComposePlan({{kRole, kAna, kRenamed}}, {});
  RefuseDroppedConditions({job_, desired_, seen_}, plan_);
  EXPECT_THAT(plan_.adds(), ElementsAre(Grant{kRole, kAna, kRenamed}));
  EXPECT_THAT(Refusals(), IsEmpty());
}

class TooWideTest : public RefuseDroppedConditionsTest {
 protected:
  TooWideTest() { seen_.grants = {kAlways, {kRole, "user:ben@example.com", {}}}; }
  [[nodiscard]] std::vector<Grant> TooWide(const std::string& dropped = "") const {
    std::vector<Grant> grants;
    for (const store::ConditionalGrant& one :
         TooWideIn(job_, desired_, seen_, {{kTimed, dropped}})) {
      grants.push_back(one.grant);
    }
    return grants;
  }
  [[nodiscard]] std::vector<Grant> TakeBacks() const {
    return ListTakeBacks(job_, desired_, seen_, {{kTimed}});
  }
};

TEST_F(TooWideTest, IsWhatIsHeldWithoutItsCondition) {
  EXPECT_THAT(TooWide(), ElementsAre(kTimed));
  seen_.grants.push_back({kRole, kAna, kRenamed});
  EXPECT_THAT(TooWide(), IsEmpty()) << "it is there with the condition too";
  seen_.grants = {};
  EXPECT_THAT(TooWide(), IsEmpty());
}

TEST_F(TooWideTest, IsOnlyTheWritesOwnWorkWhereTheServiceWasNotSeenToDropIt) {
  EXPECT_THAT(TooWide(GrantsDigest(seen_)), ElementsAre(kTimed));
  const std::string dropped = GrantsDigest(seen_);
  seen_.grants.push_back({kRole, "user:eve@example.com", {}});
  EXPECT_THAT(TooWide(dropped), IsEmpty()) << "somebody else was there too";
}

TEST_F(TooWideTest, IsNothingThatAManifestDeclaresWithoutACondition) {
  desired_.claims.push_back({"b", {kTarget, kRole, {kAlways}}});
  EXPECT_THAT(TooWide(), IsEmpty());
}

TEST_F(TooWideTest, OfItTheGrantsWithoutTheConditionGo) {
  EXPECT_THAT(TakeBacks(), ElementsAre(kAlways));
}

TEST_F(TooWideTest, WhatIsOnlyObservedStays) {
  desired_.claims[0].treatment = reconcilers::ManagementPolicy::kObserve;
  EXPECT_THAT(TakeBacks(), IsEmpty());
  EXPECT_THAT(TooWide(), ElementsAre(kTimed)) << "and is not forgotten";
  desired_.claims.push_back({"b", {kTarget, "roles/browser", {}}});
  EXPECT_THAT(TakeBacks(), IsEmpty()) << "its own manifest says so";
}

TEST_F(TooWideTest, WhatNoManifestDeclaresAnyMoreGoes) {
  desired_.claims[0] = {"b", {kTarget, "roles/browser", {}}};
  EXPECT_THAT(TakeBacks(), ElementsAre(kAlways));
  desired_.claims[0].treatment = reconcilers::ManagementPolicy::kRemove;
  EXPECT_THAT(TakeBacks(), ElementsAre(kAlways));
}

TEST(DroppedConditions, WhoLostTheRoleDidNotHoldItBefore) {
  DroppedConditions known;
  const TargetKey key(Target{"Kind", "name", ""});
  known.Note(key, {{kTimed, true}});
  const reconcilers::Kind& kind =
      *providers::KnownKinds().FindByName("AuthorizationPolicyIamBinding");
  reconcilers::Observation seen;
  seen.grants = {kAlways};
  known.NoteSeen(key, kind, seen);
  EXPECT_TRUE(known.Of(key)[0].held_before);
  known.NoteSeen(key, kind, {});
  EXPECT_FALSE(known.Of(key)[0].held_before);
}

TEST(DroppedConditions, EachIsKnownOnceUntilTheTargetIsForgotten) {
  DroppedConditions known;
  const TargetKey key(Target{"Kind", "name", ""});
  known.Note(key, {});
  known.Note(key, {{kTimed}});
  known.Note(key, {{kTimed, true}, {kAlways}});
  EXPECT_THAT(known.Of(key),
              UnorderedElementsAre(DroppedCondition{kTimed, true}, DroppedCondition{kAlways}));
  known.Forget(key);
  EXPECT_THAT(known.Of(key), IsEmpty());
}

}  // namespace
}  // namespace bindery::controller
