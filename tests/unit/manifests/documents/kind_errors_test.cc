#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAreArray;
using KindCase = LoaderCase;

class KindReports : public ::testing::TestWithParam<KindCase> {};

TEST_P(KindReports, EveryProblemWithItsPlace) {
  EXPECT_THAT(ListProblems(Load(GetParam().text)), ElementsAreArray(GetParam().problems));
}

// --- IAM bindings -------------------------------------------------------------------------------

std::string Iam(const std::string& changed) {
  std::string name = "locations/l/authorizationPolicies/a";
  std::string role = "roles/browser";
  std::string members = "[allUsers]";
  std::string rest;
  const auto colon = changed.find(": ");
  const std::string key = changed.substr(0, colon);
  const std::string value = colon == std::string::npos ? "" : changed.substr(colon + 2);
  if (key == "name") name = value;
  if (key == "role") role = value;
  if (key == "members") members = value;
  if (key == "condition") rest = "  condition: " + value + "\n";
  return "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
         "metadata: {name: a}\nspec:\n  name: " +
         name + "\n  role: " + role + "\n  members: " + members + "\n" + rest;
}

constexpr const char* kNameForm =
    "projects/PROJECT/locations/LOCATION/authorizationPolicies/ID, or the part from locations/ on "
    "[BadResourceName]";

INSTANTIATE_TEST_SUITE_P(
    IamBindings, KindReports,
    ::testing::Values(
        KindCase{"NoMembers",
                 Iam("members: []"),
                 {"7:12: spec.members: needs at least 1 item [TooFewItems]"}},
        KindCase{
            "MembersAsText",
            Iam("members: allUsers"),
            {"7:12: spec.members: expected a list, found a string; write [allUsers], or each item "
             "on a line of its own behind \"- \" [WrongType]"}},
        KindCase{"NumberAsMember",
                 Iam("members: [1, {a: b}]"),
                 {"7:13: spec.members[0]: expected a string, found an integer; put \"1\" in quotes "
                  "[WrongType]",
                  "7:16: spec.members[1]: expected a string, found a map; write \"a:b\" without a "
                  "space after the colon [WrongType]"}},
        KindCase{
            "BadMemberBesideABadCondition",
            Iam("members: [\"foo:bar\", allUsers, allUsers]") +
                "  condition: {expression: \"request.time <\", title: x}\n",
            {"7:13: spec.members[0]: \"foo:bar\" has the unknown member type \"foo\" "
             "[BadMember]",
             "7:34: spec.members[2]: \"allUsers\" is listed twice (first as members[1]) "
             "[DuplicateMember, warning]",
             "8:42: spec.condition.expression: Syntax error: mismatched input '<EOF>' expecting "
             "an expression [ConditionCompileCheck]"}},
        KindCase{
            "ConditionWithoutTitle",
            Iam("condition: {expression: \"request.time <\"}"),
            {"8:14: spec.condition.title: required field is missing [MissingField]",
             "8:42: spec.condition.expression: Syntax error: mismatched input '<EOF>' expecting "
             "an expression [ConditionCompileCheck]"}},
        KindCase{"ConditionWithoutExpression",
                 Iam("condition: {title: x}"),
                 {"8:14: spec.condition.expression: required field is missing [MissingField]"}},
        KindCase{"TwiceTheSameMember",
                 Iam("members: [\"user:Ana@Example.com\", \"user:ana@example.com\"]"),
                 {"7:37: spec.members[1]: \"user:ana@example.com\" is listed twice (first as "
                  "members[0]) [DuplicateMember, warning]"}},
        KindCase{
            "FormOfAnotherService",
            Iam("members: [\"projectOwner:p\"]"),
            {"7:13: spec.members[0]: \"projectOwner:p\" is a form of Cloud Storage and BigQuery: "
             "other services refuse it [UnlikelyMember, warning]"}},
        KindCase{"OtherCollection",
                 Iam("name: projects/p/locations/l/managementServers/m"),
                 {std::string(
                      "5:9: spec.name: \"projects/p/locations/l/managementServers/m\" is for the "
                      "kind ManagementServerIamBinding: this kind takes ") +
                  kNameForm}},
        KindCase{
            "HostOfAnotherService",
            Iam("name: //pubsub.googleapis.com/projects/p/locations/l/authorizationPolicies/a"),
            {std::string("5:9: spec.name: \"//pubsub.googleapis.com/projects/p/locations/l/"
                         "authorizationPolicies/a\" is not a resource name: write ") +
             kNameForm}},
        KindCase{"BareName",
                 Iam("name: payments"),
                 {std::string("5:9: spec.name: \"payments\" is not a resource name: write ") +
                  kNameForm}},
        KindCase{
            "ClimbingName",
            Iam("name: projects/../locations/l/authorizationPolicies/a"),
            {std::string("5:9: spec.name: \"projects/../locations/l/authorizationPolicies/a\" is "
                         "not a resource name: write ") +
             kNameForm}},
        KindCase{
            "NameWithMethod",
            Iam("name: \"locations/l/authorizationPolicies/a:setIamPolicy\""),
            {std::string("5:9: spec.name: \"locations/l/authorizationPolicies/a:setIamPolicy\" is "
                         "not a resource name: write ") +
             kNameForm}},
        KindCase{"BareRole",
                 Iam("role: viewer"),
                 {"6:9: spec.role: \"viewer\" is not a role, did you mean \"roles/viewer\"? "
                  "[BadRole]"}},
        KindCase{"StrangeRole",
                 Iam("role: folders/1/roles/x"),
                 {"6:9: spec.role: \"folders/1/roles/x\" is not a role: write roles/NAME, "
                  "projects/PROJECT/roles/NAME or organizations/NUMBER/roles/NAME [BadRole]"}},
        KindCase{"EmptyCondition",
                 Iam("condition: {}"),
                 {"8:14: spec.condition.expression: required field is missing [MissingField]",
                  "8:14: spec.condition.title: required field is missing [MissingField]"}},
        KindCase{
            "BlankCondition",
            Iam("condition: {expression: \" \", title: \"\", location: x}"),
            {"8:27: spec.condition.expression: must not be empty [EmptyValue]",
             "8:39: spec.condition.title: must not be empty [EmptyValue]",
             "8:43: spec.condition.location: unknown field \"location\"; known are \"expression\", "
             "\"title\" and \"description\" [UnknownField]"}},
        KindCase{"ConditionAsText",
                 Iam("condition: x"),
                 {"8:14: spec.condition: expected a map, found a string [WrongType]"}}),
    NameOfCase);

