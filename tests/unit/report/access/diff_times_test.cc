// Access that begins or ends without a new policy, and deleted principals.

#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::IamTarget;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::Now;
using testing::Role;

class DiffTimesTest : public testing::AccessTest {
 protected:
  /// "+ user:ana@example.com roles/viewer (note)"
  std::vector<std::string> Changes(const std::string& since, const std::string& until) {
    const auto diff = AccessDiffReport({*store_}, {At(since), At(until), "", ""}, Now());
    EXPECT_THAT(diff, IsOk());
    std::vector<std::string> lines;
    if (!diff) return lines;
    for (const AccessChange& change : diff->changes) {
      lines.push_back((change.change == AccessTurn::kGained ? "+ " : "- ") + change.principal +
                      " " + change.grant.grant.role +
                      (change.note ? " (" + *change.note + ")" : ""));
    }
    EXPECT_EQ(diff->summary.targets, lines.empty() ? 0 : 1);
    return lines;
  }
};

TEST_F(DiffTimesTest, AnEmptyStoreKnowsNoTargetEither) {
  EXPECT_THAT(
      AccessDiffReport({*store_}, {At("2026-11-10T00:00:00Z"), {}, "nope", ""}, Now()),
      testing::FailsWith(Code::kNotFound, ::testing::HasSubstr("no target \"nope\": no policy was "
                                                               "observed yet")));
  Put({testing::Binding("payments-viewers")});
  struct Case {
    const char* target;
    bool is_known;
  };
  const Case cases[] = {{"", true},         {"*", true},
                        {"payments", true}, {"paymets", false},
                        {"pay*", false},    {"projects/acme/topics/orders", false}};
  for (const Case& one : cases) {
    const auto diff = AccessDiffReport(
        {*store_}, {At("2026-11-10T00:00:00Z"), std::nullopt, one.target, ""}, Now());
    if (one.is_known) {
      EXPECT_THAT(diff, IsOk()) << one.target;
    } else {
      EXPECT_THAT(diff, testing::FailsWith(Code::kNotFound, ::testing::HasSubstr("no target")))
          << one.target;
    }
  }
}

TEST_F(DiffTimesTest, AConditionBeginsAndEndsAccess) {
  const char* ends = "request.time < timestamp('2026-11-15T00:00:00Z')";
  const char* starts = "request.time >= timestamp('2026-11-15T00:00:00Z')";
  Read(IamTarget(),
       {Role("roles/viewer", {"user:ends@example.com"}, ends),
        Role("roles/viewer", {"user:starts@example.com"}, starts),
        Role("roles/viewer", {"user:always@example.com"}, "resource.name == 'a'"),
        Role("roles/viewer", {"user:other@example.com"})},
       "2026-11-01T00:00:00Z");
  struct Case {
    const char* since;
    const char* until;
    std::vector<std::string> changes;
  };
  const std::vector<std::string> both = {
      "+ user:starts@example.com roles/viewer (its condition was false before)",
      "- user:ends@example.com roles/viewer (its condition is false now)"};
  const Case cases[] = {
      {"2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z", both},
      {"2026-11-02T00:00:00Z", "2026-11-14T00:00:00Z", {}},
      {"2026-11-16T00:00:00Z", "2026-11-20T00:00:00Z", {}},
      {"2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", {}},
      // The first reading counts for what was before.
      {"2026-10-01T00:00:00Z", "2026-11-20T00:00:00Z", both},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(Changes(one.since, one.until), one.changes) << one.since << " to " << one.until;
  }
}

TEST_F(DiffTimesTest, AGrantThatGivesNothingIsNoAccess) {
  const char* expired = "request.time < timestamp('2026-01-01T00:00:00Z')";
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-01T00:00:00Z");
  Read(IamTarget(),
       {Role("roles/viewer", {"user:ana@example.com"}),
        Role("roles/viewer", {"user:late@example.com"}, expired)},
       "2026-11-10T00:00:00Z");
  EXPECT_THAT(Changes("2026-11-05T00:00:00Z", "2026-11-20T00:00:00Z"), IsEmpty());
}

TEST_F(DiffTimesTest, ADeletedPrincipalLosesAndGainsNothing) {
  const char* plain = "user:gone@example.com";
  const char* deleted = "deleted:user:Gone@example.com?uid=1";
  struct Case {
    std::vector<std::string> before;
    std::vector<std::string> after;
    std::vector<std::string> changes;
  };
  const Case cases[] = {
      {{plain}, {deleted}, {"- user:gone@example.com roles/viewer (the principal was deleted)"}},
      {{deleted},
       {plain},
       {"+ user:gone@example.com roles/viewer (the principal was deleted before)"}},
      {{deleted}, {}, {}},
      {{}, {deleted}, {}},
      {{plain}, {}, {"- user:gone@example.com roles/viewer"}},
  };
  for (const Case& one : cases) {
    Read(IamTarget(), {Role("roles/viewer", one.before)}, "2026-11-01T00:00:00Z");
    Read(IamTarget(), {Role("roles/viewer", one.after)}, "2026-11-10T00:00:00Z");
    EXPECT_EQ(Changes("2026-11-05T00:00:00Z", "2026-11-20T00:00:00Z"), one.changes)
        << ::testing::PrintToString(one.before) << " " << ::testing::PrintToString(one.after);
  }
}

}  // namespace
}  // namespace bindery::report
