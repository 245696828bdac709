#include "controller/catalog/scan_transaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kOne = "roles/one";
constexpr const char* kTwo = "roles/two";

struct ScanTransactionTest : public ::testing::Test, public ClaimsWorld {
  void Admit(const std::string& name, const std::string& target, const std::string& role) {
    next.accepted.push_back(
        {Declare(name, target, role), admission::Placement{At(target), "cloudnative", role, 1}});
  }
  /// Brings what was admitted into force.
  ScanOutcome Scan() {
    const ScanInput scan;
    evidence.Looked({}, "digest", now);
    ScanTransaction transaction({claims, links, ages, evidence, state, placer}, scan, now);
    transaction.TakeFormerNames();
    transaction.BringIntoForce(std::exchange(next, {}));
    return transaction.Finish(/*all_wait=*/false);
  }
  [[nodiscard]] std::vector<std::string> On(const std::string& target) const {
    const TargetEntry* entry = claims.FindTarget(At(target));
    return entry == nullptr ? std::vector<std::string>{} : entry->Names();
  }
  static std::vector<std::string> Reasons(const ScanOutcome& outcome) {
    std::vector<std::string> reasons;
    for (const Event& event : outcome.change.events) reasons.push_back(event.reason);
    return reasons;
  }
  static std::vector<std::string> Recorded(const ScanOutcome& outcome) {
    std::vector<std::string> names;
    for (const auto& snapshot : outcome.change.upsert_snapshots) names.push_back(snapshot->Name());
    return names;
  }

