// Accepted differences and notes, in a report.

#include <memory>

#include "unit/report/json_document.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::DriftText;
using testing::IamTarget;
using testing::Now;

class DriftAcceptedReportTest : public testing::ReportTest {};

TEST_F(DriftAcceptedReportTest, TheyAreListedApartAndCountNowhereElse) {
  DriftItem accepted;
  accepted.drift_class = DriftClass::kUndeclared;
  accepted.severity = Severity::kHigh;
  accepted.state = DriftState::kAccepted;
  accepted.grant = {"roles/viewer", "user:eve@example.com", std::nullopt};
  accepted.desired = "absent";
  accepted.observed = "granted";
  accepted.acceptance = {"incident 42", "ana", At("2026-11-25T00:00:00Z")};
  Observe(IamTarget(), 2, "2026-11-21T11:59:00Z");
  store::StoreChange change;
  change.drift.push_back({IamTarget(), At("2026-11-21T11:59:00Z"), {accepted}, false});
  Apply(std::move(change));
  const Json report = ToJson(*DriftReport(*store_, DriftScope{Now(), std::nullopt}));
  const Json& summary = report.at("summary");
  EXPECT_EQ(summary.at("accepted"), 1);
  EXPECT_EQ(summary.at("open"), 0);
  EXPECT_EQ(summary.at("drifted"), 0);
  EXPECT_EQ(summary.at("bySeverity").at("high"), 0);
  EXPECT_EQ(summary.at("sinceLast").at("new"), 0);
  EXPECT_TRUE(report.at("items").empty());
  ASSERT_EQ(report.at("accepted").size(), 1U);
  const Json& item = report.at("accepted")[0];
  EXPECT_EQ(item.at("state"), "accepted");
  EXPECT_EQ(item.at("action"), "none: accepted until 2026-11-25T00:00:00.000Z by ana: incident 42");
  EXPECT_EQ(item.at("acceptance").dump(),
            R"({"reason":"incident 42","owner":"ana","until":"2026-11-25T00:00:00.000Z"})");
  EXPECT_EQ(DriftText(report, TextStyle{}),
            "No drift among 2 grants on 1 target.\n"
            "1 difference is accepted until 2026-11-25 00:00 UTC: bindery drift --accepted\n");
}

TEST_F(DriftAcceptedReportTest, NotesAreListedApartAndCountNowhereElse) {
  DriftItem tombstone;
  tombstone.drift_class = DriftClass::kTombstone;
  tombstone.severity = Severity::kLow;
  tombstone.state = DriftState::kNoted;
  tombstone.grant = {"roles/viewer", "deleted:user:eve@example.com?uid=1", std::nullopt};
  tombstone.desired = "absent";
  tombstone.observed = "a deleted principal, which holds nothing";
  DriftItem stored = tombstone;
  stored.drift_class = DriftClass::kStoredDifferently;
  stored.grant.principal = "user:alias@example.com";
  stored.desired = "user:alias@example.com";
  stored.observed = "user:primary@example.com";
  Observe(IamTarget(), 2, "2026-11-21T11:59:00Z");
  store::StoreChange change;
  change.drift.push_back({IamTarget(), At("2026-11-21T11:59:00Z"), {tombstone, stored}, false});
  Apply(std::move(change));
  const auto read = [&] {
    return ToJson(*DriftReport(*store_, DriftScope{Now(), At("2026-11-21T11:00:00Z")}));
  };
  const Json report = read();
  const Json& summary = report.at("summary");
  EXPECT_EQ(summary.at("notes"), 2);
  for (const char* count : {"open", "accepted", "held", "drifted", "corrected"}) {
    EXPECT_EQ(summary.at(count), 0) << count;
  }
  EXPECT_EQ(summary.at("sinceLast").at("new"), 0);
  EXPECT_TRUE(report.at("items").empty());
  ASSERT_EQ(report.at("notes").size(), 2U);
  EXPECT_EQ(report.at("notes")[0].at("class"), "tombstone");
  EXPECT_EQ(report.at("notes")[0].at("state"), "noted");
  EXPECT_EQ(report.at("notes")[0].at("action"), "none: the next write of its role drops it");
  EXPECT_EQ(report.at("notes")[1].at("class"), "stored-differently");
  EXPECT_EQ(report.at("notes")[1].at("observed"), "user:primary@example.com");
  // Once they are gone, nothing was corrected.
  store::StoreChange later;
  later.drift.push_back({IamTarget(), At("2026-11-21T11:59:30Z"), {}, true});
  Apply(std::move(later));
  const Json after = read();
  EXPECT_TRUE(after.at("notes").empty());
  EXPECT_TRUE(after.at("items").empty());
  EXPECT_EQ(after.at("summary").at("corrected"), 0);
}

