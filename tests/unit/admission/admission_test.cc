// Which manifests come into force when nobody is in anybody's way, and what a broken file does.

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
using testing::RejectedNames;
using testing::RejectedTexts;

TEST(Admission, ManifestsOnDifferentRolesComeIntoForce) {
  AdmissionFixture world;
  world.Declare("b", "t1 viewer", "b.yaml");
  world.Declare("a", "t1 editor", "a.yaml");
  world.Declare("c", "t2 viewer", "a.yaml", 9);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("a", "b", "c"));
  EXPECT_THAT(result.rejected, IsEmpty());
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_FALSE(result.unknown_content);
}

TEST(Admission, ADuplicateNameOfWhatIsInForceSaysThatThisStays) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml");
  world.Declare("x", "t1 viewer", "b.yaml", 4);
  world.Declare("x", "t2 viewer", "a.yaml", 2);
  const AdmissionResult result = world.Run();
  ASSERT_EQ(result.problems.size(), 2U);
  EXPECT_THAT(result.problems[0].message,
              HasSubstr("so none of them is applied; what was in force before stays in force"));
}

TEST(Admission, ADuplicateNameIsToldOnceForTheResourceAndOnceForEachFile) {
  AdmissionFixture world;
  world.Declare("x", "t1 viewer", "b.yaml", 4);
  world.Declare("x", "t2 viewer", "a.yaml", 2);
  world.Declare("other", "t3 viewer", "c.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("other"));
  const std::string status =
      "x DuplicateName: the name \"x\" is used at a.yaml:2 and b.yaml:4: names are unique in the "
      "whole directory, so none of them is applied; rename or delete all but one";
  EXPECT_THAT(RejectedTexts(result), ElementsAre(status, status));
  ASSERT_EQ(result.problems.size(), 2U);
  EXPECT_EQ(result.problems[0].Text(),
            "a.yaml:2:1: the name \"x\" is also used at b.yaml:4: names are unique in the whole "
            "directory, so none of them is applied; rename or delete all but one");
  EXPECT_EQ(result.problems[1].Text(),
            "b.yaml:4:1: the name \"x\" is also used at a.yaml:2: names are unique in the whole "
            "directory, so none of them is applied; rename or delete all but one");
  EXPECT_EQ(result.problems[1].code, "DuplicateName");
  // Both places are spoken for, so that neither is emptied as undeclared.
  ASSERT_EQ(result.contested.size(), 2U);
}

TEST(Admission, ADuplicateOfAManifestInForceLeavesItInForce) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml", 2);
  world.Declare("x", "t1 viewer", "a.yaml", 2);
  world.Declare("x", "t9 viewer", "z.yaml", 1);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(result.missing, IsEmpty());
  // Its own claim is held; the other's is only contested.
  ASSERT_EQ(result.contested.size(), 1U);
  EXPECT_EQ(result.contested[0].target.name, "t9");
}

TEST(Admission, AnInvalidDocumentKeepsTheLastGoodManifest) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml", 2);
  world.Problem("a.yaml", "x");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("x ManifestInvalid: a.yaml:7:3: spec.role: required"));
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_THAT(result.frozen, IsEmpty());
  EXPECT_FALSE(result.unknown_content);
}

TEST(Admission, AWarningKeepsNothingOut) {
  AdmissionFixture world;
  world.Declare("x", "t1 viewer", "a.yaml");
  world.Problem("a.yaml", "x", manifests::ProblemSeverity::kWarning);
  EXPECT_THAT(AcceptedNames(world.Run()), ElementsAre("x"));
}

TEST(Admission, AValidDocumentDoesNotWinOverABrokenOneOfItsName) {
  AdmissionFixture world;
  world.Declare("x", "t1 viewer", "a.yaml");
  world.Problem("b.yaml", "x");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(RejectedNames(result), ElementsAre("x"));
}