  CatalogSettings settings;
  ProjectNames names;
  RemovalEvidence evidence;
  ClaimAges ages{claims, evidence};
  Links links{claims, settings};
  ScanState state;
  Placer placer{kinds, settings, names};
  admission::AdmissionResult next;
  Now now{MonoTime(std::chrono::hours(1)), WallTime(std::chrono::hours(500'000))};
};

TEST_F(ScanTransactionTest, WhatIsAdmittedIsInForceRecordedAndChecked) {
  Admit("a", "t", kOne);
  const ScanOutcome outcome = Scan();
  EXPECT_THAT(On("t"), ElementsAre("a"));
  EXPECT_THAT(Recorded(outcome), ElementsAre("a"));
  EXPECT_THAT(Reasons(outcome), ElementsAre("ManifestAccepted"));
  EXPECT_THAT(outcome.changed_targets, ElementsAre(claims.FindResource("a")->place.target));
  EXPECT_EQ(outcome.declared_before, 0);
  EXPECT_TRUE(state.sound);
}

TEST_F(ScanTransactionTest, WhatDidNotChangeIsNeitherRecordedNorChecked) {
  Admit("a", "t", kOne);
  Scan();
  claims.FindTarget(At("t"))->last_synced_digest = Sha256Digest::Of("answer");
  Admit("a", "t", kOne);
  const ScanOutcome outcome = Scan();
  EXPECT_THAT(Recorded(outcome), IsEmpty());
  EXPECT_THAT(outcome.change.events, IsEmpty());
  EXPECT_THAT(outcome.changed_targets, IsEmpty());
  EXPECT_FALSE(claims.FindTarget(At("t"))->last_synced_digest.empty());
}

TEST_F(ScanTransactionTest, AManifestLeavesWhenTwoScansDidNotFindIt) {
  Admit("a", "t", kOne);
  Scan();
  next.missing = {"a"};
  ScanOutcome outcome = Scan();
  EXPECT_TRUE(outcome.confirm);
  EXPECT_FALSE(claims.FindResource("a")->leaving());
  EXPECT_THAT(state.missing_once, ElementsAre("a"));
  next.missing = {"a"};
  outcome = Scan();
  EXPECT_FALSE(outcome.confirm);
  EXPECT_TRUE(claims.FindResource("a")->leaving());
  EXPECT_THAT(Reasons(outcome), ElementsAre("ManifestRemoved"));
  EXPECT_THAT(outcome.changed_targets, ElementsAre(claims.FindResource("a")->place.target));
  EXPECT_THAT(state.missing_once, IsEmpty());
}

TEST_F(ScanTransactionTest, AClaimPassesToItsSuccessorWithoutBeingRemoved) {
  Admit("old", "t", kOne);
  Scan();
  ResourceEntry& old = *claims.FindResource("old");
  old.suspended_by_operator = true;
  old.progress.untouched = false;
  claims.FindTarget(At("t"))->calls.ever_written = true;
  Admit("new", "t", kOne);
  next.missing = {"old"};
  const ScanOutcome outcome = Scan();
  EXPECT_THAT(On("t"), ElementsAre("new"));
  EXPECT_TRUE(claims.FindTarget(At("t"))->calls.ever_written) << "the target keeps its history";
  EXPECT_TRUE(claims.FindResource("new")->suspended_by_operator);
  EXPECT_FALSE(claims.FindResource("new")->progress.untouched);
  EXPECT_THAT(outcome.change.forget_resources, ElementsAre("old"));
  EXPECT_THAT(outcome.change.forget_targets, IsEmpty());
}

TEST_F(ScanTransactionTest, TwoManifestsCanExchangeTheirClaims) {
  Admit("a", "t", kOne);
  Admit("b", "t", kTwo);
  Scan();
  Admit("a", "t", kTwo);
  Admit("b", "t", kOne);
  const ScanOutcome outcome = Scan();
  EXPECT_THAT(On("t"), ElementsAre("a", "b"));
  EXPECT_EQ(claims.FindResource("a")->place.role.str(), kTwo);
  EXPECT_EQ(claims.FindResource("b")->place.role.str(), kOne);
  EXPECT_FALSE(claims.former().Any()) << "each claim has a successor";
  EXPECT_EQ(claims.DeclaredGrants(), 2);
}

TEST_F(ScanTransactionTest, WhatAManifestClaimedBeforeLeavesUnderANameOfItsOwn) {
  Admit("a", "t", kOne);
  Scan();
  claims.FindResource("a")->progress.untouched = false;
  Admit("a", "elsewhere", kOne);
  const ScanOutcome outcome = Scan();
  ASSERT_THAT(claims.former().Of("a"), ElementsAre("a (before generation 2)"));
  const ResourceEntry& former = *claims.FindResource("a (before generation 2)");
  EXPECT_TRUE(former.leaving());
  EXPECT_FALSE(former.progress.untouched) << "what was granted in its name is to be removed";
  EXPECT_TRUE(claims.FindResource("a")->progress.untouched);
  EXPECT_THAT(On("t"), ElementsAre(former.name));
  EXPECT_THAT(On("elsewhere"), ElementsAre("a"));
  EXPECT_EQ(outcome.changed_targets.size(), 2U);
  EXPECT_EQ(Recorded(outcome).front(), "a") << "in the store the claim is free before it is taken";
}

TEST_F(ScanTransactionTest, AFormerClaimKeepsItsNameWhenAManifestIsNewUnderAnOldOne) {
  Admit("a", "t", kOne);
  Scan();
  Admit("a", "u", kOne);
  Scan();
  Admit("heir", "u", kOne);
  next.missing = {"a"};
  Scan();
  ASSERT_EQ(claims.FindResource("a"), nullptr);
  Admit("a", "v", kOne);
  Scan();
  Admit("a", "w", kOne);
  Scan();
  EXPECT_THAT(claims.former().Of("a"),
              ElementsAre("a (before generation 2)", "a (before generation 3)"));
  EXPECT_THAT(On("t"), ElementsAre("a (before generation 2)"));
  EXPECT_THAT(On("v"), ElementsAre("a (before generation 3)"));
}

TEST_F(ScanTransactionTest, WhatIsToStayIsForgottenWithItsTargetOnceItLeaves) {
  Admit("a", "t", kOne);
  auto kept = std::make_shared<manifests::Manifest>(*next.accepted.back().manifest);
  kept->options.retain_on_delete = true;
  next.accepted.back().manifest = kept;
  Scan();
  next.missing = {"a"};
  Scan();
  next.missing = {"a"};
  const ScanOutcome outcome = Scan();
  EXPECT_EQ(claims.FindResource("a"), nullptr);
  EXPECT_THAT(outcome.change.forget_targets, ElementsAre(At("t")));
  EXPECT_THAT(Recorded(outcome), IsEmpty()) << "nothing is written of what is gone";
  EXPECT_THAT(outcome.changed_targets, IsEmpty());
}

TEST_F(ScanTransactionTest, WhatNeverCameIntoForceLeavesWithoutATrace) {
  admission::Rejected rejected{"a", std::string(reason::kManifestInvalid), "no", {"a.yaml", 1}};
  next.rejected = {rejected};
  ScanOutcome outcome = Scan();
  EXPECT_THAT(state.unaccepted, ElementsAre("a"));
  EXPECT_FALSE(state.sound);
  EXPECT_THAT(Recorded(outcome), ElementsAre("a"));
  outcome = Scan();
  EXPECT_EQ(claims.FindResource("a"), nullptr);
  EXPECT_THAT(outcome.change.forget_resources, ElementsAre("a"));
  EXPECT_THAT(state.unaccepted, IsEmpty());
  EXPECT_TRUE(state.sound);
}

TEST_F(ScanTransactionTest, AllTargetsAreCheckedWhenItIsKnownForTheFirstTimeWhatTheFilesHold) {
  Put("of the store", "t", kOne);
  Admit("a", "elsewhere", kOne);
  EXPECT_EQ(Scan().changed_targets.size(), 2U);
  next.unknown_content = true;
  EXPECT_EQ(Scan().changed_targets.size(), 2U);
  next.unknown_content = true;
  EXPECT_THAT(Scan().changed_targets, IsEmpty()) << "nothing new";
}

TEST_F(ScanTransactionTest, ContestedRolesAreKnownOnTheirTargetUntilTheyAreNot) {
  Admit("a", "t", kOne);
  Scan();
  next.contested = {admission::Placement{At("t"), "cloudnative", kTwo, 0}};
  EXPECT_EQ(Scan().changed_targets.size(), 1U);
  EXPECT_THAT(*claims.FindTarget(At("t"))->contested, ElementsAre(kTwo));
  EXPECT_EQ(Scan().changed_targets.size(), 1U);
  EXPECT_THAT(*claims.FindTarget(At("t"))->contested, IsEmpty());
}

TEST_F(ScanTransactionTest, WhatDependsOnAChangeIsCheckedWithIt) {
  Admit("base", "b", kOne);
  Admit("app", "a", kOne);
  auto app = std::make_shared<manifests::Manifest>(*next.accepted.back().manifest);
  auto rare = std::make_shared<manifests::ExtraOptions>();
  rare->depends_on = {"base"};
  app->options.rare = std::move(rare);
  next.accepted.back().manifest = app;
  Scan();
  Admit("base", "elsewhere", kOne);
  EXPECT_THAT(Scan().changed_targets, Contains(claims.FindResource("app")->place.target));
}

}  // namespace
}  // namespace bindery::controller
