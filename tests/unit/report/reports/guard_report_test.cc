#include <gmock/gmock.h>

#include "report/forms/texts.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::HasSubstr;
using testing::IsOk;

constexpr const char* kItems = R"([
  {"target": "projects/acme/locations/global/authorizationPolicies/payments",
   "kind": "AuthorizationPolicyIamBinding", "scope": "", "resources": ["payments-viewers"],
   "reason": "too many", "removes": [{"role": "roles/viewer", "member": "user:eve@example.com",
                                      "severity": "medium", "cause": "manifest"}]},
  {"target": "dashboard:abc-def-ghi", "kind": "RestrictionPolicy", "scope": "monitoring",
   "resources": [], "reason": "too many",
   "removes": [{"relation": "editor", "principal": "team:t1",
                "severity": "medium", "cause": "manifest"},
               {"relation": "viewer", "principal": "org:1",
                "severity": "low", "cause": "manifest"}]}])";

class GuardReportTest : public testing::ReportTest {
 protected:
  void Hold(const std::string& digest, HoldState state, const std::string& time,
            const std::string& actor = "") {
    store::HoldRecord hold;
    hold.digest = digest;
    hold.created = At(time);
    hold.state = state;
    hold.reason = "60 removals are more than guard.maxRemovedGrants (50)";
    hold.items = kItems;
    hold.actor = actor;
    store::StoreChange change;
    change.upsert_holds.push_back(hold);
    Apply(change);
  }

  Json Report(Ended ended = Ended::kLeaveOut) {
    const auto report = GuardReport(*store_, ended);
    EXPECT_THAT(report, IsOk());
    return report ? ToJson(*report) : Json();
  }
};

TEST_F(GuardReportTest, CountsTheRemovalsOfAHold) {
  Hold("3f2a1b000000", HoldState::kOpen, "2026-11-21T11:55:00Z");
  const Json holds = Report()["holds"];
  ASSERT_EQ(holds.size(), 1U);
  EXPECT_EQ(holds[0]["digest"], "3f2a1b000000");
  EXPECT_EQ(holds[0]["createdAt"], "2026-11-21T11:55:00.000Z");
  EXPECT_EQ(holds[0]["removals"], 3);
  EXPECT_EQ(holds[0]["targets"][1].dump(),
            R"({"target":"dashboard:abc-def-ghi","kind":"RestrictionPolicy","reason":"too many",)"
            R"("resources":[],"removes":[{"relation":"editor","principal":"team:t1",)"
            R"("severity":"medium","cause":"manifest"},)"
            R"({"relation":"viewer","principal":"org:1","severity":"low","cause":"manifest"}]})");
}

TEST_F(GuardReportTest, RemovalsAreSortedWithinTheirTargets) {
  Hold("3f2a1b000000", HoldState::kOpen, "2026-11-21T11:55:00Z");
  const auto sorted = [&](const char* order) {
    auto report = GuardReport(*store_);
    const auto sort = GuardSort::Parse(order);
    EXPECT_TRUE(sort) << order;
    HoldLine hold = report->holds.front();
    SortRemovals(hold, sort.value_or(GuardSort()));
    std::string principals;
    for (const HeldTarget& target : hold.targets) {
      for (const HeldRemoval& held : target.removes) principals += held.grant.principal + " ";
    }
    return principals;
  };
  EXPECT_EQ(sorted("principal"), "org:1 team:t1 user:eve@example.com ");
  EXPECT_EQ(sorted("-principal"), "user:eve@example.com team:t1 org:1 ");
  EXPECT_EQ(sorted("target"), "team:t1 org:1 user:eve@example.com ");
  EXPECT_EQ(sorted("-severity"), "org:1 team:t1 user:eve@example.com ");
  EXPECT_FALSE(GuardSort::Parse("colour"));
}

TEST_F(GuardReportTest, HoldsThatAreOverAreShownOnRequest) {
  Hold("aaa", HoldState::kWithdrawn, "2026-11-21T11:00:00Z");
  Hold("bbb", HoldState::kReleased, "2026-11-21T11:10:00Z");
  Hold("ccc", HoldState::kApproved, "2026-11-21T11:20:00Z");
  Hold("ddd", HoldState::kOpen, "2026-11-21T11:30:00Z");
  const Json current = Report()["holds"];
  ASSERT_EQ(current.size(), 2U);
  EXPECT_EQ(current[0]["digest"], "ccc");
  EXPECT_EQ(current[1]["digest"], "ddd");
  EXPECT_EQ(Report(Ended::kInclude)["holds"].size(), 4U);
}

TEST_F(GuardReportTest, TextGivesTheCommandThatLetsItThrough) {
  Hold("3f2a1b000000", HoldState::kOpen, "2026-11-21T11:55:00Z");
  Hold("777777777777", HoldState::kApproved, "2026-11-21T11:56:00Z", "user ana (uid 1000)");
  EXPECT_EQ("\n" + GuardText(*GuardReport(*store_), Plain()), R"(
hold 3f2a1b000000: 3 removals on 2 targets open for 5m
  60 removals are more than guard.maxRemovedGrants (50)
  projects/acme/locations/global/authorizationPolicies/payments (payments-viewers)
    - user:eve@example.com would lose roles/viewer
  dashboard:abc-def-ghi
    - team:t1 would lose editor
    - org:1 would lose viewer
  Let exactly these through with:       bindery guard approve 3f2a1b000000
  Keep them, and be asked no more with: bindery guard deny 3f2a1b000000

hold 777777777777: 3 removals on 2 targets approved for 4m
  60 removals are more than guard.maxRemovedGrants (50)
  projects/acme/locations/global/authorizationPolicies/payments (payments-viewers)
    - user:eve@example.com would lose roles/viewer
  dashboard:abc-def-ghi
    - team:t1 would lose editor
    - org:1 would lose viewer
  approved by user ana (uid 1000)
)");
}

TEST_F(GuardReportTest, TextOfNothingHeldSaysSo) {
  EXPECT_EQ(GuardText(*GuardReport(*store_), Plain()), "Nothing is held.\n");
}

TEST(HoldLineTest, APurposeThatIsNotKnownIsRefusedAndNotTakenForAPass) {
  for (const char* known : {"pass", "rollback:7"}) {
    EXPECT_THAT(FromJson<HoldLine>({{"purpose", known}}), testing::IsOk()) << known;
  }
  EXPECT_THAT(FromJson<HoldLine>({{"purpose", "forget:a"}}),
              testing::FailsWith(Code::kFailedPrecondition, HasSubstr("purpose: \"forget:a\"")));
}

}  // namespace
}  // namespace bindery::report
