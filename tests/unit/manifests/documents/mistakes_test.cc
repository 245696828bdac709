// What people do wrong in manifests that is good YAML, and what they are told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "manifests/documents/source_excerpts.h"
#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAreArray;
using MistakeCase = LoaderCase;

class ManifestMistake : public ::testing::TestWithParam<MistakeCase> {};

TEST_P(ManifestMistake, IsNamedWhereItIs) {
  const FileContent content = Load(GetParam().text);
  EXPECT_THAT(ListProblems(content), ElementsAreArray(GetParam().problems));
  EXPECT_TRUE(content.manifests.empty());
}

/// An IAM binding with that name, and `members` from its eighth line on.
std::string Binding(const std::string& name, const std::string& members) {
  return "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
         "metadata:\n  name: " +
         name +
         "\nspec:\n  name: projects/a/locations/global/authorizationPolicies/p\n"
         "  role: roles/viewer\n  members: " +
         members + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Sorts, ManifestMistake,
    ::testing::Values(
        MistakeCase{
            "TextForAMap",
            "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata:\n  name:a\n",
            {"1:1: spec: required field is missing [MissingField]",
             "4:3: metadata: expected a map, found a string; a space is missing after the colon: "
             "write \"name: a\" [WrongType]"}},
        MistakeCase{
            "TextForAList",
            Binding("a", "user:ana@example.com, group:sre@example.com"),
            {"8:12: spec.members: expected a list, found a string; write [user:ana@example.com, "
             "group:sre@example.com], or each item on a line of its own behind \"- \" "
             "[WrongType]"}},
        MistakeCase{
            "NoSpaceAfterTheDash",
            Binding("a", "\n    -user:ana@example.com\n    -user:b@example.com"),
            {"9:5: spec.members: expected a list, found a string; a space is missing after the "
             "dash: write \"- user:ana@example.com\" [WrongType]"}},
        MistakeCase{
            "AnotherBullet",
            Binding("a", "\n    \u2022 user:ana@example.com"),
            {"9:5: spec.members: expected a list, found a string; each item of a list begins with "
             "\"- \", not with \"\u2022\" [WrongType]"}},
        MistakeCase{"SpaceInAMember",
                    Binding("a", "\n    - user: ana@example.com"),
                    {"9:7: spec.members[0]: expected a string, found a map; write "
                     "\"user:ana@example.com\" without a space after the colon [WrongType]"}},
        MistakeCase{
            "ItemsThatAreJoined",
            Binding("a", "\n    - user:ana@example.com\n     - user:b@example.com"),
            {"9:7: spec.members[0]: \"user:ana@example.com - user:b@example.com\" is not of the "
             "form user:NAME@DOMAIN; the line below is read as part of it: begin both \"- \" in "
             "one column [BadMember]"}},
        MistakeCase{
            "ListForAText",
            "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata:\n  name: [a]\nspec: "
            "{resourceId: \"dashboard:abc-def-ghi\", bindings: [{relation: editor, principals: "
            "[\"org:1\"]}]}\n",
            {"4:9: metadata.name: expected a string, found a list; write \"a\" without brackets or "
             "\"- \" [WrongType]"}},
        MistakeCase{
            "CommentForAText",
            Binding("#a", "[allUsers]"),
            {"4:3: metadata.name: expected a string, found nothing; \"#\" begins a comment: a text "
             "that begins with it needs quotes [WrongType]"}},
        MistakeCase{
            "AnchorForAText",
            Binding("&a", "[allUsers]"),
            {"4:9: metadata.name: expected a string, found nothing; \"&\" begins an anchor: a text "
             "that begins with it needs quotes [WrongType]"}}),
    NameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Places, ManifestMistake,
    ::testing::Values(
        MistakeCase{
            "NameAtTheTop",
            "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata:\nname: a\nspec: "
            "{resourceId: \"dashboard:abc-def-ghi\", bindings: [{relation: editor, principals: "
            "[\"org:1\"]}]}\n",
            {"3:1: metadata: expected a map, found nothing; its fields are on the lines below, "
             "indented further [WrongType]",
             "4:1: name: unknown field \"name\": it belongs under \"metadata\", indented further "
             "than that [UnknownField]"}},
        MistakeCase{
            "SpecAtTheTop",
            Policy() + "bindings: []\n",
            {"6:1: bindings: unknown field \"bindings\": it belongs under \"spec\", indented "
             "further than that [UnknownField]"}},
        MistakeCase{
            "OptionInTheSpec",
            WithSpec("spec: {mode: observe, resourceId: \"dashboard:abc-def-ghi\",\n  bindings: "
                     "[{relation: editor, principals: [\"org:1\"]}]}"),
            {"4:8: spec.mode: unknown field \"mode\": it belongs under \"options\" "
             "[UnknownField]"}}),
    NameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Others, ManifestMistake,
    ::testing::Values(
        MistakeCase{
            "Kubernetes",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {}\n",
            {"1:13: apiVersion: \"v1\" is an API of Kubernetes: this directory is for manifests of "
             "bindery alone, move the file out of it [UnknownApiVersion]"}},
        MistakeCase{
            "ConfigConnector",
            "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember\n",
            {"1:13: apiVersion: \"iam.cnrm.cloud.google.com/v1beta1\" is an API of Kubernetes: "
             "this "
             "directory is for manifests of bindery alone, move the file out of it "
             "[UnknownApiVersion]"}},
        MistakeCase{"HalfOfOurVersion",
                    "apiVersion: backupdr/v1\nkind: X\nmetadata: {name: a}\nspec: {}\n",
                    {"1:13: apiVersion: unknown apiVersion \"backupdr/v1\", did you mean "
                     "\"cloudnative:backupdr/v1\"? [UnknownApiVersion]"}},
        MistakeCase{"Pulumi",
                    "name: p\nruntime: yaml\nresources: {}\n",
                    {"1:1: this is a program of Pulumi: \"bindery convert\" makes manifests of it "
                     "[UnknownApiVersion]"}},
        MistakeCase{
            "SomethingElse",
            "services: {web: {}}\n",
            {"1:1: this is no manifest: it has neither apiVersion and kind nor metadata and spec "
             "[UnknownApiVersion]"}}),
    NameOfCase);

