// How lookups are told of: they have results, and neither grants nor revisions.

#include <gmock/gmock.h>

#include "report/forms/texts.h"
#include "unit/report/json_document.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using testing::Now;

class LookupReport : public testing::ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    store::ResourceRecord record = testing::Binding("hosts", "hosts");
    record.token = {"cloudnative:migrationcenter/v1", "getImportDataFile"};
    record.target = target_;
    record.outputs =
        R"({"state":"ACTIVE","uploadFileInfo":{"headers":"[secret]","signedUri":"[secret]"}})";
    Put({record});
    DriftItem item;
    item.drift_class = DriftClass::kLookupChanged;
    item.severity = Severity::kLow;
    item.state = DriftState::kCorrected;
    item.resource = "hosts";
    item.grant.role = "state";
    item.desired = "CREATING";
    item.observed = "ACTIVE";
    store::StoreChange change;
    change.drift.push_back({target_, At("2026-11-21T11:00:00Z"), {item}, false});
    Apply(std::move(change));
  }

  const Target target_ = {"getImportDataFile", "cloudnative", "projects/p/f"};
};

TEST_F(LookupReport, AChangeNamesItsFieldAndNoGrant) {
  const auto report = DriftReport(*store_, DriftScope{Now(), At("2026-11-21T10:00:00Z")});
  ASSERT_THAT(report, IsOk());
  const Json json = ToJson(*report);
  const Json& item = json.at("items").at(0);
  EXPECT_EQ(item.at("class"), "lookup-changed");
  EXPECT_EQ(item.at("state"), "corrected");
  EXPECT_EQ(item.at("grant"), nullptr);
  EXPECT_EQ(item.at("field"), "state");
  EXPECT_EQ(item.at("resource"), "hosts");
  EXPECT_THAT(testing::DriftText(json, Plain()),
              HasSubstr("lookup-changed, corrected  state  CREATING | ACTIVE"));
}

TEST_F(LookupReport, OneAloneIsShownWithWhatItGave) {
  ResourceFilter filter;
  filter.name = "hosts";
  const auto report = ResourcesReport(*store_, filter, Now());
  ASSERT_THAT(report, IsOk());
  EXPECT_THAT(ResourcesText(*report, Plain()),
              HasSubstr("\nOutputs:\n  state: ACTIVE\n  uploadFileInfo.headers: [secret]\n"
                        "  uploadFileInfo.signedUri: [secret]\n"));
  Put({testing::Binding("viewers")});
  EXPECT_THAT(ResourcesText(*ResourcesReport(*store_, {}, Now()), Plain()),
              Not(HasSubstr("Outputs")));
}

TEST_F(LookupReport, HistorySaysThatNoneIsKept) {
  const auto report = HistoryReport(*store_, "hosts");
  ASSERT_THAT(report, IsOk());
  EXPECT_TRUE(report->revisions.empty());
  EXPECT_EQ(HistoryText(*report, Plain()),
            "hosts is a lookup: nothing is written for it, and no revisions are kept.\n");
}

}  // namespace
}  // namespace bindery::report
