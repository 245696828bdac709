// What manifests say of each other: unknown names and fields, secrets, cycles, former names.

#include "admission/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/admission_fixture.h"

namespace bindery {
namespace {

using testing::AcceptedNames;
using testing::AdmissionFixture;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using testing::RejectedNames;
using testing::RejectedTexts;

Field MakeField(std::string name, FieldType type, std::vector<Field> fields = {}) {
  Field field;
  field.name = std::move(name);
  field.type = type;
  field.fields = std::move(fields);
  return field;
}

const KindSchema& Schema() {
  static const KindSchema kSchema = [] {
    KindSchema schema;
    schema.token = {"v1", "Thing"};
    Field items = MakeField("items", FieldType::kList, {MakeField("id", FieldType::kString)});
    items.item_type = FieldType::kObject;
    Field others = MakeField("others", FieldType::kList, {MakeField("x", FieldType::kString)});
    others.item_type = FieldType::kObject;
    Field signed_uri = MakeField("signedUri", FieldType::kString);
    signed_uri.secret = true;
    schema.inputs = {MakeField("name", FieldType::kString), MakeField("list", FieldType::kList),
                     std::move(items)};
    schema.outputs = {MakeField("orgId", FieldType::kString),
                      MakeField("tags", FieldType::kStringMap), std::move(others),
                      MakeField("upload", FieldType::kObject,
                                {std::move(signed_uri), MakeField("expires", FieldType::kString)})};
    return schema;
  }();
  return kSchema;
}

class Links : public ::testing::Test {
 protected:
  /// A manifest on a target of its own, in "NAME.yaml", with these references and dependencies.
  void Declare(const std::string& name, const std::vector<std::string>& references,
               const std::vector<std::string>& depends_on = {},
               const std::vector<std::string>& aliases = {}) {
    Manifest manifest =
        *AdmissionFixture::MakeManifest(name, "on-" + name + " viewer", name + ".yaml", 1);
    manifest.token = &Schema().token;
    std::vector<Reference> all;
    for (const std::string& text : references) {
      const auto i = static_cast<int>(all.size());
      all.push_back({text, "spec.f" + std::to_string(i), 10 + i, 3});
    }
    if (!all.empty()) {
      manifest.references = std::make_shared<const std::vector<Reference>>(std::move(all));
    }
    RareOptions rare;
    rare.depends_on = depends_on;
    rare.aliases = aliases;
    rare.depends_on_at.resize(depends_on.size(), {20, 5});
    rare.aliases_at.resize(aliases.size(), {30, 7});
    if (!(rare == RareOptions{})) {
      manifest.options.rare = std::make_shared<const RareOptions>(std::move(rare));
    }
    world.input.manifests.push_back(std::make_shared<const Manifest>(std::move(manifest)));
  }

  std::vector<std::string> Problems() {
    world.input.schema_of = [](const TypeToken& token) {
      return token == Schema().token ? &Schema() : nullptr;
    };
    std::vector<std::string> texts;
    for (const LinkFault& fault : CheckLinks(world.input)) {
      EXPECT_EQ(fault.problem.resource, fault.manifest->name);
      texts.push_back(fault.problem.Text() + " [" + fault.problem.code + "]");
    }
    return texts;
  }

  AdmissionFixture world;
};

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
                 "these manifests wait for each other: a -> a [DependencyCycle]"}),
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

struct TypeCase {
  const char* name;
  std::string reference;
  Field field;
  Reference::Part part = Reference::Part::kWhole;
  std::string problem = "";  ///< Empty: it may fit.
};

void PrintTo(const TypeCase& tested, std::ostream* out) { *out << tested.name; }

class ReferenceTypes : public Links, public ::testing::WithParamInterface<TypeCase> {};

TEST_P(ReferenceTypes, AreProvenByTheSchemas) {
  const TypeCase& tested = GetParam();
  Declare("me", {});
  Declare("a", {tested.reference});
  Manifest manifest = *world.input.manifests.back();
  manifest.references = std::make_shared<const std::vector<Reference>>(
      1, Reference{tested.reference, "spec.f", 10, 3, &tested.field, tested.part});
  world.input.manifests.back() = std::make_shared<const Manifest>(std::move(manifest));
  if (tested.problem.empty()) {
    EXPECT_THAT(Problems(), IsEmpty());
  } else {
    EXPECT_THAT(Problems(), ElementsAre("a.yaml:10:3: spec.f: " + tested.reference + " is " +
                                        tested.problem + " [WrongType]"));
  }
}

Field ListOfThings() {
  Field id = MakeField("id", FieldType::kString);
  id.required = true;
  Field list = MakeField("things", FieldType::kList, {std::move(id)});
  list.item_type = FieldType::kObject;
  return list;
}

