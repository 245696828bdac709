// What a plan tells of grants that get another condition.

#include <gtest/gtest.h>

#include "report/explain/explain_report.h"
#include "report/forms/texts.h"
#include "report/reports/plan_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::Now;

/// A condition whose end moves, or whose description is another one.
reconcilers::GrantChange Replaced(const Condition& before, const Condition& after) {
  reconcilers::GrantChange change;
  change.action = reconcilers::ChangeAction::kReplace;
  change.grant = {"roles/viewer", "user:ana@example.com", after};
  change.before = Grant{"roles/viewer", "user:ana@example.com", before};
  return change;
}

TEST(PlanText, AnotherConditionIsOneChangeThatSaysWhatDiffers) {
  PlannedChange change;
  change.target = {"AuthorizationPolicyIamBinding", "", "projects/acme/a"};
  change.action = PlanAction::kUpdate;
  change.resources = {"payments-viewers"};
  change.plan.changes = {Replaced({"a", "t", ""}, {"b", "t", ""}),
                         Replaced({"a", "t", "by Bo"}, {"a", "t", "by Cy"})};
  change.plan.changes.back().Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kGuard,
                                   {reconcilers::ReasonCode::kOverLimits});
  const PassPlan plan = PlanReport({change}, Now());
  EXPECT_EQ(plan.summary.replaces, 2U);
  EXPECT_EQ(plan.summary.adds + plan.summary.removes, 0U);
  EXPECT_EQ("\n" + PlanText(plan, {}), R"(
update projects/acme/a (payments-viewers)
  ~ user:ana@example.com is granted if t: b, not granted if t: a: roles/viewer on projects/acme/a
  ~ user:ana@example.com would be granted if t: a (by Cy), not granted if t: a (by Bo): roles/viewer on projects/acme/a (held)

Plan: 0 grants to add, 0 to remove, 2 to get another condition, on 1 target.
)");
  const Json line = ToJson(plan)["changes"][0]["replaces"][0];
  EXPECT_EQ(line["condition"]["expression"], "b");
  EXPECT_EQ(line["before"]["condition"]["expression"], "a");
}

TEST(PlanReport, NamesTheGateOfWhatIsNotWritten) {
  PlannedChange change;
  change.target = {"AuthorizationPolicyIamBinding", "", "projects/acme/a"};
  change.stopped = reconcilers::ComposePlan({}, {{"roles/owner", "user:ana@example.com"}});
  change.stopped.changes[0].Lower(reconcilers::Verdict::kRefuse, reconcilers::Gate::kLockout,
                                  {reconcilers::ReasonCode::kLastOwner});
  const Json plan = ToJson(PlanReport({change}, Now()));
  EXPECT_EQ(plan["changes"][0]["stopped"].dump(),
            R"([{"role":"roles/owner","member":"user:ana@example.com","gate":"lockout"}])");
  EXPECT_EQ(plan["summary"]["removes"], 0);
  Explanation explanation;
  explanation.target = "projects/acme/a";
  AddNextPass(explanation, PlanReport({change}, Now()));
  ASSERT_EQ(explanation.next->stopped.size(), 1U);
  EXPECT_NE(ExplainText(explanation, {})
                .find("= user:ana@example.com roles/owner (stopped by "
                      "lockout)"),
            std::string::npos);
}

}  // namespace
}  // namespace bindery::report
