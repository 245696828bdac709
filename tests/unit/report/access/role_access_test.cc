// Members of a policy that stand for the holders of a role on another target.

#include "report/access/role_access.h"

#include "report/forms/texts.h"
#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Now;
using testing::Role;

using RoleAccessTest = testing::AccessTest;

Target Bucket() { return {"storage:Bucket", "", "b/acme-data"}; }
Target Project(const std::string& id = "acme") {
  return {"cloudresourcemanager:Project", "", "projects/" + id};
}

TEST_F(RoleAccessTest, MembersOfAProjectCountByThePolicyOfTheProject) {
  Read(Project(),
       {Role("roles/editor", {"user:Ana@example.com", "group:team@example.com",
                              "deleted:user:gone@example.com?uid=1"}),
        Role("roles/viewer", {"user:vic@example.com"}),
        Role("roles/owner", {"user:olga@example.com"},
             "request.time < timestamp('2026-01-01T00:00:00Z')")},
       "2026-11-21T11:00:00Z");
  Read(Bucket(),
       {Role("roles/storage.objectAdmin", {"projectEditor:acme"}),
        Role("roles/storage.legacyBucketOwner", {"projectOwner:acme"}, "resource.name == 'a'"),
        Role("roles/storage.objectViewer", {"projectViewer:acme", "projectViewer:other"})},
       "2026-11-21T11:00:00Z");
  struct Case {
    const char* why;
    const char* principal;
    std::vector<std::string> answers;
  };
  const std::string other = "depends projectViewer:other roles/storage.objectViewer";
  const Case cases[] = {
      {"an editor of the project",
       "user:ana@example.com",
       {"granted projectEditor:acme roles/storage.objectAdmin",
        "depends group:team@example.com roles/editor", other}},
      {"a viewer of the project",
       "user:vic@example.com",
       {"granted projectViewer:acme roles/storage.objectViewer",
        "depends group:team@example.com roles/editor",
        "depends projectEditor:acme roles/storage.objectAdmin", other}},
      {"an owner until the end of a condition",
       "user:olga@example.com",
       {"not granted user:olga@example.com roles/owner",
        "not granted projectOwner:acme roles/storage.legacyBucketOwner",
        "depends group:team@example.com roles/editor",
        "depends projectEditor:acme roles/storage.objectAdmin", other}},
      {"a deleted editor",
       "user:gone@example.com",
       {"not granted deleted:user:gone@example.com?uid=1 roles/editor",
        "depends group:team@example.com roles/editor",
        "depends projectEditor:acme roles/storage.objectAdmin", other}},
      {"nobody, but perhaps of the other project",
       "domain:example.org",
       {"depends group:team@example.com roles/editor",
        "depends projectEditor:acme roles/storage.objectAdmin", other}},
  };
  for (const Case& one : cases) {
    AccessQuery query;
    query.principal = one.principal;
    const std::vector<std::string> answers = Answers(query);
    for (const std::string& expected : one.answers) {
      EXPECT_THAT(answers, ::testing::Contains(expected)) << one.why;
    }
    query.direct = true;
    EXPECT_THAT(Answers(query), ::testing::Not(::testing::Contains(HasSubstr("project"))))
        << one.why;
  }
}

TEST_F(RoleAccessTest, SaysByWhatAMemberOfAProjectHoldsSomething) {
  Read(Bucket(), {Role("roles/storage.objectAdmin", {"projectEditor:acme"})},
       "2026-11-21T11:00:00Z");
  AccessQuery query;
  query.principal = "user:ana@example.com";
  Answers(query);
  Json answer = ToJson(report_).at("answers").at(0);
  EXPECT_EQ(answer["verdict"], "depends");
  EXPECT_EQ(answer["dependsOn"], Json::array({"roles/editor on projects/acme"}));
  EXPECT_EQ(answer["reason"], "the policy of projects/acme was not observed");
  Read(Project(), {Role("roles/editor", {"user:ana@example.com"})}, "2026-11-21T11:00:00Z");
  query.target = "b/acme-data";
  Answers(query);
  answer = ToJson(report_).at("answers").at(0);
  EXPECT_EQ(answer["verdict"], "granted");
  EXPECT_EQ(answer["via"], "projectEditor:acme");
  EXPECT_EQ(answer["note"], "everyone with roles/editor on projects/acme");
  EXPECT_TRUE(answer["reason"].get<std::string>().empty());
}

TEST_F(RoleAccessTest, WhoHoldsARoleThroughAProjectIsNamed) {
  Read(Project(), {Role("roles/editor", {"user:ana@example.com", "user:bob@example.com"})},
       "2026-11-21T11:00:00Z");
  Read(Bucket(), {Role("roles/storage.objectAdmin", {"projectEditor:acme"})},
       "2026-11-21T11:00:00Z");
  Answers({"roles/storage.objectAdmin", "b/acme-data"});
  std::vector<std::string> principals;
  for (const AccessAnswer& answer : report_.answers) principals.push_back(answer.principal);
  EXPECT_THAT(principals, ::testing::ElementsAre("projectEditor:acme", "user:ana@example.com",
                                                 "user:bob@example.com"));
  TextStyle style;
  style.now = Now();
  EXPECT_THAT(AccessText(report_, style), HasSubstr("user:ana@example.com via projectEditor:acme"));
}

TEST_F(RoleAccessTest, OfAnEarlierTimeThePolicyOfThatTimeCounts) {
  Read(Project(), {Role("roles/editor", {"user:ana@example.com"})}, "2026-11-20T11:00:00Z");
  Read(Bucket(), {Role("roles/storage.objectAdmin", {"projectEditor:acme"})},
       "2026-11-20T11:00:00Z");
  Read(Project(), {Role("roles/editor", {"user:bob@example.com"})}, "2026-11-21T11:00:00Z");
  AccessQuery query;
  query.principal = "user:ana@example.com";
  query.target = "b/acme-data";
  EXPECT_THAT(Answers(query), IsEmpty());
  query.at = At("2026-11-20T12:00:00Z");
  EXPECT_THAT(Answers(query),
              ::testing::ElementsAre("granted projectEditor:acme roles/storage.objectAdmin"));
}

}  // namespace
}  // namespace bindery::report
