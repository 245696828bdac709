// Manifests that declare parts of one policy: whole policies, roles, single members.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/admission_fixture.h"

namespace bindery::admission {
namespace {

using testing::AcceptedNames;
using testing::AdmissionFixture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OneWord;
using testing::RejectedNames;
using testing::RejectedTexts;

/// Two newcomers on one target.
AdmissionResult Together(const std::string& one, const std::string& other) {
  AdmissionFixture world;
  world.Declare("one", "t " + OneWord(one), "a.yaml", 1);
  world.Declare("other", "t " + OneWord(other), "b.yaml", 2);
  return world.Run();
}

TEST(ClaimParts, ThatOverlapKeepEachOtherOut) {
  const std::pair<const char*, const char*> cases[] = {
      {"*", "viewer"},
      {"*", "viewer user:a if -"},
      {"*", "*+"},
      {"*+", "auditConfigs/allServices"},
      {"viewer", "viewer user:a if -"},
      {"viewer user:a if -", "viewer user:a if *"},
  };
  for (const auto& [one, other] : cases) {
    const AdmissionResult result = Together(one, other);
    EXPECT_THAT(AcceptedNames(result), IsEmpty()) << one << ", " << other;
    EXPECT_THAT(RejectedNames(result), ElementsAre("one", "other")) << one << ", " << other;
    EXPECT_EQ(result.contested.size(), 2U) << "what both declare is left as it is";
  }
}

TEST(ClaimParts, ThatDoNotOverlapComeIntoForceTogether) {
  const std::pair<const char*, const char*> cases[] = {
      {"viewer user:a if -", "viewer user:b if -"},
      {"viewer user:a if -", "editor user:a if -"},
      {"viewer user:a if -", "viewer user:a if {\"expression\":\"e\",\"title\":\"t\"}"},
      {"*", "auditConfigs/allServices"},
      {"viewer if -", "viewer if {\"expression\":\"e\",\"title\":\"t\"}"},
      {"auditConfigs/allServices", "viewer"},
  };
  for (const auto& [one, other] : cases) {
    EXPECT_THAT(AcceptedNames(Together(one, other)), ElementsAre("one", "other"))
        << one << ", " << other;
  }
}

TEST(ClaimParts, BothSidesAreToldWhatTheOtherDeclares) {
  EXPECT_THAT(RejectedTexts(Together("*", "viewer user:a if -")),
              ElementsAre("one RoleConflict: the policy of \"t\" is also declared by \"other\" "
                          "(b.yaml:2) as member \"user:a\" of role \"viewer\": each grant once; "
                          "declare it in one manifest",
                          "other RoleConflict: member \"user:a\" of role \"viewer\" on \"t\" is "
                          "also declared by \"one\" (a.yaml:1) as the policy: each grant once; "
                          "declare it in one manifest"));
}

TEST(ClaimParts, AGrantForAWeekBesideABindingIsToldHowItIsPossible) {
  const std::string week = R"(viewer user:a if {"expression":"e","title":"week"})";
  const std::vector<std::string> texts = RejectedTexts(Together("viewer", week));
  ASSERT_EQ(texts.size(), 2U);
  for (const std::string& text : texts) {
    EXPECT_THAT(text, ::testing::EndsWith(
                          ": each grant once; declare it in one manifest, or each member of the "
                          "role in a manifest of its own; where the conditions differ, "
                          "reconcile.bindingKey: roleAndCondition admits both"));
  }
  EXPECT_THAT(AcceptedNames(Together("viewer if -", week)), ElementsAre("one", "other"))
      << "which is so";
}

TEST(ClaimParts, OneThatOverlapsWithSeveralIncumbentsIsKeptOutAlone) {
  AdmissionFixture world;
  for (const char* name : {"a", "b"}) {
    const std::string claim = std::string("t viewer_user:") + name + "_if_-";
    world.InForce(name, claim, "m.yaml", 1);
    world.Declare(name, claim, "m.yaml", 1);
  }
  world.Declare("whole", "t viewer", "w.yaml", 1);
  world.Declare("free", "t editor", "f.yaml", 1);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("free"));
  EXPECT_THAT(RejectedNames(result), ElementsAre("a", "b", "whole"));
  EXPECT_THAT(RejectedTexts(result)[0], HasSubstr("this one stays in force as it was before"));
  ASSERT_EQ(result.contested.size(), 1U) << "other members may be declared by the binding";
  EXPECT_EQ(result.contested[0].role, "viewer");
}

TEST(ClaimParts, AWiderClaimWaitsUntilAMissingOneIsConfirmed) {
  AdmissionFixture world;
  world.InForce("old", "t viewer", "a.yaml", 1);
  world.Declare("ana", "t viewer_user:a_if_-", "b.yaml", 1);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(result.missing, ElementsAre("old"));
  EXPECT_THAT(RejectedTexts(result)[0], HasSubstr("whose manifest is missing since this scan"));
}

}  // namespace
}  // namespace bindery::admission
