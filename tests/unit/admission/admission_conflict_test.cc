// One binding per role, one provider per target: who stays, who is kept out, and what each is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/admission_fixture.h"

namespace bindery::admission {
namespace {

using testing::AcceptedNames;
using testing::AdmissionFixture;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RejectedNames;
using testing::RejectedTexts;

TEST(AdmissionConflict, WithoutAnIncumbentNoneComesIntoForce) {
  AdmissionFixture world;
  world.Declare("x", "t viewer", "a.yaml", 1);
  world.Declare("y", "t viewer", "b.yaml", 12);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("x RoleConflict: role \"viewer\" on \"t\" is also declared by \"y\" "
                          "(b.yaml:12): one binding per role" +
                              testing::kWayOut,
                          "y RoleConflict: role \"viewer\" on \"t\" is also declared by \"x\" "
                          "(a.yaml:1): one binding per role" +
                              testing::kWayOut));
  ASSERT_EQ(result.problems.size(), 2U);
  EXPECT_EQ(result.problems[0].Text(),
            "a.yaml:1:1: role \"viewer\" on \"t\" is also declared by \"y\" (b.yaml:12): one "
            "binding per role" +
                testing::kWayOut);
  EXPECT_EQ(result.problems[0].code, "RoleConflict");
  EXPECT_EQ(result.problems[0].resource, "x");
  ASSERT_EQ(result.contested.size(), 1U);
  EXPECT_EQ(result.contested[0].role, "viewer");
}

TEST(AdmissionConflict, TheIncumbentStaysAndBothAreTold) {
  AdmissionFixture world;
  world.InForce("old", "t viewer", "z.yaml", 4);
  world.Declare("old", "t viewer", "z.yaml", 4);
  world.Declare("new", "t viewer", "a.yaml", 1);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("new RoleConflict: role \"viewer\" on \"t\" is also declared by \"old\" "
                          "(z.yaml:4): one binding per role; \"old\" stays in force as it was "
                          "before" +
                              testing::kWayOut,
                          "old RoleConflict: role \"viewer\" on \"t\" is also declared by \"new\" "
                          "(a.yaml:1): one binding per role; this one stays in force as it was "
                          "before" +
                              testing::kWayOut));
  EXPECT_THAT(result.missing, IsEmpty());
  // Someone holds it: nothing is contested.
  EXPECT_THAT(result.contested, IsEmpty());
}

TEST(AdmissionConflict, OfThreeEachIsToldOfBothOthers) {
  AdmissionFixture world;
  world.Declare("x", "t viewer", "a.yaml", 1);
  world.Declare("y", "t viewer", "b.yaml", 2);
  world.Declare("z", "t viewer", "c.yaml", 3);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("x RoleConflict: role \"viewer\" on \"t\" is also declared by \"y\" "
                          "(b.yaml:2) and \"z\" (c.yaml:3): one binding per role" +
                              testing::kWayOut,
                          "y RoleConflict: role \"viewer\" on \"t\" is also declared by \"x\" "
                          "(a.yaml:1) and \"z\" (c.yaml:3): one binding per role" +
                              testing::kWayOut,
                          "z RoleConflict: role \"viewer\" on \"t\" is also declared by \"x\" "
                          "(a.yaml:1) and \"y\" (b.yaml:2): one binding per role" +
                              testing::kWayOut));
  EXPECT_EQ(result.contested.size(), 1U);
}

TEST(AdmissionConflict, AManifestNamedTwiceIsInTheWayOfNewcomersAllTheSame) {
  AdmissionFixture world;
  world.Declare("aa", "t viewer", "a.yaml", 1);
  world.Declare("bb", "t viewer", "b.yaml", 2);
  world.Declare("bb", "u viewer", "c.yaml", 3);
  world.Declare("dd", "u editor", "d.yaml", 4);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("dd"));
  EXPECT_EQ(RejectedTexts(result).front(),
            "aa RoleConflict: role \"viewer\" on \"t\" is also declared by \"bb\" (b.yaml:2): one "
            "binding per role" +
                testing::kWayOut);
  EXPECT_EQ(result.contested.size(), 2U);
}

