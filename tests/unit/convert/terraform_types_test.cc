#include "convert/terraform_types.h"

#include <gtest/gtest.h>

#include "unit/convert/convert.h"

namespace bindery::convert {
namespace {

TEST(TerraformTypes, HaveTheirCounterparts) {
  const TerraformTypes types(EverySchema());
  const Counterpart found = types.Find("datadog_restriction_policy", false);
  ASSERT_NE(found.kind, nullptr);
  EXPECT_EQ(found.kind->token.kind, "RestrictionPolicy");
  EXPECT_EQ(found.type->type, "datadog_restriction_policy");
}

TEST(TerraformTypes, OfResourcesAreNotThoseOfDataSources) {
  const TerraformTypes types(EverySchema());
  EXPECT_NE(types.Find("datadog_current_user", true).kind, nullptr);
  EXPECT_EQ(types.Find("datadog_current_user", false).kind, nullptr);
  EXPECT_EQ(types.Find("datadog_restriction_policy", true).type, nullptr);
}

TEST(TerraformTypes, SayWhyThereIsNone) {
  const TerraformTypes types(EverySchema());
  EXPECT_EQ(types.WhyNot("datadog_restriction_polcy", false),
            "bindery has no kind for \"datadog_restriction_polcy\", did you mean "
            "\"datadog_restriction_policy\"?");
  EXPECT_TRUE(types.WhyNot("google_folder_iam_policy", false)
                  .starts_with("its policy is the result of a data source"));
}

}  // namespace
}  // namespace bindery::convert
