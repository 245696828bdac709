// Coverage as text.

#include "report/forms/coverage_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "report/text/text_style.h"

namespace bindery::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CoverageText, FoldsALongListOfTypes) {
  Coverage coverage;
  coverage.scope = "organizations/1";
  coverage.provider = "cloudnative";
  std::string types = "resource types that are not searched: 20 of 30:";
  for (int i = 0; i < 20; ++i) types += " service/v1:Type" + std::to_string(i);
  coverage.not_looked_at = {"deny policies: 3 found, none is read", types};
  const std::string text = CoverageText(coverage, {});
  EXPECT_THAT(text, HasSubstr("- deny policies: 3 found, none is read\n"));
  EXPECT_THAT(text, HasSubstr("- resource types that are not searched: 20 of 30 (-o json names "
                              "them)\n"));
  EXPECT_THAT(text, Not(HasSubstr("Type0")));
}

}  // namespace
}  // namespace bindery::report