TEST(AdmissionConflict, AManifestNamedTwiceIsNotInTheWayOfAnIncumbent) {
  AdmissionFixture world;
  world.InForce("aa", "t viewer", "a.yaml", 1);
  world.Declare("aa", "t viewer", "a.yaml", 1);
  world.Declare("bb", "t viewer", "b.yaml", 2);
  world.Declare("bb", "u viewer", "c.yaml", 3);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("aa"));
  EXPECT_THAT(RejectedNames(result), ElementsAre("bb", "bb"));
}

TEST(AdmissionConflict, AWholePolicyIsClaimedAsOne) {
  AdmissionFixture world;
  world.Declare("x", "dashboard:d *", "a.yaml", 1);
  world.Declare("y", "dashboard:d *", "b.yaml", 2);
  EXPECT_THAT(RejectedTexts(world.Run()),
              ElementsAre("x RoleConflict: the policy of \"dashboard:d\" is also declared by \"y\" "
                          "(b.yaml:2): one binding per role; declare it in one manifest",
                          "y RoleConflict: the policy of \"dashboard:d\" is also declared by \"x\" "
                          "(a.yaml:1): one binding per role; declare it in one manifest"));
}

TEST(AdmissionConflict, AFileMayBeRenamed) {
  AdmissionFixture world;
  world.InForce("x", "t viewer", "a.yaml");
  world.Declare("x", "t viewer", "b.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("x"));
  EXPECT_THAT(result.missing, IsEmpty());
}

TEST(AdmissionConflict, ARenamedManifestTakesItsRoleOver) {
  AdmissionFixture world;
  world.InForce("x", "t viewer", "a.yaml");
  world.Declare("y", "t viewer", "a.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("y"));
  EXPECT_THAT(result.rejected, IsEmpty());
  EXPECT_THAT(result.missing, ElementsAre("x"));
}

TEST(AdmissionConflict, WhoMayBeTheMissingOneByAnotherNameKeepsItInForce) {
  const auto run = [](const char* successor, const char* its_kind) {
    AdmissionFixture world;
    world.input.targets_of = [its_kind](const TypeToken&) { return its_kind; };
    world.InForce("x", "t viewer", "a.yaml");
    world.Declare("y", successor, "b.yaml");
    return world.Run();
  };
  for (const char* unknown : {"later viewer", "nowhere viewer"}) {
    const AdmissionResult result = run(unknown, "Kind");
    EXPECT_THAT(result.missing, IsEmpty()) << unknown;
    EXPECT_THAT(result.frozen, ElementsAre("x")) << unknown;
    EXPECT_EQ(result.held.at("x"), "where \"y\" (b.yaml:1) belongs cannot be told now");
  }
  EXPECT_THAT(run("later viewer", "Other").missing, ElementsAre("x")) << "it is for other targets";
  EXPECT_THAT(run("later viewer", "").missing, ElementsAre("x")) << "a lookup declares nothing";
  EXPECT_THAT(run("later-u viewer", "Kind").missing, ElementsAre("x")) << "it is for another one";
  EXPECT_THAT(run("later-t editor", "Kind").missing, ElementsAre("x")) << "it claims another role";
}

TEST(AdmissionConflict, WhoWaitsForTheClaimOfAMissingOneKeepsItInForce) {
  AdmissionFixture world;
  world.InForce("x", "later-t viewer", "a.yaml");
  world.Declare("y", "later-t viewer", "b.yaml");
  world.input.waiting = {"y"};
  const AdmissionResult result = world.Run();
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_EQ(result.held.at("x"), "\"y\" (b.yaml:1), which waits, claims the same");
}

TEST(AdmissionConflict, WhoWaitedWithoutAPlaceBeforeBlocksNothingThatGoesLater) {
  AdmissionFixture world;
  world.input.targets_of = [](const TypeToken&) { return "Kind"; };
  world.InForce("x", "t viewer", "a.yaml");
  world.Declare("y", "later viewer", "b.yaml");
  world.input.waiting = {"y"};
  EXPECT_THAT(world.Run().missing, ElementsAre("x"));
  world.input.in_force.front().held = true;
  EXPECT_THAT(world.Run().missing, IsEmpty()) << "y was new when x went";
}

TEST(AdmissionConflict, OneThatIsGoneComesBackForWhatMayBeItUnlessOthersTookItsPlace) {
  const auto run = [](const char* other) {
    AdmissionFixture world;
    world.input.targets_of = [](const TypeToken&) { return "Kind"; };
    world.InForce("x", "t viewer", "a.yaml");
    world.input.in_force.back().gone = world.input.in_force.back().missed = true;
    world.Declare("y", "later viewer", "b.yaml");
    world.Declare("z", other, "c.yaml");
    return world.Run();
  };
  EXPECT_THAT(run("t editor").frozen, ElementsAre("x"));
  const AdmissionResult taken = run("t viewer");
  EXPECT_THAT(taken.frozen, IsEmpty());
  EXPECT_EQ(taken.held.count("x"), 1U) << "what it granted stays";
  EXPECT_THAT(AcceptedNames(taken), ElementsAre("z"));
  EXPECT_THAT(taken.missing, IsEmpty()) << "it was missing before";
}

struct SuccessorCase {
  const char* name;
  const char* why;
  bool contested;  ///< The scan before kept it out.
  bool missed;     ///< The scan before did not find the one in force.
  bool accepted;
};
class AdmissionSuccessor : public ::testing::TestWithParam<SuccessorCase> {};

TEST_P(AdmissionSuccessor, OfAMissingManifest) {
  SCOPED_TRACE(GetParam().why);
  AdmissionFixture world;
  world.InForce("old", "t viewer", "old.yaml", 4);
  world.input.in_force.back().missed = GetParam().missed;
  if (GetParam().contested) world.input.contested.insert("new");
  world.Declare("new", "t viewer", "new.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_EQ(result.accepted.size(), GetParam().accepted ? 1U : 0U);
  EXPECT_THAT(result.missing, ElementsAre("old")) << "it is counted in any case";
  EXPECT_THAT(result.contested, IsEmpty()) << "somebody holds it";
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AdmissionSuccessor,
    ::testing::Values(
        SuccessorCase{"Renamed", "the missing one by another name", false, false, true},
        SuccessorCase{"Later", "somebody else's, and nobody is there", false, true, true},
        SuccessorCase{"Contested", "the missing one may be back in a moment", true, false, false},
        SuccessorCase{"ContestedLater", "two scans without it are a deletion", true, true, true}),
    [](const auto& param) { return std::string(param.param.name); });

struct ProtectedCase {
  const char* name;
  const char* why;
  bool gone;         ///< Since more than two scans.
  bool broken_file;  ///< The one it was last seen in.
  const char* verdict;
};
class AdmissionProtected : public ::testing::TestWithParam<ProtectedCase> {};

TEST_P(AdmissionProtected, IsSucceededByNobody) {
  SCOPED_TRACE(GetParam().why);
  AdmissionFixture world;
  world.InForce("kept", "t viewer", "kept.yaml", 4);
  world.input.in_force.back().is_protected = true;
  world.input.in_force.back().gone = GetParam().gone;
  if (GetParam().broken_file) world.input.broken_files.insert("kept.yaml");
  world.Declare("x", "t viewer", "x.yaml");
  world.Declare("y", "t viewer", "y.yaml");
  world.Declare("z", "t editor", "z.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("z"));
  for (const Rejected& rejected : result.rejected) EXPECT_EQ(rejected.reason, GetParam().verdict);
  EXPECT_THAT(result.contested, IsEmpty()) << "it is held";
  EXPECT_EQ(result.missing.size(), GetParam().gone || GetParam().broken_file ? 0U : 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AdmissionProtected,
    ::testing::Values(ProtectedCase{"Missing", "its file was there a moment ago", false, false,
                                    "Protected"},
                      ProtectedCase{"Gone", "it is on record as gone", true, false, "Protected"},
                      ProtectedCase{"Frozen", "its file cannot be read: it may be there", false,
                                    true, "RoleConflict"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(AdmissionConflict, AProtectedOneThatComesBackComesIntoForce) {
  AdmissionFixture world;
  world.InForce("kept", "t viewer", "a.yaml");
  world.input.in_force.back().is_protected = true;
  world.input.in_force.back().gone = true;
  world.Declare("kept", "t viewer", "a.yaml");
  EXPECT_THAT(AcceptedNames(world.Run()), ElementsAre("kept"));
}

TEST(AdmissionConflict, TwoManifestsMayExchangeTheirRoles) {
  AdmissionFixture world;
  world.InForce("x", "t viewer", "a.yaml");
  world.InForce("y", "t editor", "b.yaml");
  world.Declare("x", "t editor", "a.yaml");
  world.Declare("y", "t viewer", "b.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("x", "y"));
  EXPECT_THAT(result.rejected, IsEmpty());
}

TEST(AdmissionConflict, AManifestThatFallsBackKeepsAThirdOutOfItsOldRole) {
  AdmissionFixture world;
  world.InForce("x", "t viewer", "x.yaml", 1);
  world.InForce("y", "t editor", "y.yaml", 2);
  world.Declare("x", "t editor", "x.yaml", 1);  // wants what y holds
  world.Declare("y", "t editor", "y.yaml", 2);
  world.Declare("z", "t viewer", "z.yaml", 3);  // wants what x was to leave
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(
      RejectedTexts(result),
      ElementsAre("x RoleConflict: role \"editor\" on \"t\" is also declared by \"y\" "
                  "(y.yaml:2): one binding per role; \"y\" stays in force as it was before" +
                      testing::kWayOut,
                  "y RoleConflict: role \"editor\" on \"t\" is also declared by \"x\" "
                  "(x.yaml:1): one binding per role; this one stays in force as it was "
                  "before" +
                      testing::kWayOut,
                  "z RoleConflict: role \"viewer\" on \"t\" is also declared by \"x\" "
                  "(x.yaml:1): one binding per role; \"x\" stays in force as it was "
                  "before" +
                      testing::kWayOut));
  EXPECT_THAT(result.contested, IsEmpty());
}

TEST(AdmissionConflict, OneTargetIsWrittenThroughOneProvider) {
  AdmissionFixture world;
  world.Declare("x", "t viewer p", "a.yaml", 1);
  world.Declare("y", "t editor q", "b.yaml", 2);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("x ProviderConflict: \"t\" is declared through another provider by \"y\" "
                          "(b.yaml:2): one provider per target; set the same "
                          "options.provider in all of them",
                          "y ProviderConflict: \"t\" is declared through another provider by \"x\" "
                          "(a.yaml:1): one provider per target; set the same "
                          "options.provider in all of them"));
  EXPECT_EQ(result.contested.size(), 2U);
}

TEST(AdmissionConflict, TheProviderInForceStays) {
  AdmissionFixture world;
  world.InForce("x", "t viewer p", "a.yaml", 1);
  world.Declare("x", "t viewer p", "a.yaml", 1);
  world.Declare("y", "t editor q", "b.yaml", 2);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("x"));
  EXPECT_THAT(RejectedNames(result), ElementsAre("y"));
}

TEST(AdmissionConflict, AWholeTargetMayChangeItsProvider) {
  AdmissionFixture world;
  world.InForce("x", "t viewer p", "a.yaml");
  world.InForce("y", "t editor p", "b.yaml");
  world.Declare("x", "t viewer q", "a.yaml");
  world.Declare("y", "t editor q", "b.yaml");
  EXPECT_THAT(AcceptedNames(world.Run()), ElementsAre("x", "y"));
}

TEST(AdmissionConflict, HalfATargetMayNot) {
  AdmissionFixture world;
  world.InForce("x", "t viewer p", "a.yaml");
  world.InForce("y", "t editor p", "b.yaml");
  world.Declare("x", "t viewer q", "a.yaml");
  world.Declare("y", "t editor p", "b.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("y"));
  EXPECT_THAT(RejectedNames(result), ElementsAre("x"));
}

}  // namespace
}  // namespace bindery::admission
