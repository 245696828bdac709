#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

HeldGrant Loss(const std::string& principal, Severity severity) {
  HeldGrant held;
  held.grant.principal = principal;
  held.grant.role = "roles/viewer";
  held.severity = severity;
  return held;
}

TEST(GuardPage, ShowsTheWorstRemovalFirst) {
  HoldLine hold;
  hold.digest = "0123456789abcdef";
  hold.targets = {
      {.target = "a", .removes = {Loss("low", Severity::kLow)}},
      {.target = "b",
       .removes = {Loss("medium", Severity::kMedium), Loss("critical", Severity::kCritical)}}};
  EXPECT_THAT(GuardPage({}, {{hold}}), ContainsRegex("<code>critical.*<code>medium.*<code>low"));
}

TEST(GuardPage, ShowsTheWorstOfAHoldOfThousands) {
  HeldTarget target{.target = "a"};
  for (int i = 0; i < 3000; ++i) {
    target.removes.push_back(Loss("p" + std::to_string(i), Severity::kLow));
  }
  target.removes.push_back(Loss("worst", Severity::kHigh));
  HoldLine hold;
  hold.targets = {target};
  const std::string page = GuardPage({}, {{hold}});
  EXPECT_THAT(page, HasSubstr("<code>worst"));
  EXPECT_THAT(page, HasSubstr("The worst 200 of 3,001"));
  EXPECT_THAT(page, Not(HasSubstr("<code>p199<")));
}

}  // namespace
}  // namespace bindery::web
