// Which conditions a rule is about.

#include "core/settings/condition_match.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

using namespace std::chrono_literals;

const WallTime kNow{1'800'000'000s};

/// An expression that is a number ends so many hours from kNow.
std::optional<WallTime> FindEnd(const Condition& condition) {
  if (condition.expression.find_first_not_of("-0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return kNow + std::chrono::hours(std::stoi(condition.expression));
}

TEST(ConditionMatch, FitsWhatItNames) {
  struct Case {
    const char* name;
    ConditionMatch match;
    std::optional<Condition> condition;
    bool fits;
  };
  const Condition two = {"2", "JIT access activation", "why"};
  const std::vector<Case> cases = {
      {"nothing restricts", {}, std::nullopt, true},
      {"stars restrict nothing", {"*", "**"}, std::nullopt, true},
      {"a title", {"jit access*"}, two, true},
      {"another title", {"JIT"}, two, false},
      {"an expression", {"", "?"}, two, true},
      {"another expression", {"", "3"}, two, false},
      {"no condition", {"jit*"}, std::nullopt, false},
      {"an end within", {"", "", 2h}, two, true},
      {"an end beyond", {"", "", 1h}, two, false},
      {"an end that is over", {"", "", 1h}, Condition{"-5", "", ""}, true},
      {"no end", {"", "", 1h}, Condition{"true", "", ""}, false},
      {"all of it", {"jit*", "2", 3h}, two, true},
      {"not all of it", {"jit*", "3", 3h}, two, false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(one.match.Fits(one.condition, kNow, FindEnd), one.fits) << one.name;
  }
  EXPECT_FALSE((ConditionMatch{"", "", 2h}).Fits(two, kNow, nullptr)) << "nobody tells the end";
}

}  // namespace
}  // namespace bindery