INSTANTIATE_TEST_SUITE_P(
    Texts, ManifestMistake,
    ::testing::Values(
        MistakeCase{
            "TemplateInAName",
            Binding("\"{{ .Values.name }}\"", "[allUsers]"),
            {"4:9: metadata.name: name \"{{ .Values.name }}\" must consist of lower-case letters, "
             "digits, '-' and '.', and begin and end with a letter or digit; \"{{\" is the syntax "
             "of a template: render it and put the result here [BadName]"}},
        // An address may hold braces, so that nothing else refuses it.
        MistakeCase{
            "TemplateInAMember",
            Binding("a", "[\"user:{{user}}@example.com\"]"),
            {"8:13: spec.members[0]: \"user:{{user}}@example.com\"; \"{{\" is the syntax of a "
             "template: render it and put the result here [BadValue]"}},
        MistakeCase{
            "TypographicQuotes",
            Binding("\u201Ca\u201D", "[allUsers]"),
            {"4:9: metadata.name: name \"\u201Ca\u201D\" must consist of lower-case letters, "
             "digits, "
             "'-' and '.', and begin and end with a letter or digit; it holds a typographic quote "
             "(U+201C): write \" or ' [BadName]"}}),
    NameOfCase);

TEST(Loader, NothingOfAFileWithConflictMarkersIsRead) {
  // Each of the documents is sound by itself, and one of the two was to go.
  const FileContent content = Load("<<<<<<< HEAD\n---\n" + Policy("a") + "---\n=======\n---\n" +
                                   Policy("b") + "---\n>>>>>>> branch\n");
  EXPECT_TRUE(content.manifests.empty());
  ASSERT_EQ(content.problems.size(), 1U);
  EXPECT_THAT(content.problems[0].message, ::testing::StartsWith("merge conflict markers"));
}

TEST(Excerpts, EveryProblemShowsItsLine) {
  const FileContent content = Load("kind: A\nspec:\n  role:x\n  m: []\n---\napiVersion: 1\n");
  ASSERT_FALSE(content.problems.empty());
  EXPECT_EQ(content.problems[0].excerpt, " |   role:x\n | ......^");
  for (const Problem& problem : content.problems) EXPECT_NE(problem.excerpt, "") << problem.Text();
}

TEST(Excerpts, LinesEndAsTheyDoForTheReader) {
  SourceExcerpts lines(
      "\xEF\xBB\xBF"
      "a\r\nb\rc\nd");
  EXPECT_EQ(lines.At(1, 1), " | a\n | ^");
  EXPECT_EQ(lines.At(2, 1), " | b\n | ^");
  EXPECT_EQ(lines.At(3, 1), " | c\n | ^");
  EXPECT_EQ(lines.At(4, 9), " | d\n | .^");
  EXPECT_EQ(lines.At(5, 1), "");
  EXPECT_EQ(lines.At(0, 1), "");
}

TEST(Excerpts, NothingInThemSteersATerminal) {
  SourceExcerpts lines("a\x1B[2Jb\u202Ec\xFF\u00A0d\te");
  EXPECT_EQ(lines.At(1, 1), " | a\uFFFD[2Jb\uFFFDc\uFFFD\uFFFDd\te\n | ^");
}

}  // namespace
}  // namespace bindery::manifests
