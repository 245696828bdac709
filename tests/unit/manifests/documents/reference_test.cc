// Manifests that refer to others: what is kept, what is checked at once, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string WithReferences(const std::string& spec, const std::string& more = "") {
  return WithSpec("spec: " + spec) + more;
}

/// "line:column path text" of each.
std::vector<std::string> ReferencesOf(const Manifest& manifest) {
  std::vector<std::string> texts;
  if (manifest.references == nullptr) return texts;
  for (const Reference& reference : *manifest.references) {
    texts.push_back(std::to_string(reference.line) + ":" + std::to_string(reference.column) + " " +
                    reference.path + " " + reference.text);
  }
  return texts;
}

TEST(References, AreKeptAsWritten) {
  const FileContent content = Load(
      WithReferences("{resourceId: \"dashboard:${d.id}\", bindings: [{relation: editor, "
                     "principals: [\"org:${me.orgId}\", \"team:$${x}\", \"user:${me.id}\"]}]}"));
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_EQ(content.manifests[0]->spec,
            R"({"bindings":[{"principals":["org:${me.orgId}","team:$${x}","user:${me.id}"],)"
            R"("relation":"editor"}],"resourceId":"dashboard:${d.id}"})");
  EXPECT_THAT(
      ReferencesOf(*content.manifests[0]),
      ElementsAre("4:31 spec.resourceId ${d.id}", "4:89 spec.bindings[0].principals[0] ${me.orgId}",
                  "4:123 spec.bindings[0].principals[2] ${me.id}"));
}

TEST(References, AreToldByEachOfTheirPlaces) {
  const FileContent content = Load(WithReferences(
      "{resourceId: \"dashboard:${d.id}${d.id}\", bindings: [{relation: \"${d.id}\", principals: "
      "\"${d.id}\"}]}"));
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_THAT(ReferencesOf(*content.manifests[0]),
              ElementsAre("4:31 spec.resourceId ${d.id}", "4:71 spec.bindings[0].relation ${d.id}",
                          "4:94 spec.bindings[0].principals ${d.id}"));
}

TEST(References, KnowWhatTheirValueBecomes) {
  const FileContent content = Load(WithReferences(
      "{resourceId: \"dashboard:${d.id}\", bindings: [{relation: \"${d.id}\", principals: "
      "[\"${d.id}\"]}, \"${d.binding}\"]}"));
  ASSERT_THAT(content.manifests, SizeIs(1));
  std::vector<std::pair<std::string, Reference::Part>> found;
  for (const Reference& reference : *content.manifests[0]->references) {
    ASSERT_NE(reference.field, nullptr);
    found.emplace_back(reference.field->name, reference.part);
  }
  using Part = Reference::Part;
  EXPECT_THAT(
      found,
      ElementsAre(std::pair("resourceId", Part::kWithin), std::pair("relation", Part::kWhole),
                  std::pair("principals", Part::kItem), std::pair("bindings", Part::kItem)));
}

TEST(References, OfADocumentWithAnErrorAreKeptBeside) {
  const FileContent content =
      Load(WithReferences(
               "{resourceId: \"dashboard:${}\", bindings: [{relation: \"${d.x}\", principals: "
               "[\"org:1\"]}]}") +
           "---\n" + WithSpec("spec: {resourceId: nothing, bindings: []}"));
  EXPECT_THAT(content.manifests, IsEmpty());
  ASSERT_THAT(content.invalid, SizeIs(1)) << "the other one names nobody";
  EXPECT_EQ(content.invalid[0]->name, "a");
  EXPECT_THAT(ReferencesOf(*content.invalid[0]),
              ElementsAre("4:60 spec.bindings[0].relation ${d.x}"));
}

TEST(References, StandForAValueOfAnyType) {
  for (const char* spec : {"{resourceId: \"${d.x}\", bindings: \"${d.list}\"}",
                           "{resourceId: \"${d.x}\", bindings: [\"${d.binding}\"]}",
                           "{resourceId: \"${d.x}\", bindings: [{relation: \"${d.x}\", principals: "
                           "\"${d.list}\"}]}"}) {
    const FileContent content = Load(WithReferences(spec));
    EXPECT_THAT(ListProblems(content), IsEmpty()) << spec;
    EXPECT_THAT(content.manifests, SizeIs(1)) << spec;
  }
}

TEST(References, MakeAnotherManifestThanTheSameTextMeantLiterally) {
  const FileContent reference =
      Load(WithReferences("{resourceId: \"monitor:${a.b}\", bindings: []}"));
  const FileContent literal =
      Load(WithReferences("{resourceId: \"monitor:$${a.b}\", bindings: []}"));
  ASSERT_THAT(reference.manifests, SizeIs(1));
  ASSERT_THAT(literal.manifests, SizeIs(1));
  EXPECT_EQ(reference.manifests[0]->spec, literal.manifests[0]->spec);
  EXPECT_EQ(literal.manifests[0]->references, nullptr);
  EXPECT_NE(reference.manifests[0]->digest, literal.manifests[0]->digest);
}