TEST_F(DriftAcceptedReportTest, WhatNobodyManagesIsListedApartInEveryForm) {
  auto unmanaged = std::make_shared<UnmanagedGrants>();
  unmanaged->as_of = At("2026-11-21T11:00:00Z");
  unmanaged->grants = 7;
  unmanaged->targets = 2;
  unmanaged->by_severity.Of(Severity::kHigh) = 7;
  unmanaged->roles = {{"projects/acme/topics/a", "pubsub:Topic", "roles/<b>", 4, Severity::kHigh},
                      {"//x/y", "x/Y", "roles/viewer", 3, Severity::kHigh}};
  unmanaged->more_roles = 1;
  DriftScope scope{Now(), std::nullopt};
  EXPECT_FALSE(ToJson(*DriftReport(*store_, scope)).contains("unmanaged")) << "nothing is scanned";
  scope.unmanaged = unmanaged;
  const Json report = ToJson(*DriftReport(*store_, scope));
  EXPECT_EQ(report.at("unmanaged").at("grants"), 7);
  EXPECT_EQ(report.at("unmanaged").at("bySeverity").at("high"), 7);
  EXPECT_EQ(report.at("unmanaged").at("roles")[0].dump(),
            R"({"kind":"pubsub:Topic","target":"projects/acme/topics/a","role":"roles/<b>",)"
            R"("grants":4,"severity":"high"})");
  EXPECT_EQ(report.at("unmanaged").at("moreRoles"), 1);
  for (const char* count : {"open", "held", "undeclared", "drifted", "notes"}) {
    EXPECT_EQ(report.at("summary").at(count), 0) << count;
  }
  EXPECT_TRUE(report.at("items").empty());
  const auto text = [&](DriftLines lines) {
    testing::JsonDocument document(report);
    std::string written;
    EXPECT_THAT(WriteDrift({ReportFormat::kText, lines}, document, {}, "1.2.3",
                           [&written](std::string_view piece) { written += piece; }),
                testing::IsOk());
    return written;
  };
  const std::string count =
      "7 grants are on 2 targets that nobody manages, as of 2026-11-21 11:00 UTC";
  EXPECT_EQ(text(DriftLines::kStanding),
            "No drift among 0 grants on 0 targets.\n" + count + ": bindery drift --unmanaged\n");
  for (const DriftLines lines : {DriftLines::kAll, DriftLines::kUnmanaged}) {
    const std::string listed = text(lines);
    EXPECT_NE(listed.find("projects/acme/topics/a"), std::string::npos) << listed;
    EXPECT_NE(listed.find("1 more role is counted only"), std::string::npos) << listed;
    EXPECT_NE(listed.find(count + " (no drift).\n"), std::string::npos) << listed;
  }
  const std::string html = testing::DriftIn(ReportFormat::kHtml, report);
  EXPECT_NE(html.find("Unmanaged, which is no drift (7)"), std::string::npos);
  EXPECT_NE(html.find("roles/&lt;b&gt;"), std::string::npos);
  const std::string markdown = testing::DriftIn(ReportFormat::kMarkdown, report);
  EXPECT_NE(markdown.find("| high | projects/acme/topics/a | roles/\\<b\\> | 4 |"),
            std::string::npos);
  const std::string csv = testing::DriftIn(ReportFormat::kCsv, report);
  EXPECT_NE(
      csv.find("high,,,unmanaged,pubsub:Topic,projects/acme/topics/a,roles/<b>,,,,,,,4 grants"),
      std::string::npos)
      << csv;
  const Json sarif = *ParseJson(testing::DriftIn(ReportFormat::kSarif, report));
  EXPECT_TRUE(sarif.at("runs")[0].at("results").empty()) << "code scanning shows results as open";
  EXPECT_EQ(sarif.at("runs")[0].at("properties").at("unmanaged").at("grants"), 7);
  EXPECT_NE(testing::DriftIn(ReportFormat::kYaml, report).find("unmanaged:"), std::string::npos);
}

}  // namespace
}  // namespace bindery::report