TEST(IamBindingReports, ConditionsOnBasicRolesAsAWarning) {
  std::string text = Iam("condition: {expression: \"true\", title: t}");
  text.replace(text.find("roles/browser"), 13, "roles/viewer");
  const FileContent content = Load(text);
  EXPECT_THAT(ListProblems(content),
              ElementsAreArray(
                  {"8:14: spec.condition: Conditions can't be set on primitive roles: services "
                   "that hold to this refuse one on \"roles/viewer\" "
                   "[BindingRoleAllowConditionCheck, warning]"}));
  EXPECT_EQ(content.manifests.size(), 1U);
}

struct ConditionCase {
  std::string expression;  ///< As it stands in the file, from line 8 column 37 on.
  std::string place;
  std::string excerpt;
};

TEST(IamBindingReports, WhereInItsTextAConditionIsWrong) {
  const std::string problem =
      ": spec.condition.expression: undeclared reference to 'request.tme' (in container ''), did "
      "you mean \"request.time\"? [ConditionCompileCheck]";
  const std::string excerpt = " | true && request.tme == 1\n | ........^";
  for (const ConditionCase& one :
       {ConditionCase{"true && request.tme == 1", "8:45", excerpt},
        ConditionCase{"'true && request.tme == 1'", "8:46", excerpt},
        ConditionCase{"\"true && request.tme == 1\"", "8:46", excerpt},
        // What was unescaped or folded is not where it stands.
        ConditionCase{"\"tr\\x75e && request.tme == 1\"", "8:37", excerpt},
        ConditionCase{"true &&\n      request.tme == 1", "8:37", excerpt}}) {
    const FileContent content =
        Load(Iam("condition: {title: t, expression: " + one.expression + "}"));
    EXPECT_THAT(ListProblems(content), ElementsAreArray({one.place + problem})) << one.expression;
    EXPECT_EQ(content.problems.front().excerpt, one.excerpt);
    EXPECT_TRUE(content.manifests.empty());
  }
}

TEST(IamBindingReports, ConditionsThatAreLikelyNotMeantAsWarnings) {
  const FileContent content =
      Load(Iam("condition: \n    title: t\n    expression: |\n"
               "      request.time.getMonth() == 12 &&\n      request.host == 'a'\n"));
  EXPECT_THAT(
      ListProblems(content),
      ElementsAreArray(
          {"10:17: spec.condition.expression: The value being compared to the specified timestamp "
           "function (getMonth) must be in range [0, 11]. [DateTimeRangeCheck, warning]",
           "10:17: spec.condition.expression: request.host is not available for resources of "
           "networksecurity.googleapis.com: this part of the condition never grants "
           "[RestrictedAttributesCheck, warning]"}));
  EXPECT_EQ(content.manifests.size(), 1U);
  EXPECT_EQ(content.problems.back().Lines(),
            content.problems.back().Text() + "\n | request.host == 'a'\n | ^");
}

