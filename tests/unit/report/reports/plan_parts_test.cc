#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "report/reports/plan_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

const Target kOne = {"AuthorizationPolicyIamBinding", "", "projects/acme/a"};
const Target kOther = {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"};

PlannedChange Lose(const Target& target, std::vector<std::string> resources) {
  PlannedChange change;
  change.target = target;
  change.action = PlanAction::kUpdate;
  change.plan.changes = reconcilers::ComposePlan({}, {{"editor", "user:eve@example.com"}}).changes;
  change.resources = std::move(resources);
  return change;
}

TEST(PlanParts, HaveASummaryOfTheirOwn) {
  const PlannedChange one = Lose(kOne, {"viewers", "editors"});
  const PlannedChange other = Lose(kOther, {"dash"});
  const PassPlan all = PlanReport({one, other}, testing::Now());
  const auto text = [](const PassPlan& plan) { return ToJson(plan).dump(); };
  const std::string text_of_one = text(PlanReport({one}, testing::Now()));
  const std::string text_of_other = text(PlanReport({other}, testing::Now()));
  EXPECT_EQ(text(PlanOfTargets(all, {kOne})), text_of_one);
  EXPECT_EQ(text(PlanOfTargets(all, {kOther})), text_of_other);
  EXPECT_EQ(text(PlanOfTargets(all, {})), text(PlanReport({}, testing::Now())));
  EXPECT_EQ(text(PlanWithout(all, {"dash"})), text_of_one);
  EXPECT_EQ(text(PlanWithout(all, {"editors"})), text_of_other);
  EXPECT_EQ(text(PlanWithout(all, {"nobody"})), text(all));
  PassPlan sum = PlanOfTargets(all, {kOne});
  sum.summary += PlanOfTargets(all, {kOther}).summary;
  EXPECT_EQ(ToJson(sum.summary).dump(), ToJson(all.summary).dump());
}

}  // namespace
}  // namespace bindery::report