TEST(Admission, AManifestThatCannotBePlacedIsInvalid) {
  AdmissionFixture world;
  world.Declare("x", "nowhere viewer", "a.yaml", 3);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(RejectedTexts(result), ElementsAre("x ManifestInvalid: cannot be placed"));
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_EQ(result.problems[0].code, "InvalidReference");
  // Nobody knows which role it means: no role may be emptied for want of a manifest.
  EXPECT_TRUE(result.unknown_content);
}

TEST(Admission, AMoveThatProtectionForbidsKeepsWhatIsInForce) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml");
  world.Declare("x", "locked-t viewer", "a.yaml");
  world.Declare("y", "t1 viewer", "b.yaml", 5);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("x Protected: is protected",
                          "y RoleConflict: role \"viewer\" on \"t1\" is also declared by \"x\" "
                          "(a.yaml:1): one binding per role; \"x\" stays in force as it was "
                          "before" +
                              testing::kWayOut));
  EXPECT_FALSE(result.unknown_content);
}

TEST(Admission, AManifestInNoFileIsMissing) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml");
  world.InForce("y", "t2 viewer", "b.yaml");
  world.Declare("y", "t2 viewer", "b.yaml");
  EXPECT_THAT(world.Run().missing, ElementsAre("x"));
}

struct FrozenCase {
  const char* name;
  const char* why;
  bool broken_file;  // else a nameless problem in it
  manifests::ProblemSeverity severity;
  bool frozen;
};
class AdmissionFrozen : public ::testing::TestWithParam<FrozenCase> {};

TEST_P(AdmissionFrozen, DependsOnTheFileItWasLastSeenIn) {
  SCOPED_TRACE(GetParam().why);
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml");
  if (GetParam().broken_file) {
    world.input.broken_files.insert("a.yaml");
  } else {
    world.Problem("a.yaml", "", GetParam().severity);
  }
  const AdmissionResult result = world.Run();
  EXPECT_EQ(result.frozen.size(), GetParam().frozen ? 1U : 0U);
  EXPECT_EQ(result.missing.size(), GetParam().frozen ? 0U : 1U);
  EXPECT_FALSE(result.unknown_content);
}

INSTANTIATE_TEST_SUITE_P(
    Files, AdmissionFrozen,
    ::testing::Values(FrozenCase{"Undecodable", "a file that cannot be read deletes nothing", true,
                                 manifests::ProblemSeverity::kError, true},
                      FrozenCase{"NamelessError",
                                 "the broken document may be the one that is missed", false,
                                 manifests::ProblemSeverity::kError, true},
                      FrozenCase{"Warning", "a file that can be read in full tells what is gone",
                                 false, manifests::ProblemSeverity::kWarning, false}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Admission, AFileThatWasEmptiedDeletesNothing) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml", 1);
  world.InForce("y", "t1 editor", "a.yaml", 9);
  world.InForce("moved", "t2 viewer", "a.yaml", 20);
  world.InForce("z", "t3 viewer", "b.yaml");
  world.input.blank_files = {"a.yaml", "new.yaml", "b.yaml"};
  world.Declare("moved", "t2 viewer", "c.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("moved"));
  EXPECT_THAT(result.frozen, ElementsAre("x", "y", "z"));
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_THAT(result.emptied, ElementsAre("a.yaml", "b.yaml"));
  EXPECT_TRUE(result.unknown_content) << "nobody knows what the new one is to declare";
  ASSERT_EQ(result.problems.size(), 2U) << "the new one never declared anything";
  EXPECT_EQ(result.problems[0].Text(),
            "a.yaml: the file is empty; it declared 2 manifests, which stay in force: delete the "
            "file to remove them");
  EXPECT_EQ(result.problems[0].code, "EmptyFile");
  EXPECT_EQ(result.problems[1].Text(),
            "b.yaml: the file is empty; it declared 1 manifest, which stays in force: delete the "
            "file to remove it");
}

TEST(Admission, AFrozenManifestHoldsItsRole) {
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml", 2);
  world.input.broken_files.insert("a.yaml");
  world.Declare("y", "t1 viewer", "b.yaml", 3);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), IsEmpty());
  EXPECT_THAT(RejectedTexts(result),
              ElementsAre("x RoleConflict: role \"viewer\" on \"t1\" is also declared by \"y\" "
                          "(b.yaml:3): one binding per role; this one stays in force as it was "
                          "before" +
                              testing::kWayOut,
                          "y RoleConflict: role \"viewer\" on \"t1\" is also declared by \"x\" "
                          "(a.yaml:2): one binding per role; \"x\" stays in force as it was "
                          "before" +
                              testing::kWayOut));
  // One resource, one status.
  EXPECT_THAT(result.frozen, IsEmpty());
}

