#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CoveragePage, SaysHowToScanBeforeTheFirstScan) {
  EXPECT_THAT(CoveragePage({}, {}),
              AllOf(HasSubstr("No scan is finished."), HasSubstr("bindery scan --scope"),
                    Not(HasSubstr("<table"))));
}

TEST(CoveragePage, FoldsALongListOfWhatWasNotLookedAt) {
  report::Coverage report;
  report.scope = "projects/acme";
  report.not_looked_at = {"deny policies: 3 found", "types: 92 of 284: " + std::string(200, 'x')};
  EXPECT_THAT(CoveragePage({}, report),
              AllOf(HasSubstr("<li>deny policies: 3 found</li>"),
                    HasSubstr("<details><summary>types: 92 of 284</summary>xxx")));
}

TEST(CoveragePage, ShowsTheFirstOfManyGroups) {
  report::Coverage coverage;
  coverage.scope = "organizations/1";
  coverage.by = "principal";
  for (int i = 0; i < 501; ++i) coverage.groups.push_back({"p" + std::to_string(i), 1, {}});
  const std::string page = CoveragePage({}, coverage);
  EXPECT_THAT(
      page, AllOf(HasSubstr(">p499<"), Not(HasSubstr(">p500<")), HasSubstr("The first 500 of 501."),
                  HasSubstr("bindery coverage --by principal -o json")));
}

}  // namespace
}  // namespace bindery::web
