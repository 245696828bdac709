#include "web/history_bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Three days, of which the middle one has no record.
report::WorkHistory ThreeDays() {
  const WallTime first = ParseRfc3339("2026-11-19T00:00:00Z").value_or(WallTime());
  report::WorkHistory history;
  history.range = "30d";
  history.from = first;
  history.step_seconds = 24 * 60 * 60;
  history.count = 3;
  history.spans = {{first, {0, 4, 1}, {7, 7, 7}, 4, 1200, 0, 9},
                   {first + std::chrono::hours(48), {1, 1, 1}, {7, 9, 9}, 0, 5, 2, 11}};
  return history;
}

TEST(HistoryBars, AreToldInWordsToo) {
  const std::string bars = HistoryBars(ThreeDays()).markup();
  EXPECT_THAT(bars, HasSubstr("aria-label=\"Open differences: 1 at last, between 0 and 4 in 30 "
                              "days; no record of 1 day\""));
  EXPECT_THAT(bars, HasSubstr("aria-label=\"Policies written: 1,205 in 30 days, at most 1,200 "
                              "(2026-11-19); no record of 1 day\""));
  EXPECT_THAT(bars, Not(HasSubstr("style=")));
}

TEST(HistoryBars, ADayWithoutARecordIsAGap) {
  const std::string bars = HistoryBars(ThreeDays()).markup();
  EXPECT_THAT(bars, HasSubstr("class=\"gap\" d=\"M100.0 72.0h100.0v-72.0h-100.0z\""));
}

TEST(HistoryBars, TheTrendComparesWithTheFirstRecord) {
  EXPECT_EQ(UndeclaredTrend(ThreeDays(), 9), "2 more than on 2026-11-19");
  EXPECT_EQ(UndeclaredTrend(ThreeDays(), 1), "6 fewer than on 2026-11-19");
  EXPECT_EQ(UndeclaredTrend(ThreeDays(), 7), "");
  EXPECT_EQ(UndeclaredTrend({}, 7), "");
}

TEST(HistoryPage, HasTheNumbersAsATable) {
  const std::string page = HistoryPage({}, ThreeDays());
  EXPECT_THAT(page, AllOf(HasSubstr("In 30 days: 4 differences found, 1,205 policies written, 2 "
                                    "errors."),
                          HasSubstr("0 to 4"), HasSubstr("2026-11-21"),
                          HasSubstr("href=\"/history?range=24h\"")));
}

TEST(HistoryPage, TheTableIsInTheAskedOrderAndTheBarsAreNot) {
  report::WorkHistory sorted = ThreeDays();
  report::SortSpans(sorted, report::HistoryOrder::kWrites, /*descending=*/false);
  PageContext context;
  context.path = "/history";
  const auto rows = ::testing::ContainsRegex("row.*2026-11-21.*2026-11-19");
  EXPECT_THAT(HistoryPage(context, ThreeDays()), rows) << "the newest first";
  EXPECT_THAT(HistoryPage(context, ThreeDays()),
              HasSubstr("href=\"/api/v1/history?sort=-time&amp;format=csv\""));
  context.query = {{"sort", "writes"}};
  const std::string page = HistoryPage(context, sorted);
  EXPECT_THAT(page, ::testing::ContainsRegex("row.*2026-11-19.*2026-11-21"));
  EXPECT_THAT(page, HasSubstr("aria-sort=\"ascending\""));
  EXPECT_THAT(page, HasSubstr(HistoryBars(ThreeDays()).markup()));
}

TEST(HistoryPage, SaysThatNothingIsOnRecord) {
  report::WorkHistory history = ThreeDays();
  history.spans.clear();
  EXPECT_THAT(HistoryPage({}, history), HasSubstr("Nothing is on record yet."));
}

}  // namespace
}  // namespace bindery::web
