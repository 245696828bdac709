// What manifests of the providers may hold.

#include "providers/datadog/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "providers/google/roles/checks.h"
#include "providers/google/roles/members.h"

namespace bindery::providers {
namespace {

std::string Said(const std::optional<manifests::CheckFailure>& failure) {
  if (!failure) return "";
  return failure->code + (failure->warning ? " (warning): " : ": ") + failure->message;
}

TEST(CheckMember, AcceptsEveryFormGoogleTakesFromAWriter) {
  for (const char* member :
       {"user:ana@example.com",
        "user:Ana.O'Neil+x@Example.co.uk",
        "serviceAccount:a@p.iam.gserviceaccount.com",
        "serviceAccount:123-compute@developer.gserviceaccount.com",
        "serviceAccount:p.svc.id.goog[ns/ksa]",
        "serviceAccount:example.com:p.svc.id.goog[ns/k.s]",
        "group:sre@example.com",
        "group:p.svc.id.goog:/allAuthenticatedUsers/",
        "domain:example.com",
        "domain:xn--bcher-kva.example",
        "allUsers",
        "allAuthenticatedUsers",
        "principal://iam.googleapis.com/locations/global/workforcePools/P/subject/S",
        "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/P/"
        "attribute.repo/a/b",
        "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/P/*",
        "principalSet://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount",
        "principalSet://cloudresourcemanager.googleapis.com/folders/1/type/ServiceAgent",
        "principal://agents.global.org-1.system.id.goog/resources/aiplatform/projects/1",
        "principalHierarchy://a/b",
        "projectOwner:p",
        "projectEditor:example.com:p",
        "projectViewer:p"}) {
    EXPECT_EQ(Said(google::CheckMember(member)), "") << member;
  }
}

TEST(CheckMember, SaysWhatIsWrong) {
  struct Case {
    const char* member;
    const char* said;
  };
  const Case cases[] = {
      {"", "BadMember: must not be empty"},
      {"ana@example.com",
       "BadMember: \"ana@example.com\" has no type, did you mean \"user:ana@example.com\"?"},
      {"x@p.iam.gserviceaccount.com",
       "BadMember: \"x@p.iam.gserviceaccount.com\" has no type, did you mean "
       "\"serviceAccount:x@p.iam.gserviceaccount.com\"?"},
      {"allusers", "BadMember: \"allusers\" is not a member, did you mean \"allUsers\"?"},
      {"everyone",
       "BadMember: \"everyone\" is not a member: write user:, serviceAccount:, group: or domain: "
       "and "
       "a name, or allUsers"},
      {"User:a@example.com",
       "BadMember: \"User:a@example.com\": member types are case-sensitive, write "
       "\"user:a@example.com\""},
      {"serviceaccount:a@example.com",
       "BadMember: \"serviceaccount:a@example.com\": member types are case-sensitive, write "
       "\"serviceAccount:a@example.com\""},
      {"service-account:a@example.com",
       "BadMember: \"service-account:a@example.com\" has the unknown member type "
       "\"service-account\", did you mean \"serviceAccount\"?"},
      {"robot:a", "BadMember: \"robot:a\" has the unknown member type \"robot\""},
      {"user:ana", "BadMember: \"user:ana\" is not of the form user:NAME@DOMAIN"},
      {"user: ana@example.com",
       "BadMember: \"user: ana@example.com\" is not of the form user:NAME@DOMAIN"},
      {"user:ana@localhost",
       "BadMember: \"user:ana@localhost\" is not of the form user:NAME@DOMAIN"},
      {"user:a@b@example.com",
       "BadMember: \"user:a@b@example.com\" is not of the form user:NAME@DOMAIN"},
      {"group:a@-example.com",
       "BadMember: \"group:a@-example.com\" is not of the form group:NAME@DOMAIN"},
      {"domain:example", "BadMember: \"domain:example\" is not of the form domain:EXAMPLE.COM"},
      {"domain:a@example.com",
       "BadMember: \"domain:a@example.com\" is not of the form domain:EXAMPLE.COM"},
      {"serviceAccount:p.svc.id.goog[ns]",
       "BadMember: \"serviceAccount:p.svc.id.goog[ns]\" is not of the form "
       "serviceAccount:NAME@PROJECT.iam.gserviceaccount.com"},
      {"principal:iam.googleapis.com/x",
       "BadMember: \"principal:iam.googleapis.com/x\" is not of the form principal://HOST/PATH"},
      {"principalSet:///x",
       "BadMember: \"principalSet:///x\" is not of the form principalSet://HOST/PATH"},
      {"principal://host/",
       "BadMember: \"principal://host/\" is not of the form principal://HOST/PATH"},
      {"projectOwner:", "BadMember: \"projectOwner:\" is not of the form projectOwner:PROJECT"},
      {"deleted:user:a@example.com?uid=1",
       "DeletedMember: \"deleted:user:a@example.com?uid=1\" cannot be declared: Google Cloud marks "
       "a "
       "principal so after its deletion and accepts no new grant to it; remove the member"},
      {"user:a@example.com\nx",
       "BadMember: \"user:a@example.com\\nx\" is not of the form user:NAME@DOMAIN"},
  };
  for (const Case& test : cases) EXPECT_EQ(Said(google::CheckMember(test.member)), test.said);
}

TEST(NormalMember, FoldsOnlyWhatGoogleFolds) {
  struct Case {
    const char* member;
    const char* normal;
  };
  const Case cases[] = {
      {"user:Ana@Example.COM", "user:ana@example.com"},
      {"serviceAccount:A@P.iam.gserviceaccount.com", "serviceAccount:a@p.iam.gserviceaccount.com"},
      {"domain:Example.com", "domain:example.com"},
      {"deleted:user:Ana@Example.com?uid=12Ab", "deleted:user:ana@example.com?uid=12Ab"},
      {"deleted:principal://X/Y", "deleted:principal://X/Y"},
      {"principal://iam.googleapis.com/S/X", "principal://iam.googleapis.com/S/X"},
      {"group:P.svc.id.goog:/allAuthenticatedUsers/",
       "group:P.svc.id.goog:/allAuthenticatedUsers/"},
      {"allUsers", "allUsers"},
      {"projectOwner:P", "projectOwner:P"},
  };
  for (const Case& test : cases) EXPECT_EQ(google::NormalMember(test.member), test.normal);
}

TEST(CheckRole, AcceptsPredefinedAndCustomRoles) {
  for (const char* role : {"roles/viewer", "roles/backupdr.admin", "projects/p-1/roles/my_Role.x",
                           "projects/example.com:p/roles/r", "organizations/123/roles/r"}) {
    EXPECT_EQ(Said(google::CheckRole(role)), "") << role;
  }
  for (const char* role : {"", "roles/", "roles/a b", "roles/a/b", "projects//roles/r", "/roles/r",
                           "projects/p/r", "Roles/viewer"}) {
    EXPECT_EQ(google::CheckRole(role).value().code, "BadRole") << role;
  }
}

TEST(CheckResourceId, JudgesTypeAndId) {
  struct Case {
    const char* id;
    const char* said;
  };
  const Case cases[] = {
      {"dashboard:abc-def-ghi", ""},
      {"monitor:269565690", ""},
      {"slo:0123456789abcdef0123456789abcdef", ""},
      {"synthetics-private-location:pl:office-1a2b", ""},
      {"logs-pipeline:a:b:c", ""},
      {"dashboard",
       "BadResourceId: \"dashboard\" is not of the form TYPE:ID, for example "
       "\"dashboard:abc-def-ghi\""},
      {":x",
       "BadResourceId: \":x\" is not of the form TYPE:ID, for example \"dashboard:abc-def-ghi\""},
      {"slo:",
       "BadResourceId: \"slo:\" is not of the form TYPE:ID, for example "
       "\"dashboard:abc-def-ghi\""},
      {"slo:a b",
       "BadResourceId: \"slo:a b\" is not of the form TYPE:ID, for example "
       "\"dashboard:abc-def-ghi\""},
      {"synthetics-private-location:office",
       "BadResourceId: the id of a private location begins with \"pl:\", did you mean "
       "\"synthetics-private-location:pl:office\"? Without it the service accepts the policy and "
       "restricts nothing"},
      {"network-path-config:abc", ""},
      {"security_rule:x",
       "UnknownResourceType (warning): unknown resource type \"security_rule\", did you mean "
       "\"security-rule\"?"},
      {"datastore:x",
       "UnknownResourceType (warning): unknown resource type \"datastore\": the service may refuse "
       "it"},
      {"monitor:abc",
       "UnlikelyResourceId (warning): \"abc\" does not look like the id of a monitor (a number): a "
       "policy for an id that does not exist is accepted and does nothing"},
      {"slo:abc",
       "UnlikelyResourceId (warning): \"abc\" does not look like the id of a slo (32 hexadecimal "
       "digits): a policy for an id that does not exist is accepted and does nothing"},
  };
  for (const Case& test : cases) EXPECT_EQ(Said(datadog::CheckResourceId(test.id)), test.said);
}

TEST(CheckPrincipal, TakesFourTypes) {
  struct Case {
    const char* principal;
    const char* said;
  };
  const Case cases[] = {
      {"role:94172442-be03-11e9-a77a-3b7612558ac1", ""},
      {"team:x", ""},
      {"org:X", ""},
      {"user:ana@example.com",
       "UnlikelyPrincipal (warning): \"user:ana@example.com\" names an e-mail address: principals "
       "are named by their UUID, which the lookup getUser finds"},
      {"roles:x",
       "BadPrincipal: \"roles:x\" has the unknown principal type \"roles\", did you mean "
       "\"role\"?"},
      {"service:x",
       "BadPrincipal: \"service:x\" has the unknown principal type \"service\"; known are "
       "\"role\", "
       "\"team\", \"user\" and \"org\""},
      {"x", "BadPrincipal: \"x\" is not of the form TYPE:ID with the type role, team, user or org"},
      {"org:",
       "BadPrincipal: \"org:\" is not of the form TYPE:ID with the type role, team, user or "
       "org"},
      {"org: x",
       "BadPrincipal: \"org: x\" is not of the form TYPE:ID with the type role, team, user "
       "or org"},
  };
  for (const Case& test : cases)
    EXPECT_EQ(Said(datadog::CheckPrincipal(test.principal)), test.said);
}

TEST(CheckLookups, TakeWhatNamesAPrincipal) {
  struct Case {
    std::optional<manifests::CheckFailure> (*check)(std::string_view text);
    const char* text;
    const char* said;
  };
  const Case cases[] = {
      {datadog::CheckRoleName, "Datadog Read Only Role", ""},
      {datadog::CheckRoleName, "B\u00fcro (EU) #1", ""},
      {datadog::CheckRoleName, "",
       "BadRoleName: \"\" is not the name of a role: write the whole name on one line, without "
       "blanks at its ends"},
      {datadog::CheckRoleName, "Viewer ",
       "BadRoleName: \"Viewer \" is not the name of a role: write the whole name on one line, "
       "without blanks at its ends"},
      {datadog::CheckRoleName, "a\tb",
       "BadRoleName: \"a\\tb\" is not the name of a role: write the whole name on one line, "
       "without "
       "blanks at its ends"},
      {datadog::CheckTeamHandle, "sre", ""},
      {datadog::CheckTeamHandle, "data_eng-2.eu", ""},
      {datadog::CheckTeamHandle, "",
       "BadTeamHandle: \"\" is not the handle of a team, such as \"sre\""},
      {datadog::CheckTeamHandle, "Site Reliability",
       "BadTeamHandle: \"Site Reliability\" is not the handle of a team, such as \"sre\""},
      {datadog::CheckTeamHandle, "@team-sre",
       "BadTeamHandle: \"@team-sre\" is a mention: write the handle alone, \"sre\""},
      {datadog::CheckUserEmail, "Ana.O'Neil+dd@example.co.uk", ""},
      {datadog::CheckUserEmail, "ana",
       "BadEmail: \"ana\" is not an e-mail address, such as \"ana@example.com\""},
      {datadog::CheckUserEmail, "ana@example.com bob@example.com",
       "BadEmail: \"ana@example.com bob@example.com\" is not an e-mail address, such as "
       "\"ana@example.com\""},
  };
  for (const Case& test : cases) EXPECT_EQ(Said(test.check(test.text)), test.said);
}

TEST(CheckRelationName, KnowsTheRelationsOfEachType) {
  EXPECT_EQ(Said(datadog::CheckRelationName("workflow:x", "runner")), "");
  EXPECT_EQ(Said(datadog::CheckRelationName("anything:x", "whatever")), "");
  EXPECT_EQ(Said(datadog::CheckRelationName("network-path-config:x", "editor")), "");
  EXPECT_EQ(Said(datadog::CheckRelationName("case-management-project:x", "editor")),
            "UnknownRelation (warning): unknown relation \"editor\" of a case-management-project; "
            "known are \"viewer\", \"contributor\" and \"manager\"");
  EXPECT_EQ(Said(datadog::CheckRelationName("dashboard:x", "Editor")),
            "UnknownRelation (warning): unknown relation \"Editor\" of a dashboard, did you mean "
            "\"editor\"?");
  EXPECT_EQ(datadog::RestrictableTypes().size(), 28U);
  for (const datadog::RestrictableType& type : datadog::RestrictableTypes()) {
    EXPECT_THAT(type.relations, ::testing::Contains("viewer")) << type.type;
  }
}

TEST(Checks, MessagesStayShortWhateverTheValue) {
  const std::string said =
      Said(google::CheckRole(std::string(119, 'a') + "\xC3\xA9" + std::string(500, 'b')));
  EXPECT_LT(said.size(), 300U);
  EXPECT_THAT(said, ::testing::HasSubstr("aaa...\""));
}

}  // namespace
}  // namespace bindery::providers
