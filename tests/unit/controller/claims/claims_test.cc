#include "controller/claims/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/claims/forget_resource.h"
#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

struct ClaimsTest : public ::testing::Test, public ClaimsWorld {};

TEST_F(ClaimsTest, WhatIsInForceIsFoundByNameAndOnItsTarget) {
  Put("b", "t", "roles/one", 2);
  Put("a", "t", "roles/two", 3);
  EXPECT_THAT(claims.FindTarget(At("t"))->Names(), ElementsAre("a", "b"));
  EXPECT_EQ(claims.FindResource("a")->place.target, claims.FindTarget(At("t"))->target);
  EXPECT_EQ(claims.FindResource("c"), nullptr);
  EXPECT_EQ(claims.FindTarget(At("elsewhere")), nullptr);
  EXPECT_EQ(claims.DeclaredGrants(), 5);
}

TEST_F(ClaimsTest, AnEntryThatIsEnforcedAgainCountsOnce) {
  Put("a", "t", "roles/one", 2);
  Put("a", "t", "roles/one", 7);
  EXPECT_EQ(claims.DeclaredGrants(), 7);
  EXPECT_THAT(claims.FindTarget(At("t"))->Names(), ElementsAre("a"));
}

TEST_F(ClaimsTest, ANewClaimMakesTheLastAnswerOutdated) {
  Put("a", "t", "roles/one");
  claims.FindTarget(At("t"))->last_synced_digest = Sha256Digest::Of("answer");
  Put("b", "t", "roles/two");
  EXPECT_TRUE(claims.FindTarget(At("t"))->last_synced_digest.empty());
  claims.FindTarget(At("t"))->last_synced_digest = Sha256Digest::Of("answer");
  claims.Erase("b", change);
  EXPECT_TRUE(claims.FindTarget(At("t"))->last_synced_digest.empty());
}

TEST_F(ClaimsTest, ATargetGoesWithItsLastResourceAndWhatWasToBeRecordedOfIt) {
  Put("a", "t", "roles/one", 2);
  Put("b", "t", "roles/two", 3);
  const TargetKey key = claims.FindTarget(At("t"))->target;
  change.upsert_targets.push_back(claims.FindTarget(key)->Record());
  change.touch_targets.push_back(key);
  store::ResourceRecord record;
  record.name = "a";
  change.upsert_resources.push_back(record);
  for (const char* name : {"a", "b"}) change.standings.emplace_back().name = name;

  claims.Erase("a", change);
  EXPECT_THAT(change.upsert_resources, IsEmpty());
  EXPECT_THAT(change.standings, ElementsAre(Field(&store::StandingRecord::name, "b")));
  EXPECT_THAT(change.forget_resources, ElementsAre("a"));
  EXPECT_THAT(change.forget_targets, IsEmpty()) << "another one is left on it";
  EXPECT_EQ(claims.DeclaredGrants(), 3);

  claims.Erase("b", change);
  EXPECT_EQ(claims.FindTarget(key), nullptr);
  EXPECT_THAT(change.forget_targets, ElementsAre(At("t")));
  EXPECT_THAT(change.upsert_targets, IsEmpty());
  EXPECT_THAT(change.touch_targets, IsEmpty());
  EXPECT_EQ(claims.DeclaredGrants(), 0);
}

TEST_F(ClaimsTest, TheAgeOfAnUnsettledClaimOutlivesItOnItsTarget) {
  Put("a", "t", "roles/one");
  Put("b", "t", "roles/two");
  Put("c", "t", "roles/three");
  claims.FindResource("a")->evidence.age.look = 4;
  claims.FindResource("b")->evidence.age = {5, false, false, /*urgent=*/true, 5, 0};
  claims.Erase("b", change);
  EXPECT_EQ(claims.FindTarget(At("t"))->forgotten_age.look, 0) << "an operator waived it";
  claims.Erase("a", change);
  EXPECT_EQ(claims.FindTarget(At("t"))->forgotten_age.look, 4);
}

