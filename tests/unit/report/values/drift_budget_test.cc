// How much one report lists, and what it says of the rest.

#include "report/values/drift_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "unit/report/json_document.h"
#include "yaml/node.h"

namespace bindery::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Differences, each a target, a severity and the second at which it was over; 0: it stands.
struct Seen {
  std::string target;
  Severity severity = Severity::kLow;
  int over = 0;
};

testing::JsonDocument DescribeDocument(const std::vector<Seen>& differences, std::size_t failing) {
  WholeDrift report;
  for (const Seen& difference : differences) {
    DriftReportItem& item = report.items.emplace_back();
    item.id = static_cast<std::int64_t>(report.items.size()) - 1;
    item.kind = "K";
    item.target = difference.target;
    item.severity = difference.severity;
    if (difference.over == 0) continue;
    item.state = DriftState::kCorrected;
    item.resolved_at = WallTime(std::chrono::seconds(difference.over));
  }
  report.failing.resize(failing);
  report.summary.failing = static_cast<std::int64_t>(failing);
  return testing::JsonDocument(ToJson(report));
}

std::vector<std::int64_t> Listed(const DriftDocument& document) {
  std::vector<std::int64_t> ids;
  for (const DriftDocument::Entry& entry : document.entries()) ids.push_back(entry.id);
  return ids;
}

constexpr DriftBudget kTight = {.items = 3, .others = 1, .targets = 1};

TEST(DriftBudget, WhatFitsIsTheWholeReport) {
  testing::JsonDocument whole = DescribeDocument({{"a"}, {"a", Severity::kLow, 5}, {"b"}}, 1);
  auto cut = BudgetedDrift::Of(whole, kTight);
  ASSERT_THAT(cut, testing::IsOk());
  EXPECT_EQ(cut->unlisted(), nullptr);
  for (const ReportFormat format : {ReportFormat::kJson, ReportFormat::kYaml}) {
    EXPECT_EQ(testing::DriftIn(format, *cut), testing::DriftIn(format, whole));
  }
}

TEST(DriftBudget, WhatStandsIsListedBeforeWhatWasOverLast) {
  testing::JsonDocument whole = DescribeDocument(
      {{"a", Severity::kLow, 7}, {"a", Severity::kLow, 9}, {"b"}, {"c", Severity::kLow, 8}, {"b"}},
      0);
  const auto cut = BudgetedDrift::Of(whole, kTight);
  ASSERT_THAT(cut, testing::IsOk());
  EXPECT_THAT(Listed(*cut), ElementsAre(1, 2, 4)) << "in the order of the whole report";
}

TEST(DriftBudget, TheRestIsCountedByTarget) {
  testing::JsonDocument whole = DescribeDocument({{"a"},
                                                  {"a"},
                                                  {"a"},
                                                  {"b", Severity::kHigh, 5},
                                                  {"b", Severity::kLow, 6},
                                                  {"c", Severity::kLow, 4},
                                                  {"d"}},
                                                 3);
  auto cut = BudgetedDrift::Of(whole, kTight);
  ASSERT_THAT(cut, testing::IsOk());
  EXPECT_EQ(cut->head().failing.size(), 1U);
  EXPECT_EQ(cut->head().summary.failing, 3) << "the summary is of everything";
  const Json expected = *ParseJson(R"({"standing": 1, "corrected": 3, "accepted": 0, "notes": 0,
    "failing": 2, "expiring": 0,
    "targets": [{"kind": "K", "target": "b", "standing": 0, "corrected": 2, "severity": "high",
                 "resolvedAt": "1970-01-01T00:00:06.001Z"}],
    "moreTargets": 2})");
  const Json json = *ParseJson(testing::DriftIn(ReportFormat::kJson, *cut));
  EXPECT_EQ(json.at("items").size(), 3U);
  EXPECT_EQ(json.at("unlisted"), expected);
  EXPECT_THAT(testing::DriftIn(ReportFormat::kYaml, *cut), HasSubstr("\nunlisted:\n"));
  for (const ReportFormat format :
       {ReportFormat::kHtml, ReportFormat::kMarkdown, ReportFormat::kText}) {
    const std::string note = "1 more are counted only: bindery drift -o json has all of them.";
    EXPECT_THAT(testing::DriftIn(format, *cut), HasSubstr(note));
    EXPECT_THAT(testing::DriftIn(format, whole), Not(HasSubstr(note)));
  }
}

}  // namespace
}  // namespace bindery::report
