// Access that a target inherits from the containers and resources around the target.

#include <memory>

#include "report/forms/texts.h"
#include "unit/report/inherited_fixture.h"

namespace bindery::report {
namespace {

using testing::AcmeProject;
using testing::At;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::InheritedAccessTest;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::kOrganization;
using testing::kTopic;
using testing::Now;
using testing::On;
using testing::OrdersTopic;
using testing::Role;

TEST_F(InheritedAccessTest, ATargetHasItsOwnGrantsAndThoseOfAllContainers) {
  Read(OrdersTopic(), {Role("roles/pubsub.viewer", {"user:bob@example.com"})},
       "2026-11-21T11:00:00Z");
  Scanned({Found("cloudresourcemanager:Organization", kOrganization,
                 {Role("roles/viewer", {"user:olga@example.com"})}, kOrganization),
           Found("cloudresourcemanager:Folder", "folders/20",
                 {Role("roles/viewer", {"group:team@example.com"})}, "folders/20"),
           Found("cloudresourcemanager:Project", "projects/acme",
                 {Role("roles/editor", {"user:ana@example.com"})})});
  EXPECT_THAT(Lines(On("orders")),
              ElementsAre("granted user:bob@example.com roles/pubsub.viewer",
                          "granted user:ana@example.com roles/editor < projects/acme (scan)",
                          "granted group:team@example.com roles/viewer < folders/20 (scan)",
                          "granted user:olga@example.com roles/viewer < organizations/1 (scan)"));
  EXPECT_EQ(report_.summary.targets, 1U);
  EXPECT_THAT(Limits(), ::testing::Not(HasSubstr("inherited")));

  AccessQuery of_ana = On("orders");
  of_ana.principal = "user:ana@example.com";
  EXPECT_THAT(Lines(of_ana),
              ElementsAre("granted user:ana@example.com roles/editor < projects/acme (scan)",
                          "depends user:ana@example.com roles/viewer < folders/20 (scan)"));
  const std::string text = AccessText(report_, TextStyle());
  EXPECT_THAT(text, HasSubstr(std::string(kTopic) + ", inherited from projects/acme"));
  EXPECT_THAT(text, HasSubstr("scan 2h ago"));
}

TEST_F(InheritedAccessTest, WithoutATargetEachGrantIsShownOnceWhereItStands) {
  Read(OrdersTopic(), {Role("roles/pubsub.viewer", {"user:bob@example.com"})},
       "2026-11-21T11:00:00Z");
  Scanned({Found("cloudresourcemanager:Project", "projects/acme",
                 {Role("roles/editor", {"user:ana@example.com"})})});
  EXPECT_THAT(Lines({}), ElementsAre("granted user:ana@example.com roles/editor (scan)",
                                     "granted user:bob@example.com roles/pubsub.viewer"));
  EXPECT_THAT(Note(), HasSubstr("what is below inherits"));
  EXPECT_THAT(Lines(On("projects/acme/topics/*")),
              ElementsAre("granted user:ana@example.com roles/editor (scan)",
                          "granted user:bob@example.com roles/pubsub.viewer"))
      << "a pattern too";
}

TEST_F(InheritedAccessTest, ATargetThatWasNeverReadIsAnsweredFromItsAncestors) {
  Scanned({Found("cloudresourcemanager:Project", "projects/acme",
                 {Role("roles/editor", {"user:ana@example.com"})})});
  const std::vector<std::string> inherited = {
      "granted user:ana@example.com roles/editor < projects/acme (scan)"};
  struct Case {
    const char* why;
    const char* target;
    const char* note;
  };
  const Case cases[] = {
      {"a name on no record", "projects/acme/topics/nowhere", "there is no target"},
      {"with its host", "//pubsub.googleapis.com/projects/acme/topics/nowhere", "there is no"},
      {"a project by its number", "projects/42/topics/nowhere", "there is no target"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(Lines(On(one.target)), inherited) << one.why;
    EXPECT_THAT(Note(), HasSubstr(one.note)) << one.why;
    EXPECT_THAT(report_.notes, ::testing::Contains(HasSubstr("the answer is what it inherits")));
  }
  for (const char* unknown : {"nowhere", "projects/other/topics/nowhere", "b/nothing"}) {
    EXPECT_THAT(AccessReport(Records(), On(unknown), Now()),
                FailsWith(Code::kNotFound, HasSubstr("there is no target")))
        << unknown;
  }
}

TEST_F(InheritedAccessTest, ABucketIsInTheProjectThatTheScanShows) {
  Read(AcmeProject(), {Role("roles/owner", {"user:olga@example.com"})}, "2026-11-21T11:00:00Z");
  Scanned({Found("storage:Bucket", "b/data", {Role("roles/storage.admin", {"user:b@example.com"})}),
           Found("storage:ManagedFolder", "b/data/managedFolders/2026/",
                 {Role("roles/storage.objectViewer", {"user:f@example.com"})})});
  EXPECT_THAT(Lines(On("b/data/o/2026/may.csv")),
              ElementsAre("granted user:f@example.com roles/storage.objectViewer < "
                          "b/data/managedFolders/2026/ (scan)",
                          "granted user:b@example.com roles/storage.admin < b/data (scan)",
                          "granted user:olga@example.com roles/owner < projects/acme"));
  EXPECT_THAT(Lines(On("b/data")),
              ElementsAre("granted user:b@example.com roles/storage.admin (scan)",
                          "granted user:olga@example.com roles/owner < projects/acme"));
}

TEST_F(InheritedAccessTest, AnInheritedConditionIsJudgedByTheHeir) {
  const auto when = [](const std::string& expression) {
    return Role("roles/viewer", {"user:ana@example.com"}, expression);
  };
  struct Case {
    const char* expression;
    const char* target;
    const char* verdict;
    const char* reason;
  };
  const char* secret = "projects/acme/secrets/key";
  const Case cases[] = {
      {"resource.type == 'secretmanager.googleapis.com/Secret'", secret, "granted", ""},
      {"resource.type == 'storage.googleapis.com/Bucket'", secret, "not granted",
       "the condition is false for projects/acme/secrets/key"},
      {"resource.service == 'secretmanager.googleapis.com'", secret, "granted", ""},
      // The name of a secret has the number of its project; what is true of both names is true.
      {"resource.name.startsWith('projects/')", secret, "granted", ""},
      {"resource.name.startsWith('projects/42/secrets/other')", secret, "not granted",
       "the condition is false for projects/acme/secrets/key"},
      {"resource.name.startsWith('projects/42/')", secret, "depends", ""},
      // Pub/Sub gives no attributes: what its conditions come to is not known.
      {"resource.type == 'pubsub.googleapis.com/Topic'", kTopic, "depends", ""},
      {"request.time < timestamp('2026-01-01T00:00:00Z')", kTopic, "not granted",
       "the condition expired 2026-01-01T00:00:00Z"},
  };
  for (const Case& one : cases) {
    Scanned({Found("cloudresourcemanager:Project", "projects/acme", {when(one.expression)})});
    EXPECT_THAT(Lines(On(one.target)),
                ElementsAre(std::string(one.verdict) +
                            " user:ana@example.com roles/viewer < projects/acme (scan)"))
        << one.expression;
    if (report_.answers.size() == 1) {
      EXPECT_EQ(report_.answers[0].reason, one.reason) << one.expression;
    }
  }
  AccessQuery given = On(secret);
  given.attributes = {{"resource.name", "projects/42/secrets/key"}};
  Scanned({Found("cloudresourcemanager:Project", "projects/acme",
                 {when("resource.name == 'projects/42/secrets/key'")})});
  EXPECT_THAT(Lines(given), ElementsAre(HasSubstr("granted"))) << "a given value wins";
}

TEST_F(InheritedAccessTest, AReadPolicyCountsUnlessTheScanIsMuchLater) {
  Read(AcmeProject(), {Role("roles/viewer", {"user:read@example.com"})}, "2026-11-20T00:00:00Z");
  const InventoryPolicy found = Found("cloudresourcemanager:Project", "projects/acme",
                                      {Role("roles/viewer", {"user:scan@example.com"})});
  Scanned({found}, "2026-11-21T11:00:00Z");
  EXPECT_THAT(Lines(On("projects/acme")), ElementsAre("granted user:read@example.com roles/viewer"))
      << "35 hours later: the index may be older than the read";
  Scanned({found}, "2026-11-21T12:00:00Z");
  AccessQuery later = On("projects/acme");
  EXPECT_THAT(Lines(later), ElementsAre("granted user:read@example.com roles/viewer"))
      << "36 hours";
  Scanned({found}, "2026-11-21T12:00:01Z");
  EXPECT_THAT(Lines(later), ElementsAre("granted user:scan@example.com roles/viewer (scan)"));
}

TEST_F(InheritedAccessTest, WhatIsAboveTheScannedScopeIsSaid) {
  InventoryRecord scan;
  scan.provider = "cloudnative";
  scan.scope = "projects/acme";
  scan.started = At("2026-11-21T10:00:00Z");
  scan.id = *store_->inventory().BeginInventory(scan);
  InventoryPage page;
  page.containers = {{"projects/acme", "projects/42", "folders/20", "Acme", "ACTIVE"}};
  page.policies = {Found("cloudresourcemanager:Project", "projects/acme",
                         {Role("roles/editor", {"user:ana@example.com"})})};
  ASSERT_THAT(store_->inventory().AddInventoryPage(scan, page), IsOk());
  scan.finished = scan.started;
  ASSERT_THAT(store_->inventory().FinishInventory(scan), IsOk());
  Read(OrdersTopic(), {}, "2026-11-21T11:00:00Z");
  std::ignore = Lines(On("orders"));
  EXPECT_THAT(Limits(), HasSubstr("the policy of folders/20: neither read nor found by a scan\n"
                                  "policies above folders/20: no scan shows what contains it\n"));
}

TEST_F(InheritedAccessTest, AProjectsEditorsCountByTheScannedPolicyOfTheProject) {
  Scanned({Found("storage:Bucket", "b/data",
                 {Role("roles/storage.objectAdmin", {"projectEditor:acme"})}),
           Found("cloudresourcemanager:Project", "projects/acme",
                 {Role("roles/editor", {"user:ana@example.com"})})});
  AccessQuery query = On("b/data");
  query.principal = "user:ana@example.com";
  EXPECT_THAT(Lines(query),
              ElementsAre("granted user:ana@example.com roles/storage.objectAdmin (scan)",
                          "granted user:ana@example.com roles/editor < projects/acme (scan)"));
}

TEST_F(InheritedAccessTest, AListedGroupHasItsMembersAndNobodyElse) {
  ListGroups(R"(
groups:
  team@example.com: ["user:ana@example.com", "group:leads@example.com", "group:far@example.org"]
  leads@example.com: ["user:lea@example.com"]
  closed@example.com: ["user:cem@example.com"]
)");
  Read(OrdersTopic(),
       {Role("roles/pubsub.viewer", {"group:Team@example.com"}),
        Role("roles/pubsub.editor", {"group:closed@example.com"},
             "request.time < timestamp('2026-01-01T00:00:00Z')")},
       "2026-11-21T11:00:00Z");
  struct Case {
    const char* principal;
    std::vector<std::string> lines;
  };
  const std::vector<Case> cases = {
      {"user:ana@example.com", {"granted user:ana@example.com roles/pubsub.viewer"}},
      {"user:LEA@example.com", {"granted user:LEA@example.com roles/pubsub.viewer"}},
      {"user:cem@example.com",
       {"not granted user:cem@example.com roles/pubsub.editor",
        "depends user:cem@example.com roles/pubsub.viewer"}},
      {"group:closed@example.com",
       {"not granted group:closed@example.com roles/pubsub.editor",
        "depends group:closed@example.com roles/pubsub.viewer"}},
  };
  for (const Case& one : cases) {
    AccessQuery query = On("orders");
    query.principal = one.principal;
    EXPECT_EQ(Lines(query), one.lines) << one.principal;
    EXPECT_THAT(Limits(), HasSubstr("groups that no list has"));
  }
  EXPECT_THAT(Lines(On("orders")),
              ElementsAre("granted group:Team@example.com roles/pubsub.viewer",
                          "granted user:ana@example.com roles/pubsub.viewer",
                          "granted user:lea@example.com roles/pubsub.viewer",
                          "granted group:far@example.org roles/pubsub.viewer",
                          "not granted group:closed@example.com roles/pubsub.editor",
                          "not granted user:cem@example.com roles/pubsub.editor"));
  EXPECT_EQ(report_.answers[0].note, "") << "the members of the group are known";
}

TEST_F(InheritedAccessTest, AListedGroupAmongTheEditorsOfAProjectHasItsMembers) {
  ListGroups("groups: {team@example.com: [\"user:ana@example.com\"]}");
  Read(AcmeProject(), {Role("roles/editor", {"group:team@example.com"})}, "2026-11-21T11:00:00Z");
  Read({"storage:Bucket", "", "b/data"},
       {Role("roles/storage.objectAdmin", {"projectEditor:acme"})}, "2026-11-21T11:00:00Z");
  AccessQuery query = On("b/data");
  query.principal = "user:ana@example.com";
  EXPECT_THAT(Lines(query), ElementsAre("granted user:ana@example.com roles/storage.objectAdmin"));
  query.principal = "user:bob@example.com";
  EXPECT_THAT(Lines(query), IsEmpty());
}

TEST_F(InheritedAccessTest, APermissionIsHeldByEveryRoleThatHasThePermission) {
  Read(OrdersTopic(),
       {Role("roles/pubsub.viewer", {"user:yes@example.com"}),
        Role("roles/pubsub.publisher", {"user:no@example.com"}),
        Role("projects/acme/roles/mine", {"user:perhaps@example.com"}),
        Role("projects/acme/roles/mine", {"user:late@example.com"},
             "request.time < timestamp('2026-01-01T00:00:00Z')")},
       "2026-11-21T11:00:00Z");
  AccessQuery query = On("orders");
  query.permission = "pubsub.topics.get";
  EXPECT_THAT(AccessReport(Records(), query, Now()),
              FailsWith(Code::kFailedPrecondition, HasSubstr("roles.files")));
  dir_.Write("roles.json", R"([
    {"name": "roles/pubsub.viewer", "includedPermissions": ["pubsub.topics.get"]},
    {"name": "roles/pubsub.publisher", "includedPermissions": ["pubsub.topics.publish"]}])");
  const auto read_roles = [&] {
    roles_ = std::make_shared<const access::RolePermissions>(
        *access::RolePermissions::Read({dir_ / "roles.json"}, query.permission));
  };
  read_roles();
  EXPECT_THAT(Lines(query),
              ElementsAre("granted user:yes@example.com roles/pubsub.viewer",
                          "not granted user:late@example.com projects/acme/roles/mine",
                          "depends user:perhaps@example.com projects/acme/roles/mine"));
  EXPECT_THAT(report_.answers[2].depends_on,
              ElementsAre("the permissions of projects/acme/roles/mine"));
  query.permission = "pubsub.topics.gett";
  read_roles();
  std::ignore = Lines(query);
  EXPECT_THAT(report_.notes, ::testing::Contains("no role in roles.files has pubsub.topics.gett"));
}

TEST_F(InheritedAccessTest, PastAnswersUseThePoliciesOfThenAndTheContainersOfTheScan) {
  Read(AcmeProject(), {Role("roles/editor", {"user:old@example.com"})}, "2026-11-20T11:00:00Z");
  Read(AcmeProject(), {Role("roles/editor", {"user:new@example.com"})}, "2026-11-21T11:00:00Z");
  Read(OrdersTopic(), {}, "2026-11-20T11:00:00Z");
  Scanned({Found("cloudresourcemanager:Folder", "folders/20",
                 {Role("roles/viewer", {"user:f@example.com"})}, "folders/20")});
  AccessQuery query = On("orders");
  query.at = At("2026-11-20T12:00:00Z");
  EXPECT_THAT(Lines(query),
              ElementsAre("granted user:old@example.com roles/editor < projects/acme"));
  EXPECT_THAT(Note(), HasSubstr("are those of the scan of 2026-11-21T10:00:00.000Z"));

  const auto diff =
      AccessDiffReport(Records(), {At("2026-11-20T12:00:00Z"), {}, "orders", ""}, Now());
  ASSERT_THAT(diff, IsOk());
  ASSERT_EQ(diff->changes.size(), 2U);
  EXPECT_EQ(diff->changes[0].target, "projects/acme");
  EXPECT_EQ(diff->changes[0].principal, "user:new@example.com");
  EXPECT_THAT(diff->not_considered, ::testing::Contains("policies that only scans show"));
  const auto of_new = AccessDiffReport(
      Records(), {At("2026-11-20T12:00:00Z"), {}, "projects/acme/topics/new", ""}, Now());
  ASSERT_THAT(of_new, IsOk()) << "a target that was never read";
  EXPECT_EQ(of_new->changes.size(), 2U);
  EXPECT_THAT(AccessDiffReport(Records(), {At("2026-11-20T12:00:00Z"), {}, "nowhere", ""}, Now()),
              FailsWith(Code::kNotFound, HasSubstr("nowhere")));
}

TEST_F(InheritedAccessTest, AResourceWithoutAKindCountsByItsFullName) {
  InventoryPolicy dataset =
      Found("", "", {Role("roles/bigquery.dataViewer", {"user:Ana@example.com"})});
  dataset.resource = "//bigquery.googleapis.com/projects/acme/datasets/sales";
  dataset.type = "bigquery.googleapis.com/Dataset";
  Scanned({dataset});
  AccessQuery query = On("projects/acme/datasets/sales/tables/orders");
  query.principal = "user:ana@example.com";
  EXPECT_THAT(Lines(query),
              ElementsAre("granted user:ana@example.com roles/bigquery.dataViewer < "
                          "//bigquery.googleapis.com/projects/acme/datasets/sales (scan)"));
}

}  // namespace
}  // namespace bindery::report