TEST_F(ClaimsTest, AResourceOfAnUnknownKindCanBeErased) {
  ResourceEntry& entry = claims.Obtain("a");
  entry.manifest = std::make_shared<const manifests::Manifest>();
  entry.accepted = true;
  entry.evidence.age.look = 4;
  entry.place.target = TargetKey(At("t"));
  claims.Erase("a", change);
  EXPECT_EQ(claims.FindResource("a"), nullptr);
  EXPECT_THAT(change.forget_resources, ElementsAre("a"));
}

TEST_F(ClaimsTest, AFormerClaimHoldsTheTargetAndTheGrantsOfTheOneThatLeftIt) {
  ResourceEntry& entry = Put("a", "t", "roles/one", 2);
  ResourceEntry former = entry;
  former.name = "a" + std::string(kFormerClaim) + "2)";
  const ResourceEntry& stored = claims.LeaveBehind(entry, std::move(former));
  EXPECT_FALSE(entry.accepted);
  EXPECT_TRUE(stored.accepted);
  EXPECT_THAT(claims.FindTarget(At("t"))->Names(), ElementsAre(stored.name));
  EXPECT_THAT(claims.former().Of("a"), ElementsAre(stored.name));
  EXPECT_EQ(GetSuccessor(stored.name), "a");
  EXPECT_EQ(GetSuccessor("a"), "");
  EXPECT_EQ(claims.DeclaredGrants(), 2);

  Put("a", "elsewhere", "roles/one", 2);
  EXPECT_EQ(claims.DeclaredGrants(), 4) << "both count until the former one is gone";
  claims.Erase(stored.name, change);
  EXPECT_FALSE(claims.former().Any());
  EXPECT_THAT(change.forget_targets, ElementsAre(At("t")));
}

TEST_F(ClaimsTest, FormerClaimsOfOtherNamesAreNotMixedUp) {
  for (const char* name : {"a (before generation 2)", "a (before generation 3)",
                           "ab (before generation 2)", "a b (before generation 2)"}) {
    claims.Obtain(name);
  }
  EXPECT_THAT(claims.former().Of("a"),
              ElementsAre("a (before generation 2)", "a (before generation 3)"));
}

TEST_F(ClaimsTest, ARenamedResourceKeepsItsEntryAndItsPlace) {
  ResourceEntry& entry = Put("b", "t", "roles/one", 2);
  Put("c", "t", "roles/two");
  EXPECT_EQ(&claims.Rename("b", "d"), &entry);
  EXPECT_EQ(claims.FindResource("b"), nullptr);
  EXPECT_THAT(claims.FindTarget(At("t"))->Names(), ElementsAre("c", "d"));
}

TEST_F(ClaimsTest, WhatIsOnlyToStayIsToldUnlessSomethingElseIsOnTheTarget) {
  manifests::Manifest manifest;
  manifest.options.retain_on_delete = true;
  ResourceEntry& kept = Put("a", "t", "roles/one");
  const TargetKey key = kept.place.target;
  kept.manifest = std::make_shared<const manifests::Manifest>(manifest);
  EXPECT_EQ(OnlyRetained(claims, key), nullptr) << "its manifest is there";
  kept.evidence.missing_scans = 2;
  EXPECT_EQ(OnlyRetained(claims, key), &kept);
  Put("b", "t", "roles/two");
  EXPECT_EQ(OnlyRetained(claims, key), nullptr);
  claims.Erase("b", change);
  manifest.options.protect = true;
  kept.manifest = std::make_shared<const manifests::Manifest>(manifest);
  EXPECT_EQ(OnlyRetained(claims, key), nullptr) << "what is protected is watched over";
}

TEST_F(ClaimsTest, ATargetHasOneKeyForAllThatNameIt) {
  Put("a", "t", "roles/one");
  const TargetKey known = claims.FindResource("a")->place.target;
  EXPECT_EQ(&*claims.MakeKey(At("t")), &*known) << "not a second copy of its name";
}

}  // namespace
}  // namespace bindery::controller
