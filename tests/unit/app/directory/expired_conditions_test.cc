#include "app/directory/expired_conditions.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/text/time_text.h"

namespace bindery::app {
namespace {

manifests::Manifest Conditional(const std::string& expression) {
  manifests::Manifest manifest;
  manifest.name = "a";
  manifest.source = {"a.yaml", 3};
  manifest.spec = Json{{"condition", {{"title", "t"}, {"expression", expression}}}}.dump();
  return manifest;
}

TEST(ExpiredCondition, IsAWarningFromTheEndOfTheTimeOn) {
  const manifests::Manifest manifest =
      Conditional("request.time < timestamp('2027-01-01T00:00:00Z')");
  EXPECT_FALSE(ExpiredCondition(manifest, *ParseRfc3339("2026-12-31T23:59:59Z")));
  const std::optional<manifests::Problem> problem =
      ExpiredCondition(manifest, *ParseRfc3339("2027-01-01T00:00:00Z"));
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->severity, manifests::ProblemSeverity::kWarning);
  EXPECT_EQ(problem->code, "DateTimeCheck");
  EXPECT_EQ(problem->resource, "a");
  EXPECT_EQ(problem->Text(),
            "a.yaml:3: spec.condition.expression: the condition is expired: it holds for no time "
            "after 2027-01-01T00:00:00Z");
}

TEST(ExpiredCondition, IsNothingThatDoesNotHangOnTimeAlone) {
  const WallTime now = *ParseRfc3339("2028-01-01T00:00:00Z");
  for (const char* lasting :
       {"resource.name == 'a' || request.time < timestamp('2027-01-01T00:00:00Z')",
        "request.time > timestamp('2027-01-01T00:00:00Z')", "true"}) {
    EXPECT_FALSE(ExpiredCondition(Conditional(lasting), now)) << lasting;
  }
  manifests::Manifest plain;
  plain.spec = "{}";
  EXPECT_FALSE(ExpiredCondition(plain, now));
}

}  // namespace
}  // namespace bindery::app
