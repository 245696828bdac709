// Access gained and lost by the members of groups.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "access/group_members.h"
#include "report/access/access_report.h"
#include "report/forms/texts.h"
#include "support/temp_dir.h"
#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IamTarget;
using testing::IsOk;
using ::testing::Not;
using testing::Now;
using testing::Role;

constexpr const char* kBefore = "2026-11-01T00:00:00Z";
constexpr const char* kAfter = "2026-11-20T00:00:00Z";

class DiffMembersTest : public testing::AccessTest {
 protected:
  void ListGroups(const std::string& text) {
    const testing::TempDir dir;
    dir.Write("groups.yaml", text);
    auto groups = access::GroupMembers::Read({dir.path() / "groups.yaml"});
    ASSERT_THAT(groups, IsOk());
    groups_ = std::make_shared<const access::GroupMembers>(*std::move(groups));
  }

  /// "+ user:ana@example.com roles/viewer via group:eng@example.com (note)"
  std::vector<std::string> Changes() {
    AccessRecords records{*store_};
    records.groups = groups_;
    auto diff = AccessDiffReport(records, {At("2026-11-10T00:00:00Z"), {}, "", ""}, Now());
    EXPECT_THAT(diff, IsOk());
    std::vector<std::string> lines;
    if (!diff) return lines;
    diff_ = *std::move(diff);
    for (const AccessChange& change : diff_.changes) {
      lines.push_back((change.change == AccessTurn::kGained ? "+ " : "- ") + change.principal +
                      " " + change.grant.grant.role + (change.via ? " via " + *change.via : "") +
                      (change.note ? " (" + *change.note + ")" : ""));
    }
    return lines;
  }

  std::shared_ptr<const access::GroupMembers> groups_;
  AccessDiff diff_;
};

TEST_F(DiffMembersTest, TheMembersOfAGroupGainAndLoseWithTheGroup) {
  ListGroups(R"(
groups:
  eng@example.com: ["user:ana@example.com", "group:leads@example.com"]
  leads@example.com: ["user:lea@example.com"]
  ops@example.com: ["user:Ana@example.com", "user:otto@example.com"]
)");
  Read(IamTarget(),
       {Role("roles/viewer", {"group:ops@example.com", "user:zoe@example.com"}),
        Role("roles/editor", {"group:leads@example.com"})},
       kBefore);
  Read(IamTarget(),
       {Role("roles/viewer", {"group:eng@example.com", "user:zoe@example.com"}),
        Role("roles/editor", {"group:leads@example.com"})},
       kAfter);
  EXPECT_THAT(Changes(),
              ElementsAre("+ group:eng@example.com roles/viewer",
                          "+ user:lea@example.com roles/viewer via group:eng@example.com",
                          "- group:ops@example.com roles/viewer",
                          "- user:otto@example.com roles/viewer via "
                          "group:ops@example.com"))
      << "ana is a member of both, and nothing changed about editors";
  EXPECT_EQ(ToJson(diff_.summary).dump(), R"({"gained":2,"lost":2,"targets":1})");
  EXPECT_THAT(diff_.notes, Contains(HasSubstr("are those of now")));
  EXPECT_THAT(diff_.not_considered, Contains(HasSubstr("groups that no list has")));
  TextStyle style;
  style.now = Now();
  EXPECT_THAT(AccessDiffText(diff_, style),
              HasSubstr("+ gained  user:lea@example.com via group:eng@example.com"));
  EXPECT_THAT(AccessCsv(diff_), HasSubstr(",user:lea@example.com,"));
  EXPECT_THAT(AccessCsv(diff_), HasSubstr(",group:eng@example.com,\r\n"));
}

TEST_F(DiffMembersTest, AGrantIsMarkedWhoseHolderHasTheSameThroughAGroup) {
  ListGroups("groups: {eng@example.com: [\"user:Ana@example.com\", \"user:bob@example.com\"]}");
  Read(IamTarget(),
       {Role("roles/viewer", {"user:ana@example.com"}),
        Role("roles/editor", {"group:eng@example.com"})},
       kBefore);
  Read(IamTarget(),
       {Role("roles/viewer", {"group:eng@example.com"}),
        Role("roles/editor", {"user:bob@example.com"})},
       kAfter);
  EXPECT_THAT(
      Changes(),
      ElementsAre("+ user:bob@example.com roles/editor (held before through group:eng@example.com)",
                  "+ group:eng@example.com roles/viewer",
                  "+ user:bob@example.com roles/viewer via group:eng@example.com",
                  "- group:eng@example.com roles/editor",
                  "- user:ana@example.com roles/viewer (still held through group:eng@example.com)",
                  "- user:Ana@example.com roles/editor via group:eng@example.com"));
  TextStyle style;
  style.now = Now();
  EXPECT_THAT(AccessDiffText(diff_, style), HasSubstr("still held through group:eng@example.com"));
}

TEST_F(DiffMembersTest, WithoutKnownMembersGroupsStandForThemselves) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, kBefore);
  Read(IamTarget(), {Role("roles/viewer", {"group:eng@example.com"})}, kAfter);
  EXPECT_THAT(Changes(), ElementsAre("+ group:eng@example.com roles/viewer",
                                     "- user:ana@example.com roles/viewer"));
  EXPECT_THAT(diff_.notes, Not(Contains(HasSubstr("are those of now"))));
  ListGroups("groups: {ops@example.com: [\"user:ana@example.com\"]}");
  EXPECT_THAT(Changes(), ElementsAre("+ group:eng@example.com roles/viewer",
                                     "- user:ana@example.com roles/viewer"))
      << "no file lists the group";
}

}  // namespace
}  // namespace bindery::report