TEST(References, StandWhereTheirTextDoes) {
  const std::string text =
      "apiVersion: cloudnative:backupdr/v1\nkind: ManagementServerIamBinding\n"
      "metadata: {name: a}\n"
      "spec:\n"
      "  name: locations/l/managementServers/${job.name}\n"
      "  role: \"roles/${job.role}\"\n"
      "  members: ['user:${job.mail}', \"${job.\\x61}\"]\n"
      "  condition:\n"
      "    title: \xC3\xA9 ${job.title}\n"
      "    expression: |\n"
      "      a\n"
      "      ${job.expression}\n";
  const FileContent content = Load(text);
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_THAT(ReferencesOf(*content.manifests[0]),
              ElementsAre("5:39 spec.name ${job.name}", "6:16 spec.role ${job.role}",
                          "7:19 spec.members[0] ${job.mail}", "7:34 spec.members[1] ${job.a}",
                          "9:14 spec.condition.title ${job.title}",
                          "10:17 spec.condition.expression ${job.expression}"));
}

class ReferenceErrors : public ::testing::TestWithParam<LoaderCase> {};

TEST_P(ReferenceErrors, AreToldWithTheirPlace) {
  const FileContent content = Load(GetParam().text);
  EXPECT_THAT(ListProblems(content), ElementsAreArray(GetParam().problems));
}

constexpr const char* kNotHere =
    "a reference has no meaning here: only \"spec\" can hold one; a literal \"${\" is written "
    "\"$${\" [ReferenceNotAllowed]";

INSTANTIATE_TEST_SUITE_P(
    Cases, ReferenceErrors,
    ::testing::Values(
        LoaderCase{
            "NotClosed",
            WithReferences("{resourceId: \"dashboard:${d.id\", bindings: []}"),
            {"4:31: spec.resourceId: the reference is not closed: \"}\" is missing; a literal "
             "\"${\" is written \"$${\" [BadReference]",
             "4:50: spec.bindings: no bindings: the resource is open to everyone in the "
             "organization "
             "[EmptyPolicy, warning]"}},
        LoaderCase{"Empty",
                   WithReferences("{resourceId: \"app-builder-app:1\", bindings: \"${}\"}"),
                   {"4:52: spec.bindings: the reference is empty: write ${NAME.FIELD}; a literal "
                    "\"${\" is written \"$${\" [BadReference]"}},
        LoaderCase{"TextAroundAList",
                   WithReferences("{resourceId: \"app-builder-app:1\", bindings: \"x${d.list}\"}"),
                   {"4:51: spec.bindings: expected a list: a reference with text around it gives a "
                    "string [WrongType]"}},
        LoaderCase{
            "TextAroundAMap",
            WithReferences("{resourceId: \"app-builder-app:1\", bindings: [\"${d.a} \"]}"),
            {"4:52: spec.bindings[0]: expected a map: a reference with text around it gives a "
             "string [WrongType]"}},
        LoaderCase{
            "TheRestIsCheckedStill",
            WithReferences("{resourceId: \"dashboard:${d.id}\", bindings: [{relation: \"a b\", "
                           "principals: [\"${d.x}\", \"org\"]}], more: 1}"),
            {"4:63: spec.bindings[0].relation: \"a b\" is not a relation such as \"viewer\" or "
             "\"editor\" [BadRelation]",
             "4:93: spec.bindings[0].principals[1]: \"org\" is not of the form TYPE:ID with the "
             "type role, team, user or org [BadPrincipal]",
             "4:103: spec.more: unknown field \"more\"; known are \"resourceId\" and "
             "\"bindings\" [UnknownField]"}},
        LoaderCase{"InTheOptions",
                   Policy() + "options: {dependsOn: [\"${me}\"], import: \"${me.id}\"}\n",
                   {std::string("6:23: options.dependsOn[0]: ") + kNotHere,
                    std::string("6:41: options.import: ") + kNotHere}},
        LoaderCase{"InTheMetadata",
                   "apiVersion: monitoring\nkind: RestrictionPolicy\n"
                   "metadata: {name: \"${a.b}\", labels: {x: \"${y}\"}, annotations: {z: \"${\"}}\n"
                   "spec: {resourceId: \"monitor:1\", bindings: [{relation: editor, principals: "
                   "[\"org:1\"]}]}\n",
                   {std::string("3:18: metadata.name: ") + kNotHere,
                    std::string("3:40: metadata.labels.x: ") + kNotHere,
                    std::string("3:66: metadata.annotations.z: ") + kNotHere}},
        LoaderCase{"InTheKind",
                   "apiVersion: \"${a.b}\"\nkind: \"${a.b}\"\nmetadata: {name: a}\nspec: {}\n",
                   {"1:13: apiVersion: a reference has no meaning here: only \"spec\" can hold one "
                    "[ReferenceNotAllowed]",
                    "2:7: kind: a reference has no meaning here: only \"spec\" can hold one "
                    "[ReferenceNotAllowed]"}}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(References, AreLiteralInMetadataWhenEscaped) {
  const FileContent content = Load(
      "apiVersion: monitoring\nkind: RestrictionPolicy\n"
      "metadata: {name: a, annotations: {z: \"a $${b} $\"}}\n"
      "spec: {resourceId: \"monitor:1\", bindings: [{relation: editor, principals: "
      "[\"org:1\"]}]}\n");
  EXPECT_THAT(ListProblems(content), IsEmpty());
  ASSERT_THAT(content.manifests, SizeIs(1));
  EXPECT_EQ(content.manifests[0]->annotations, R"({"z":"a ${b} $"})");
}

}  // namespace
}  // namespace bindery::manifests
