// The causes of differences, in a report.

#include "report_fixture.h"

namespace bindery {
namespace {

using testing::At;
using testing::IamTarget;

class DriftCauseReportTest : public testing::ReportTest {};

DriftItem CausedItem(DriftClass drift_class, Severity severity, Grant grant, DriftCause cause) {
  DriftItem item;
  item.drift_class = drift_class;
  item.severity = severity;
  item.grant = std::move(grant);
  item.cause = cause;
  return item;
}

TEST_F(DriftCauseReportTest, WhatStandsAndIsForeignComesFirst) {
  StoreChange change;
  change.drift.push_back(
      {IamTarget(),
       At("2026-11-21T11:30:00Z"),
       {CausedItem(DriftClass::kUndeclared, Severity::kCritical, {"roles/owner", "allUsers"},
                   DriftCause::kManifest),
        CausedItem(DriftClass::kMissing, Severity::kLow, {"roles/viewer", "user:ana@example.com"},
                   DriftCause::kForeign)},
       false});
  Apply(std::move(change));
  const auto report = DriftReport(*store_, DriftScope{At("2026-11-21T12:00:00Z"), std::nullopt});
  ASSERT_TRUE(report.has_value());
  const Json json = ToJson(*report);
  EXPECT_EQ(json.at("version"), 1);
  EXPECT_EQ(json.at("items")[0]["cause"], "foreign");
  EXPECT_EQ(json.at("items")[1]["cause"], "manifest");
  EXPECT_EQ(json.at("summary")["byCause"].dump(),
            R"({"foreign":1,"unknown":0,"expiry":0,"manifest":1})");
}

}  // namespace
}  // namespace bindery