const Field kText = MakeField("text", FieldType::kString);
const Field kTexts = MakeField("texts", FieldType::kList);
const Field kThings = ListOfThings();

INSTANTIATE_TEST_SUITE_P(
    Cases, ReferenceTypes,
    ::testing::Values(TypeCase{"TextIntoText", "${me.orgId}", kText},
                      TypeCase{"ItemIntoText", "${me.list[0]}", kText},
                      TypeCase{"LabelIntoText", "${me.tags.any}", kText},
                      TypeCase{"TextIntoItem", "${me.orgId}", kTexts, Reference::Part::kItem},
                      TypeCase{"ListIntoList", "${me.list}", kTexts},
                      TypeCase{"MapsIntoMaps", "${me.items}", kThings},
                      TypeCase{"MapIntoMap", "${me.items[0]}", kThings, Reference::Part::kItem},
                      TypeCase{"TextWithinText", "${me.list[0]}", kText, Reference::Part::kWithin},
                      TypeCase{"ListIntoText", "${me.list}", kText, Reference::Part::kWhole,
                               "a list: expected a string"},
                      TypeCase{"MapIntoText", "${me.items[0]}", kTexts, Reference::Part::kItem,
                               "a map: expected a string"},
                      TypeCase{"ListIntoItem", "${me.list}", kTexts, Reference::Part::kItem,
                               "a list: expected a string"},
                      TypeCase{"TextIntoList", "${me.orgId}", kTexts, Reference::Part::kWhole,
                               "a string: expected a list"},
                      TypeCase{"MapsIntoTexts", "${me.items}", kTexts, Reference::Part::kWhole,
                               "a list of maps: expected a list of strings"},
                      TypeCase{"MapOfTextsIntoText", "${me.tags}", kText, Reference::Part::kWhole,
                               "a map: expected a string"},
                      TypeCase{"ListWithinText", "${me.items}", kText, Reference::Part::kWithin,
                               "a list: it cannot stand within a text, only alone"},
                      TypeCase{"OtherMaps", "${me.others}", kThings, Reference::Part::kWhole,
                               "a list of maps without \"id\", which is required here"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(Links, ToValuesThatWillNeverBeGivenAreTold) {
  Declare("me", {});
  Declare("a", {"${me.list[1]}", "${me.items[0].id}", "${me.items[2].id}", "${me.name}",
                "${me.orgId}", "${me.tags.any}"});
  Manifest manifest = *world.input.manifests.front();
  manifest.spec = R"({"list": ["x", "y"], "items": [{}]})";
  world.input.manifests.front() = std::make_shared<const Manifest>(std::move(manifest));
  EXPECT_THAT(
      Problems(),
      ElementsAre("a.yaml:11:3: spec.f1: ${me.items[0].id}: \"me\" (me.yaml:1) does not declare "
                  "\"items[0].id\" [MissingValue]",
                  "a.yaml:12:3: spec.f2: ${me.items[2].id}: \"me\" (me.yaml:1) does not declare "
                  "\"items[2]\": there is 1 item [MissingValue]",
                  "a.yaml:13:3: spec.f3: ${me.name}: \"me\" (me.yaml:1) does not declare \"name\" "
                  "[MissingValue]"));
}

TEST_F(Links, ToValuesThatAReferenceWillGiveAreFine) {
  Declare("other", {});
  Declare("me", {"${other.list}"});
  Declare("a", {"${me.list[7]}", "${me.items[0].id}", "${me.items[1].id}"});
  Manifest manifest = *world.input.manifests[1];
  manifest.spec = R"({"list": "${other.list}", "items": ["${other.items[0]}"]})";
  world.input.manifests[1] = std::make_shared<const Manifest>(std::move(manifest));
  EXPECT_EQ(Problems().size(), 1U) << "the second item";
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
      std::string("a.yaml:10:3: spec.f0: ") + kWait + "a -> b -> a [DependencyCycle]",
      std::string("b.yaml:20:5: options.dependsOn[0]: ") + kWait + "b -> a -> b [DependencyCycle]",
      std::string("x.yaml:10:3: spec.f0: ") + kWait + "x -> y -> z -> x [DependencyCycle]",
      std::string("y.yaml:10:3: spec.f0: ") + kWait + "y -> z -> x -> y [DependencyCycle]",
      std::string("z.yaml:20:5: options.dependsOn[0]: ") + kWait +
          "z -> x -> y -> z [DependencyCycle]"};
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
      "-> m4 -> m5 -> m6 -> m7 -> m8 -> m9 -> m10 -> (9990 more) -> m1 [DependencyCycle]");
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
          "resource has one former owner [AliasInUse]",
          "b.yaml:30:7: options.aliases[0]: \"old\" is also an alias of \"a\" (a.yaml:1): one "
          "resource has one former owner [AliasInUse]"));
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
}  // namespace bindery
