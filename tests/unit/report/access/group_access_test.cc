// What groups inside known groups hold.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "access/group_members.h"
#include "report/access/access_report.h"
#include "support/temp_dir.h"
#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using ::testing::ElementsAreArray;
using testing::IsOk;
using testing::Now;
using testing::Role;

class GroupAccessTest : public testing::AccessTest {
 protected:
  void SetUp() override {
    AccessTest::SetUp();
    const testing::TempDir dir;
    dir.Write("groups.yaml", R"(
groups:
  eng@example.com: ["user:ana@example.com", "group:Leads@example.com"]
  leads@example.com: ["user:lea@example.com", "group:heads@example.com", "group:vp@example.com"]
  heads@example.com: ["group:leads@example.com"]
  other@example.com: []
)");
    auto groups = access::GroupMembers::Read({dir.path() / "groups.yaml"});
    ASSERT_THAT(groups, IsOk());
    groups_ = std::make_shared<const access::GroupMembers>(*std::move(groups));
    Read({"cloudresourcemanager:Project", "", "projects/acme"},
         {Role("roles/owner", {"group:eng@example.com"}),
          Role("roles/editor", {"group:eng@example.com"}, "resource.name == 'a'")},
         "2026-11-21T11:00:00Z");
    Read({"storage:Bucket", "", "b/acme-data"},
         {Role("roles/storage.admin", {"projectOwner:acme"})}, "2026-11-21T11:00:00Z");
  }

  /// "granted roles/owner via group:eng@example.com"
  std::vector<std::string> Ask(const AccessQuery& query) {
    AccessRecords records{*store_};
    records.groups = groups_;
    const auto report = AccessReport(records, query, Now());
    EXPECT_THAT(report, IsOk());
    std::vector<std::string> lines;
    if (!report) return lines;
    for (const AccessAnswer& answer : report->answers) {
      lines.push_back(std::string(ToString(answer.verdict)) + " " + answer.grant.grant.role +
                      (query.principal.empty() ? " " + answer.principal : std::string()) +
                      (answer.via ? " via " + *answer.via : ""));
    }
    std::ranges::sort(lines);
    return lines;
  }

  std::shared_ptr<const access::GroupMembers> groups_;
};

TEST_F(GroupAccessTest, AGroupInsideHoldsWhatTheGroupHolds) {
  const std::vector<std::string> inside = {"depends roles/editor via group:eng@example.com",
                                           "granted roles/owner via group:eng@example.com",
                                           "granted roles/storage.admin via projectOwner:acme"};
  // Nobody lists the members of vp, and anybody may be among them.
  const std::vector<std::string> perhaps = {"depends roles/editor via group:eng@example.com",
                                            "depends roles/owner via group:eng@example.com",
                                            "depends roles/storage.admin via projectOwner:acme"};
  struct Case {
    const char* why;
    const char* principal;
    std::vector<std::string> answers;
  };
  const Case cases[] = {
      {"listed, inside", "group:leads@example.com", inside},
      {"two levels inside, in a circle", "group:heads@example.com", inside},
      {"inside, in no list", "group:vp@example.com", inside},
      {"in other capitals", "group:LEADS@example.com", inside},
      {"a member of it", "user:lea@example.com", inside},
      {"the group of the grant itself",
       "group:eng@example.com",
       {"depends roles/editor", "granted roles/owner",
        "granted roles/storage.admin via projectOwner:acme"}},
      {"listed, but not inside", "group:other@example.com", perhaps},
      {"in no list", "group:far@example.com", perhaps},
  };
  for (const Case& one : cases) {
    AccessQuery query;
    query.principal = one.principal;
    EXPECT_THAT(Ask(query), ElementsAreArray(one.answers)) << one.why;
  }
}

TEST_F(GroupAccessTest, ANameWithoutAPrefixIsAlsoLookedForInGroups) {
  struct Case {
    const char* asked;
    bool direct;
    std::vector<std::string> principals;
  };
  const Case cases[] = {
      {"lea", false, {"user:lea@example.com"}},
      {"lea@example.com", false, {"user:lea@example.com"}},
      {"heads", false, {"group:heads@example.com"}},
      {"vp", false, {"group:vp@example.com"}},
      {"lea", true, {}},
      {"nobody", false, {}},
  };
  for (const Case& one : cases) {
    AccessRecords records{*store_};
    records.groups = groups_;
    const auto report =
        AccessReport(records, {.principal = one.asked, .direct = one.direct}, Now());
    ASSERT_THAT(report, IsOk());
    EXPECT_EQ(report->principals, one.principals) << one.asked;
    EXPECT_EQ(report->answers.empty(), one.principals.empty()) << one.asked;
  }
}

TEST_F(GroupAccessTest, ListsOfHoldersHaveTheMembersInThePlaceOfGroupsInside) {
  AccessQuery query;
  query.role = "roles/owner";
  const std::vector<std::string> expected = {
      "granted roles/owner group:eng@example.com",
      "granted roles/owner group:vp@example.com via group:eng@example.com",
      "granted roles/owner user:ana@example.com via group:eng@example.com",
      "granted roles/owner user:lea@example.com via group:eng@example.com"};
  EXPECT_THAT(Ask(query), ElementsAreArray(expected));
}

}  // namespace
}  // namespace bindery::report
