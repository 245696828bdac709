#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

report::HeldRemoval Loss(const std::string& principal, Severity severity) {
  report::HeldRemoval held;
  held.grant.principal = principal;
  held.grant.role = "roles/viewer";
  held.severity = severity;
  return held;
}

report::HeldTarget Losses(std::vector<report::HeldRemoval> removes) {
  report::HeldTarget target;
  target.target = "projects/acme";
  target.removes = std::move(removes);
  return target;
}

TEST(GuardPage, ShowsTheWorstRemovalFirst) {
  report::HoldLine hold;
  hold.digest = "0123456789abcdef";
  hold.targets = {
      Losses({Loss("low", Severity::kLow)}),
      Losses({Loss("medium", Severity::kMedium), Loss("critical", Severity::kCritical)})};
  EXPECT_THAT(GuardPage({}, {.holds = {hold}, .stale = {}}),
              ContainsRegex(">critical</code>.*>medium</code>.*>low</code>"));
}

TEST(GuardPage, ShowsTheWorstOfAHoldOfThousands) {
  std::vector<report::HeldRemoval> losses;
  for (int i = 0; i < 3000; ++i) losses.push_back(Loss("p" + std::to_string(i), Severity::kLow));
  losses.push_back(Loss("worst", Severity::kHigh));
  report::HoldLine hold;
  hold.targets = {Losses(losses)};
  const std::string page = GuardPage({}, {.holds = {hold}, .stale = {}});
  EXPECT_THAT(page, HasSubstr(">worst</code>"));
  EXPECT_THAT(page, HasSubstr("The worst 200 of 3,001"));
  EXPECT_THAT(page, Not(HasSubstr(">p199</code>")));
}

TEST(GuardPage, NamesTheFirstResourceOfATarget) {
  report::HoldLine hold;
  hold.targets = {Losses({Loss("p", Severity::kLow)})};
  hold.targets.front().resources = {"a", "b", "c", "d"};
  const std::string page = GuardPage({}, {.holds = {hold}, .stale = {}});
  EXPECT_THAT(page, HasSubstr("title=\"a\">a</span>"));
  EXPECT_THAT(page, HasSubstr("title=\"a, b, c and 1 more\">and 3 more</span>"));
}

TEST(GuardPage, TheConditionOfAGrantIsThereOnRequest) {
  report::HoldLine hold;
  hold.digest = "0123456789abcdef";
  hold.targets = {Losses({Loss("p", Severity::kLow)})};
  hold.targets.front().removes.front().grant.condition = Condition{"1 < 2", "always", ""};
  EXPECT_THAT(GuardPage({}, {.holds = {hold}, .stale = {}}),
              ContainsRegex("<details class=\"fold\" id=\"0123456789ab-1\"><summary>.*roles/.*if "
                            "always.*</summary>.*1 &lt; 2.*</details>"));
}

TEST(GuardPage, SortsTheRemovalsByEachColumn) {
  report::HoldLine hold;
  hold.targets = {Losses({Loss("c", Severity::kLow)}),
                  Losses({Loss("b", Severity::kCritical), Loss("d", Severity::kLow)})};
  hold.targets.front().target = "projects/z";
  const auto page = [&](const char* sort) {
    PageContext context;
    context.path = "/guard";
    context.query = {{"sort", sort}};
    return GuardPage(context, {.holds = {hold}, .stale = {}});
  };
  EXPECT_THAT(page("principal"), ContainsRegex(">b</code>.*>c</code>.*>d</code>"));
  EXPECT_THAT(page("-principal"), ContainsRegex(">d</code>.*>c</code>.*>b</code>"));
  EXPECT_THAT(page("-target"), ContainsRegex(">c</code>.*>b</code>.*>d</code>"));
  EXPECT_THAT(page("-principal"), HasSubstr("aria-sort=\"descending\""));
  for (const char* column : {"principal", "role", "severity", "target", "resources"}) {
    EXPECT_THAT(page(""), HasSubstr(std::string("href=\"/guard?sort=") +
                                    (column == std::string("severity") ? "-" : "") + column));
  }
}

}  // namespace
}  // namespace bindery::web