TEST(IamBindingReports, TooManyMembersAndGroups) {
  std::string members;
  for (int i = 0; i < 1501; ++i) members += "\n  - user:u" + std::to_string(i) + "@example.com";
  EXPECT_THAT(
      ListProblems(Load(Iam("members: " + members))),
      ElementsAreArray({"8:3: spec.members: 1501 items are more than 1500 [TooManyItems]"}));
  members.clear();
  for (int i = 0; i < 251; ++i) members += "\n  - group:u" + std::to_string(i) + "@example.com";
  EXPECT_THAT(ListProblems(Load(Iam("members: " + members))),
              ElementsAreArray({"8:3: spec.members: 251 groups and domains: a policy takes 250 at "
                                "most [TooManyGroups, warning]"}));
}

// --- restriction policies -----------------------------------------------------------------------

std::string Restriction(const std::string& bindings) {
  return WithSpec("spec:\n  resourceId: dashboard:abc-def-ghi\n" + bindings);
}

INSTANTIATE_TEST_SUITE_P(
    RestrictionPolicies, KindReports,
    ::testing::Values(
        KindCase{
            "NoBindings",
            Restriction(""),
            {"5:3: spec.bindings: a policy without bindings opens the resource to everyone in the "
             "organization: write \"bindings: []\" when that is meant [EmptyPolicy]"}},
        KindCase{"EmptyBindingsOnPurpose",
                 Restriction("  bindings: []"),
                 {"6:13: spec.bindings: no bindings: the resource is open to everyone in the "
                  "organization [EmptyPolicy, warning]"}},
        KindCase{"NullBindings",
                 Restriction("  bindings:"),
                 {"6:3: spec.bindings: expected a list, found nothing [WrongType]"}},
        KindCase{"BindingAsText",
                 Restriction("  bindings: [x]"),
                 {"6:14: spec.bindings[0]: expected a map, found a string [WrongType]"}},
        KindCase{"NoPrincipals",
                 Restriction("  bindings: [{relation: viewer, principals: []}]"),
                 {"6:45: spec.bindings[0].principals: needs at least 1 item [TooFewItems]"}},
        KindCase{"IncompleteBinding",
                 Restriction("  bindings:\n  - {relation: viewer}\n  - {principals: [\"org:1\"]}"),
                 {"7:5: spec.bindings[0].principals: required field is missing [MissingField]",
                  "8:5: spec.bindings[1].relation: required field is missing [MissingField]"}},
        KindCase{
            "RelationTwice",
            Restriction("  bindings:\n  - {relation: viewer, principals: [\"org:1\"]}\n"
                        "  - {relation: viewer, principals: [\"org:2\"]}"),
            {"8:16: spec.bindings[1].relation: relation \"viewer\" is declared twice (first in "
             "bindings[0]): list all its principals in one binding [DuplicateRelation]"}},
        KindCase{
            "UnknownRelation",
            Restriction("  bindings: [{relation: runner, principals: [\"org:1\"]}]"),
            {"6:25: spec.bindings[0].relation: unknown relation \"runner\" of a dashboard; known "
             "are \"viewer\" and \"editor\" [UnknownRelation, warning]"}},
        KindCase{
            "BlankRelation",
            Restriction("  bindings: [{relation: \"a b\", principals: [\"org:1\"]}]"),
            {"6:25: spec.bindings[0].relation: \"a b\" is not a relation such as \"viewer\" or "
             "\"editor\" [BadRelation]"}},
        KindCase{
            "RelationTwiceBesideABadResource",
            WithSpec("spec:\n  resourceId: dashboards\n  bindings:\n"
                     "  - {relation: editor, principals: [\"role:r\"]}\n"
                     "  - {relation: editor, principals: [1, \"role:r\", \"role:r\"]}"),
            {"5:15: spec.resourceId: \"dashboards\" is not of the form TYPE:ID, for example "
             "\"dashboard:abc-def-ghi\" [BadResourceId]",
             "8:16: spec.bindings[1].relation: relation \"editor\" is declared twice (first in "
             "bindings[0]): list all its principals in one binding [DuplicateRelation]",
             "8:37: spec.bindings[1].principals[0]: expected a string, found an integer; put \"1\" "
             "in quotes [WrongType]",
             "8:50: spec.bindings[1].principals[2]: \"role:r\" is listed twice "
             "[DuplicatePrincipal, warning]"}},
        KindCase{"MisspelledBindings",
                 Restriction("  binding: []"),
                 {"6:3: spec.binding: unknown field \"binding\", did you mean \"bindings\"? "
                  "[UnknownField]"}},
        KindCase{
            "PrincipalTwice",
            Restriction("  bindings: [{relation: viewer, principals: [\"org:1\", \"org:1\"]}]"),
            {"6:55: spec.bindings[0].principals[1]: \"org:1\" is listed twice "
             "[DuplicatePrincipal, warning]"}},
        KindCase{"MisspelledFieldOfABinding",
                 Restriction("  bindings: [{relation: viewer, principal: [\"org:1\"]}]"),
                 {"6:33: spec.bindings[0].principal: unknown field \"principal\", did you mean "
                  "\"principals\"? [UnknownField]"}}),
    NameOfCase);

}  // namespace
}  // namespace bindery::manifests
