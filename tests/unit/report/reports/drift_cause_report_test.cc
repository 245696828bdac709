// The causes of differences, in a report.

#include "unit/report/report_fixture.h"

namespace bindery::report {
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

TEST_F(DriftCauseReportTest, TheWorstComesFirstAndOnRequestWhatIsForeign) {
  store::StoreChange change;
  change.drift.push_back(
      {IamTarget(),
       At("2026-11-21T11:30:00Z"),
       {CausedItem(DriftClass::kUndeclared, Severity::kCritical, {"roles/owner", "allUsers"},
                   DriftCause::kManifest),
        CausedItem(DriftClass::kMissing, Severity::kLow, {"roles/viewer", "user:ana@example.com"},
                   DriftCause::kForeign)},
       false});
  Apply(std::move(change));
  DriftScope scope{At("2026-11-21T12:00:00Z"), std::nullopt};
  Json json;
  for (const bool foreign_first : {true, false}) {
    scope.foreign_first = foreign_first;
    const auto report = DriftReport(*store_, scope);
    ASSERT_TRUE(report.has_value());
    json = ToJson(*report);
    EXPECT_EQ(json.at("items")[0]["severity"], foreign_first ? "low" : "critical");
    EXPECT_EQ(json.at("items")[1]["severity"], foreign_first ? "critical" : "low");
  }
  EXPECT_EQ(json.at("version"), 1);
  EXPECT_EQ(json.at("summary")["byCause"].dump(),
            R"({"foreign":1,"unknown":0,"expiry":0,"manifest":1})");
}

}  // namespace
}  // namespace bindery::report