struct UnknownCase {
  const char* name;
  const char* why;
  void (*arrange)(AdmissionFixture&);
  bool unknown;
};
class AdmissionUnknownContent : public ::testing::TestWithParam<UnknownCase> {};

TEST_P(AdmissionUnknownContent, IsReported) {
  SCOPED_TRACE(GetParam().why);
  AdmissionFixture world;
  world.InForce("x", "t1 viewer", "a.yaml");
  world.Declare("x", "t1 viewer", "a.yaml");
  GetParam().arrange(world);
  EXPECT_EQ(world.Run().unknown_content, GetParam().unknown);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AdmissionUnknownContent,
    ::testing::Values(
        UnknownCase{"Nothing", "all was read", [](AdmissionFixture&) {}, false},
        UnknownCase{"NewBrokenFile", "it may declare roles nobody else does",
                    [](AdmissionFixture& world) { world.input.broken_files.insert("b.yaml"); },
                    true},
        UnknownCase{"KnownBrokenFile", "its last good manifests are in force",
                    [](AdmissionFixture& world) {
                      world.input.manifests.clear();
                      world.input.broken_files.insert("a.yaml");
                    },
                    false},
        UnknownCase{"NewInvalidManifestInAKnownFile",
                    "it never was in force, however well its file is known",
                    [](AdmissionFixture& world) { world.Problem("a.yaml", "new"); }, true},
        UnknownCase{"InvalidSuccessor", "what it declared before is in force",
                    [](AdmissionFixture& world) {
                      world.input.manifests.clear();
                      world.Problem("a.yaml", "x");
                    },
                    false},
        UnknownCase{"NamelessBesideAllKnownOnes", "it is one document more than was known",
                    [](AdmissionFixture& world) { world.Problem("a.yaml", ""); }, true},
        UnknownCase{"Warning", "a warning keeps nothing out",
                    [](AdmissionFixture& world) {
                      world.Problem("b.yaml", "", manifests::ProblemSeverity::kWarning);
                    },
                    false}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Admission, TellsWhatDoesNotFitAtItsOwnPlaces) {
  AdmissionFixture world;
  world.Declare("a", "t viewer", "a.yaml", 3);
  const AdmissionResult result =
      Admit(world.input, [](const auto& /*manifest*/) -> tl::expected<Resolved, Unplaced> {
        manifests::Problem one;
        one.file = "a.yaml";
        one.line = 7;
        one.column = 9;
        one.path = "spec.role";
        one.message = "not so";
        manifests::Problem other = one;
        other.line = 8;
        return tl::unexpected(Unplaced{manifests::ManifestError(
            Error{Code::kInvalidArgument, one.Text() + "; and more"}, {one, other})});
      });
  ASSERT_EQ(result.problems.size(), 2U);
  EXPECT_EQ(result.problems[0].Text(), "a.yaml:7:9: spec.role: not so");
  EXPECT_EQ(result.problems[1].line, 8);
  ASSERT_EQ(result.rejected.size(), 1U);
  EXPECT_EQ(result.rejected[0].message, "a.yaml:7:9: spec.role: not so; and more");
}

}  // namespace
}  // namespace bindery::admission
