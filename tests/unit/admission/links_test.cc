// What manifests say of each other: unknown names and fields, secrets, cycles, former names.

#include <gmock/gmock.h>

#include "links_fixture.h"

namespace bindery::admission {
namespace {

using testing::AcceptedNames;
using testing::AdmissionFixture;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using testing::Links;
using testing::RejectedNames;
using testing::RejectedTexts;

TEST_F(Links, ThatLeadSomewhereAreFine) {
  Declare("me", {});
  Declare("team.b", {});
  Declare("a",
          {"${me.orgId}", "${me.list}", "${me.list[0]}", "${me.items[3].id}", "${me.tags.any}",
           "${me.tags}", "${me.upload.expires}", "${team.b.name}", "${[\"team.b\"].orgId}"},
          {"me", "team.b"}, {"former"});
  EXPECT_THAT(Problems(), IsEmpty());
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("a", "me", "team.b"));
}

TEST_F(Links, AreNotLookedForWhereThereAreNone) {
  Declare("a", {});
  Declare("b", {});
  EXPECT_FALSE(HasLinks(world.input));
}

struct LinkCase {
  const char* name;
  std::string reference;
  std::string problem;
};

void PrintTo(const LinkCase& tested, std::ostream* out) { *out << tested.name; }

class BadReferences : public Links, public ::testing::WithParamInterface<LinkCase> {};

TEST_P(BadReferences, AreToldWithTheirPlace) {
  Declare("me", {});
  Declare("a", {GetParam().reference});
  EXPECT_THAT(Problems(), ElementsAre("a.yaml:10:3: spec.f0: " + GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadReferences,
    ::testing::Values(
        LinkCase{"UnknownName", "${mee.orgId}",
                 "there is no manifest \"mee\", did you mean \"me\"? [UnknownReference]"},
        LinkCase{"NothingNear", "${HOMEDIR.x}",
                 "there is no manifest \"HOMEDIR\"; a literal \"${\" is written \"$${\" "
                 "[UnknownReference]"},
        LinkCase{"QuotedName", "${[\"me.\"].orgId}",
                 "there is no manifest \"me.\", did you mean \"me\"? [UnknownReference]"},
        LinkCase{"UnknownField", "${me.orgid}",
                 "${me.orgid}: unknown field \"orgid\", did you mean \"orgId\"? [UnknownField]"},
        LinkCase{"NoFieldNear", "${me.what}",
                 "${me.what}: unknown field \"what\"; known are \"name\", \"list\", \"items\", "
                 "\"orgId\", \"tags\", \"others\" and \"upload\" [UnknownField]"},
        LinkCase{"UnknownInnerField", "${me.items[0].ids}",
                 "${me.items[0].ids}: unknown field \"ids\", did you mean \"id\"? [UnknownField]"},
        LinkCase{"ListWithoutIndex", "${me.items.id}",
                 "${me.items.id}: \"items\" is a list: an index such as [0] is needed "
                 "[UnknownField]"},
        LinkCase{"IndexOfNoList", "${me.upload[0]}",
                 "${me.upload[0]}: there is no list here: a field's name is needed [UnknownField]"},
        LinkCase{"BelowAText", "${me.orgId.x}",
                 "${me.orgId.x}: there is nothing below \"orgId\" [UnknownField]"},
        LinkCase{"BelowAnItem", "${me.list[0].x}",
                 "${me.list[0].x}: there is nothing below \"list\" [UnknownField]"},
        LinkCase{"NoField", "${me}",
                 "${me} names a manifest: a field of it is needed; known are \"name\", \"list\", "
                 "\"items\", \"orgId\", \"tags\", \"others\" and \"upload\" [MissingField]"},
        LinkCase{"Secret", "${me.upload.signedUri}",
                 "${me.upload.signedUri} is a secret: it cannot be used in a manifest "
                 "[SecretReference]"},
        LinkCase{"HoldsASecret", "${me.upload}",
                 "${me.upload} is a secret: it cannot be used in a manifest [SecretReference]"},
        LinkCase{"Itself", "${a.orgId}",
                 "these manifests wait for each other: a -> a; take one of these references or "
                 "dependencies out [DependencyCycle]"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(Links, ToAnUnknownDependencyAreTold) {
  Declare("me", {});
  Declare("a", {}, {"mee", "zzzzzz"});
  EXPECT_THAT(
      Problems(),
      ElementsAre("a.yaml:20:5: options.dependsOn[0]: there is no manifest \"mee\", did you "
                  "mean \"me\"? [UnknownReference]",
                  "a.yaml:20:5: options.dependsOn[1]: there is no manifest \"zzzzzz\" "
                  "[UnknownReference]"));
}

TEST_F(Links, ToANameThatIsInvalidOrUnreadableNowAreFine) {
  Declare("a", {"${broken.anything}", "${hidden.x}"}, {"broken"});
  world.Problem("b.yaml", "broken");
  world.input.broken_files.insert("c.yaml");
  world.InForce("hidden", "t viewer", "c.yaml");
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(Links, ToWhatABrokenFileLastHeldAreFineAndOtherwiseUnknown) {
  Declare("a", {"${in-file.x}", "${in-folder.x}", "${gone.x}", "${never-there.x}"});
  world.Problem("c.yaml", "");
  world.input.broken_files.insert("teams");
  world.InForce("in-file", "t viewer", "c.yaml");
  world.InForce("in-folder", "t editor", "teams/more/d.yaml");
  world.InForce("gone", "t owner", "e.yaml");
  EXPECT_THAT(
      Problems(),
      ElementsAre("a.yaml:12:3: spec.f2: there is no manifest \"gone\"; a literal \"${\" is "
                  "written \"$${\" [UnknownReference]",
                  "a.yaml:13:3: spec.f3: there is no manifest \"never-there\"; a literal "
                  "\"${\" is written \"$${\" [UnknownReference]"));
}

TEST_F(Links, ToANameThatAFileNeverReadMayHoldAreToldWithThatFile) {
  Declare("me", {});
  Declare("a", {"${mee.x}", "${other.x}"}, {"third"});
  world.Problem("new.yaml", "");
  EXPECT_THAT(
      Problems(),
      ElementsAre("a.yaml:10:3: spec.f0: there is no manifest \"mee\", did you mean \"me\"? "
                  "[UnknownReference]",
                  "a.yaml:11:3: spec.f1: there is no manifest \"other\", unless in \"new.yaml\", "
                  "which cannot be read in full [UnknownReference]",
                  "a.yaml:20:5: options.dependsOn[0]: there is no manifest \"third\", unless in "
                  "\"new.yaml\", which cannot be read in full [UnknownReference]"));
}

TEST_F(Links, OfADocumentWithAnotherErrorAreToldAsWell) {
  Declare("me", {});
  Declare("a", {"${me.orgid}", "${mee.orgId}", "${me.orgId}"});
  world.input.invalid = {world.input.manifests.back()};
  world.input.manifests.pop_back();
  world.Problem("a.yaml", "a");
  EXPECT_EQ(Problems().size(), 2U);
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("me"));
  EXPECT_THAT(RejectedNames(result), ElementsAre("a"));
  EXPECT_EQ(result.problems.size(), 2U);
}

TEST_F(Links, ToADottedNameAreToldWithTheNearestOrAllThatMayBeMeant) {
  Declare("new.a", {});
  Declare("a", {"${new.b.orgId}", "${some.other.orgId}", "${[\"x.y\"].orgId}"});
  constexpr const char* kLiteral = "; a literal \"${\" is written \"$${\" [UnknownReference]";
  EXPECT_THAT(
      Problems(),
      ElementsAre("a.yaml:10:3: spec.f0: there is no manifest \"new.b\", did you mean "
                  "\"new.a\"? [UnknownReference]",
                  std::string("a.yaml:11:3: spec.f1: there is no manifest \"some.other\" "
                              "or \"some\"") +
                      kLiteral,
                  std::string("a.yaml:12:3: spec.f2: there is no manifest \"x.y\"") + kLiteral));
}

TEST_F(Links, ToANameThatIsGoneAreNot) {
  Declare("a", {"${gone.x}"});
  world.InForce("gone", "t viewer", "c.yaml");
  EXPECT_EQ(Problems().size(), 1U);
}

TEST_F(Links, ToANameThatIsThereTwiceAreNotFollowed) {
  Declare("me", {});
  Declare("me", {"${a.orgId}"});
  Declare("a", {"${me.nothing}"});
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(Links, InACircleAreToldOnEachOfThem) {
  Declare("a", {"${b.orgId}"});
  Declare("b", {}, {"a"});
  Declare("c", {"${a.orgId}"});
  Declare("x", {"${y.orgId}"});
  Declare("y", {"${z.orgId}"});
  Declare("z", {}, {"x"});
  constexpr const char* kWait = "these manifests wait for each other: ";
  const std::vector<std::string> wanted = {
      std::string("a.yaml:10:3: spec.f0: ") + kWait +
          "a -> b -> a; take one of these references or dependencies out [DependencyCycle]",
      std::string("b.yaml:20:5: options.dependsOn[0]: ") + kWait +
          "b -> a -> b; take one of these references or dependencies out [DependencyCycle]",
      std::string("x.yaml:10:3: spec.f0: ") + kWait +
          "x -> y -> z -> x; take one of these references or dependencies out [DependencyCycle]",
      std::string("y.yaml:10:3: spec.f0: ") + kWait +
          "y -> z -> x -> y; take one of these references or dependencies out [DependencyCycle]",
      std::string("z.yaml:20:5: options.dependsOn[0]: ") + kWait +
          "z -> x -> y -> z; take one of these references or dependencies out [DependencyCycle]"};
  EXPECT_THAT(Problems(), ElementsAreArray(wanted));
  const AdmissionResult result = world.Run();
  EXPECT_THAT(RejectedNames(result), ElementsAre("a", "b", "x", "y", "z"));
  EXPECT_THAT(AcceptedNames(result), ElementsAre("c"));
}

TEST_F(Links, MayFormAVeryLongChain) {
  constexpr int kLength = 10'000;
  for (int i = 0; i < kLength; ++i) {
    Declare("m" + std::to_string(i), {}, {"m" + std::to_string(i + 1)});
  }
  Declare("m" + std::to_string(kLength), {});
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_EQ(AcceptedNames(world.Run()).size(), kLength + 1U);
}

TEST_F(Links, ToldOfAVeryLongRingAreCutShort) {
  constexpr int kLength = 10'000;
  for (int i = 0; i < kLength; ++i) {
    Declare("m" + std::to_string(i), {}, {"m" + std::to_string((i + 1) % kLength)});
  }
  const std::vector<std::string> problems = Problems();
  ASSERT_EQ(problems.size(), 10'000U);
  EXPECT_EQ(
      problems[1],
      "m1.yaml:20:5: options.dependsOn[0]: these manifests wait for each other: m1 -> m2 -> m3 "
      "-> m4 -> m5 -> m6 -> m7 -> m8 -> m9 -> m10 -> (9990 more) -> m1; take one of these "
      "references or dependencies out [DependencyCycle]");
}

TEST_F(Links, ToTensOfThousandsOfUnknownNamesAreAllTold) {
  for (int i = 0; i < 20'000; ++i) {
    Declare("m" + std::to_string(i), {"${unknown" + std::to_string(i) + ".x}"});
  }
  EXPECT_EQ(Problems().size(), 20'000U);
}

TEST_F(Links, AliasesAreNamesOfNobodyElse) {
  Declare("me", {});
  Declare("a", {}, {}, {"me", "old"});
  Declare("b", {}, {}, {"old", "own", "own"});
  EXPECT_THAT(
      Problems(),
      ElementsAre(
          "a.yaml:30:7: options.aliases[0]: \"me\" is a manifest of this directory: an alias "
          "is a former name [AliasInUse]",
          "a.yaml:30:7: options.aliases[1]: \"old\" is also an alias of \"b\" (b.yaml:1): one "
          "resource has one former owner; leave it in one of them [AliasInUse]",
          "b.yaml:30:7: options.aliases[0]: \"old\" is also an alias of \"a\" (a.yaml:1): one "
          "resource has one former owner; leave it in one of them [AliasInUse]"));
}

TEST_F(Links, ThatAreBadKeepTheManifestOutAndTheOneInForceIn) {
  Declare("a", {"${mee.orgId}", "${n.orgId}"});
  Declare("me", {});
  world.InForce("a", "on-a viewer", "a.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("me"));
  EXPECT_THAT(
      RejectedTexts(result),
      ElementsAre("a ManifestInvalid: a.yaml:10:3: spec.f0: there is no manifest \"mee\", did "
                  "you mean \"me\"?"));
  EXPECT_EQ(result.problems.size(), 2U);
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_FALSE(result.unknown_content);
}

TEST_F(Links, ThatAreBadLeaveWhatANewcomerClaimsAlone) {
  Declare("a", {"${mee.orgId}"});
  const AdmissionResult result = world.Run();
  ASSERT_EQ(result.contested.size(), 1U);
  EXPECT_EQ(result.contested[0].target.name, "on-a");
}

struct WaitCase {
  const char* name;
  const char* spec;
  bool in_force;
  bool unknown_content;
  std::size_t contested;
};

class Waiting : public ::testing::TestWithParam<WaitCase> {};

TEST_P(Waiting, IsNoFault) {
  AdmissionFixture world;
  world.Declare("x", GetParam().spec, "a.yaml");
  world.Declare("y", "t viewer", "b.yaml");
  if (GetParam().in_force) world.InForce("x", "old viewer", "a.yaml");
  const AdmissionResult result = world.Run();
  EXPECT_THAT(AcceptedNames(result), ElementsAre("y"));
  ASSERT_EQ(result.rejected.size(), 1U);
  EXPECT_EQ(result.rejected[0].reason, "DependencyNotReady");
  EXPECT_EQ(result.rejected[0].state, ResourceState::kReconciling);
  EXPECT_EQ(result.rejected[0].message, "waits for \"me\"");
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.missing, IsEmpty());
  EXPECT_EQ(result.unknown_content, GetParam().unknown_content);
  EXPECT_EQ(result.contested.size(), GetParam().contested);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Waiting,
    ::testing::Values(WaitCase{"ForAnUnknownPlace", "later viewer", false, true, 0},
                      WaitCase{"ForAKnownPlace", "later-t viewer", false, false, 1},
                      WaitCase{"WithALastGoodVersion", "later viewer", true, false, 0}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::admission
