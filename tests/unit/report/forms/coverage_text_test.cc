// Coverage as text.

#include "report/forms/coverage_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "report/forms/list_csv.h"
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

TEST(CoverageCsv, HasALineForEachGroupElseForEachClass) {
  Coverage coverage;
  coverage.classes.undeclared = 7;
  EXPECT_THAT(ListCsv(coverage), HasSubstr("class,grants\r\ndeclared,0\r\n"));
  EXPECT_THAT(ListCsv(coverage), HasSubstr("undeclared,7\r\n"));
  coverage.by = "principal";
  coverage.groups = {{"user:a@example.com", 3, {.declared = 2, .undeclared = 1}}};
  EXPECT_EQ(ListCsv(coverage),
            "principal,grants,declared,accepted,justInTime,serviceAgents,undeclared,unmanaged,"
            "tombstones\r\nuser:a@example.com,3,2,0,0,0,1,0,0\r\n");
}

TEST(CoverageText, APrincipalIsWholeInANarrowTerminal) {
  Coverage coverage;
  coverage.scope = "organizations/100000000001";
  coverage.provider = "cloudnative";
  coverage.by = "principal";
  const std::string name = "serviceAccount:deployment-runner@identity-platform.iam.example.com";
  coverage.groups = {{name, 3, {}}, {"user:former.colleague@example.com", 2, {}}};
  TextStyle style;
  style.width = 80;
  const std::string text = CoverageText(coverage, style);
  EXPECT_THAT(text, HasSubstr("\n" + name + "\n"));
  EXPECT_THAT(text, HasSubstr("\nuser:former.colleague@example.com"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace bindery::report
