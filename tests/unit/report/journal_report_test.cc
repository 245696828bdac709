#include <gmock/gmock.h>

#include "core/digest.h"
#include "report_fixture.h"

namespace bindery {
namespace {

using testing::At;
using testing::Binding;
using testing::FailsWith;
using testing::IamTarget;
using testing::IsOk;

class EventsReportTest : public testing::ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    StoreChange change;
    change.events = {
        {At("2026-11-21T10:20:30.123Z"), EventType::kNormal, "ManifestAccepted", "payments-viewers",
         testing::kPayments, "declared in teams/payments.yaml:3", "bindery"},
        {At("2026-11-21T10:21:00Z"), EventType::kWarning, "RoleConflict", "other", "",
         "payments-viewers holds roles/viewer", "bindery"},
        {At("2026-11-21T10:22:00Z"), EventType::kNormal, "Suspended", "payments-viewers", "",
         "suspended", "user ana (uid 1000)"}};
    Apply(change);
  }

  Json Report(const EventFilter& filter = {}) {
    const auto report = EventsReport(*store_, filter);
    EXPECT_THAT(report, IsOk());
    return report ? *report : Json();
  }
};

TEST_F(EventsReportTest, ListsEventsOldestFirst) {
  const Json events = Report()["events"];
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].dump(),
            R"({"id":1,"time":"2026-11-21T10:20:30.123Z","type":"Normal",)"
            R"("reason":"ManifestAccepted","resource":"payments-viewers",)"
            R"("target":"projects/acme/locations/global/authorizationPolicies/payments",)"
            R"("message":"declared in teams/payments.yaml:3","actor":"bindery"})");
  EXPECT_EQ(events[2]["actor"], "user ana (uid 1000)");
}

TEST_F(EventsReportTest, OnlyWhatTellsOfDriftHasASeverity) {
  StoreChange change;
  change.events = {{At("2026-11-21T10:23:00Z"), EventType::kWarning, "DriftFound", "",
                    testing::kPayments, "1 difference", "bindery", Severity::kCritical}};
  Apply(change);
  const Json events = Report()["events"];
  EXPECT_EQ(events[3]["severity"], "critical");
  EXPECT_FALSE(events[0].contains("severity"));
}

TEST_F(EventsReportTest, GoesOnAfterAnEvent) {
  EventFilter filter;
  filter.after_id = Report()["events"][1]["id"].get<std::int64_t>();
  EXPECT_EQ(Report(filter)["events"].size(), 1U);
  filter = {};
  filter.resource = "other";
  EXPECT_EQ(Report(filter)["events"][0]["reason"], "RoleConflict");
}

TEST_F(EventsReportTest, TextNamesWhoAskedForIt) {
  EXPECT_EQ("\n" + EventsText(Report(), Plain()), R"(
TIME                      TYPE     REASON            RESOURCE          TARGET                                                         MESSAGE
2026-11-21T10:20:30.123Z  Normal   ManifestAccepted  payments-viewers  projects/acme/locations/global/authorizationPolicies/payments  declared in teams/payments.yaml:3
2026-11-21T10:21:00.000Z  Warning  RoleConflict      other             -                                                              payments-viewers holds roles/viewer
2026-11-21T10:22:00.000Z  Normal   Suspended         payments-viewers  -                                                              suspended (by user ana (uid 1000))
)");
  EXPECT_EQ(EventsText(Json{{"events", Json::array()}}, Plain()), "No events.\n");
}

class HistoryReportTest : public testing::ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    Put({Binding("payments-viewers"), Binding("payments-editors", "roles/editor")});
    StoreChange change;
    change.revisions = {
        Revision("2026-11-20T10:00:00Z", Origin::kForeign, "BwA=", R"({"version":1,"bindings":[]})",
                 "bindery"),
        Revision("2026-11-21T11:59:00Z", Origin::kWritten,
                 "BwB=", R"({"version":3,"bindings":[{"role":"roles/viewer"}]})", "user ana")};
    Apply(change);
  }

  static RevisionRecord Revision(const std::string& time, Origin origin, std::string etag,
                                 std::string policy, std::string actor) {
    RevisionRecord record;
    record.target = IamTarget();
    record.time = At(time);
    record.origin = origin;
    record.etag = std::move(etag);
    record.digest = Sha256Hex(policy);
    record.policy = std::move(policy);
    record.actor = std::move(actor);
    return record;
  }
};

TEST_F(HistoryReportTest, AnyResourceOfATargetShowsItsPolicies) {
  const auto report = HistoryReport(*store_, "payments-editors");
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ((*report)["target"], testing::kPayments);
  const Json& revisions = (*report)["revisions"];
  ASSERT_EQ(revisions.size(), 2U);
  EXPECT_EQ(revisions[0]["origin"], "foreign");
  EXPECT_EQ(revisions[1].dump(),
            R"({"id":2,"time":"2026-11-21T11:59:00.000Z","origin":"written","etag":"BwB=",)"
            R"("digest":")" +
                Sha256Hex(R"({"version":3,"bindings":[{"role":"roles/viewer"}]})") +
                R"(","policy":{"version":3,"bindings":[{"role":"roles/viewer"}]},)"
                R"("actor":"user ana"})");
}

TEST_F(HistoryReportTest, AnUnknownNameIsNotFound) {
  EXPECT_THAT(HistoryReport(*store_, "nobody"),
              FailsWith(Code::kNotFound, "there is no resource \"nobody\""));
}

TEST_F(HistoryReportTest, TextShowsHowToGoBack) {
  const auto report = HistoryReport(*store_, "payments-viewers");
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ("\n" + HistoryText(*report, Plain()),
            R"(
projects/acme/locations/global/authorizationPolicies/payments
REVISION  TIME                      AGE   ORIGIN   ACTOR     ETAG  DIGEST
1         2026-11-20T10:00:00.000Z  1d2h  foreign  bindery   BwA=  )" +
                Sha256Hex(R"({"version":1,"bindings":[]})").substr(0, 12) + R"(
2         2026-11-21T11:59:00.000Z  1m    written  user ana  BwB=  )" +
                Sha256Hex(R"({"version":3,"bindings":[{"role":"roles/viewer"}]})").substr(0, 12) +
                R"(
Write one back with: bindery rollback payments-viewers REVISION
)");
}

TEST_F(HistoryReportTest, TextOfATargetNeverReadSaysSo) {
  ResourceRecord fresh = Binding("dash", "*");
  fresh.target = testing::Dashboard();
  Put({fresh});
  const auto report = HistoryReport(*store_, "dash");
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(HistoryText(*report, Plain()),
            "No revisions of dashboard:abc-def-ghi are on record.\n");
}

}  // namespace
}  // namespace bindery
