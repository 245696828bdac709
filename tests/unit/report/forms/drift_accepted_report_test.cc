// Accepted differences and notes, in a report.

#include "unit/report/json_document.h"
#include "unit/report/report_fixture.h"

namespace bindery {
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
  StoreChange change;
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
  StoreChange change;
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
  StoreChange later;
  later.drift.push_back({IamTarget(), At("2026-11-21T11:59:30Z"), {}, true});
  Apply(std::move(later));
  const Json after = read();
  EXPECT_TRUE(after.at("notes").empty());
  EXPECT_TRUE(after.at("items").empty());
  EXPECT_EQ(after.at("summary").at("corrected"), 0);
}

}  // namespace
}  // namespace bindery
