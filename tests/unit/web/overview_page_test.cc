#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Everything is as it should be.
report::DaemonOverview Quiet() {
  report::DaemonOverview report;
  report.resources.total = 3;
  report.resources.ready = 3;
  report.drift.grants = 4;
  report.drift.targets = 2;
  report.health = {{"manifests", true, ""}};
  return report;
}

TEST(OverviewPage, SaysHowManifestsComeWhileNoneIsThere) {
  EXPECT_THAT(OverviewPage({}, {}),
              AllOf(HasSubstr("No manifest declares anything yet."), HasSubstr("bindery import"),
                    HasSubstr("no grant was read yet")));
  EXPECT_THAT(OverviewPage({}, Quiet()),
              AllOf(Not(HasSubstr("bindery import")), HasSubstr("every grant that was read is")));
}

TEST(OverviewPage, SaysAboveTheCountsWhichCheckFails) {
  report::DaemonOverview report = Quiet();
  EXPECT_THAT(OverviewPage({}, report), Not(HasSubstr("notice wanting")));
  report.health = {{"manifests", false, "the folder is empty"}};
  const std::string page = OverviewPage({}, report);
  const std::size_t notice = page.find("notice wanting");
  ASSERT_NE(notice, std::string::npos);
  EXPECT_LT(notice, page.find("class=\"tiles\""));
  EXPECT_LT(page.find("the folder is empty"), page.find("class=\"tiles\""));
}

TEST(OverviewPage, TellsForeignDriftFromOwnChangesAndHolds) {
  report::DaemonOverview report = Quiet();
  report.drift.open = 6;
  report.drift.held = 3;
  report.drift.by_cause.Of(DriftCause::kForeign) = 1'200;
  report.drift.by_cause.Of(DriftCause::kManifest) = 1;
  EXPECT_THAT(OverviewPage({}, report),
              HasSubstr("1,200 foreign, 1 own change, 3 held, among 4 grants on 2 targets"));
}

TEST(OverviewPage, SaysTheTimeOfItsContent) {
  report::DaemonOverview report = Quiet();
  report.generated_at = WallTime(std::chrono::seconds(1'700'000'000));
  PageContext context;
  context.now = report.generated_at + std::chrono::seconds(9);
  EXPECT_THAT(OverviewPage(context, report), HasSubstr("2023-11-14 22:13:20</time>"));
}

TEST(OverviewPage, SaysHowManyPlacesAreLeftOut) {
  report::DaemonOverview report = Quiet();
  for (const char* place : {"projects/acme", "unknown", "datadog"}) {
    report::PlaceLine line;
    line.place = place;
    line.targets = 2;
    line.differences = 1;
    report.places.push_back(line);
  }
  report.most_undeclared = report.places;
  report.place_count = 3;
  EXPECT_THAT(OverviewPage({}, report), Not(HasSubstr("the targets of all places")));
  report.place_count = 1'003;
  const std::string page = OverviewPage({}, report);
  EXPECT_THAT(page, HasSubstr("1,000 more, none worse: "));
  EXPECT_THAT(page, HasSubstr("href=\"/targets?sort=differences\">the targets of all places"));
  EXPECT_THAT(page, HasSubstr(">project not known</a>"));
  EXPECT_THAT(page, HasSubstr("href=\"/drift?within=unknown\""));
  EXPECT_THAT(page, HasSubstr("href=\"/targets?q=datadog&amp;sort=differences\""));
  PageContext context;
  context.query = {{"places", "undeclared"}};
  EXPECT_THAT(OverviewPage(context, report), HasSubstr("1,000 more, with fewer: "));
}

}  // namespace
}  // namespace bindery::web
