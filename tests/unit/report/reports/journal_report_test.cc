#include <gmock/gmock.h>

#include "core/text/digest.h"
#include "report/forms/texts.h"
#include "report/reports/revision_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
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
    store::StoreChange change;
    change.events = {
        {At("2026-11-21T10:20:30.123Z"), EventType::kNormal, "ManifestAccepted", "payments-viewers",
         testing::kPayments, "declared in teams/payments.yaml:3", "bindery"},
        {At("2026-11-21T10:21:00Z"), EventType::kWarning, "RoleConflict", "other", "",
         "payments-viewers holds roles/viewer", "bindery"},
        {At("2026-11-21T10:22:00Z"), EventType::kNormal, "Suspended", "payments-viewers", "",
         "suspended", "user ana (uid 1000)"}};
    Apply(change);
  }

  Json Report(const store::EventFilter& filter = {}) {
    const auto report = EventsReport(*store_, filter);
    EXPECT_THAT(report, IsOk());
    return report ? ToJson(*report) : Json();
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
  store::StoreChange change;
  change.events = {{At("2026-11-21T10:23:00Z"), EventType::kWarning, "DriftFound", "",
                    testing::kPayments, "1 difference", "bindery", Severity::kCritical}};
  Apply(change);
  const Json events = Report()["events"];
  EXPECT_EQ(events[3]["severity"], "critical");
  EXPECT_FALSE(events[0].contains("severity"));
}

TEST_F(EventsReportTest, GoesOnAfterAnEvent) {
  store::EventFilter filter;
  filter.after_id = Report()["events"][1]["id"].get<std::int64_t>();
  EXPECT_EQ(Report(filter)["events"].size(), 1U);
  filter = {};
  filter.since = At("2026-11-21T10:21:00Z");
  EXPECT_EQ(Report(filter)["events"].size(), 2U);
  filter = {};
  filter.resource = "other";
  EXPECT_EQ(Report(filter)["events"][0]["reason"], "RoleConflict");
}

TEST_F(EventsReportTest, AResourceIsKnownByItsEventsToo) {
  store::EventFilter filter;
  filter.resource = "other";
  filter.since = At("2026-11-21T10:22:00Z");
  EXPECT_EQ(Report(filter)["events"].size(), 0U);
  filter.resource = "nobody";
  EXPECT_THAT(EventsReport(*store_, filter),
              FailsWith(Code::kNotFound, "there is no resource \"nobody\""));
}

TEST_F(EventsReportTest, TextNamesWhoAskedForIt) {
  EXPECT_EQ("\n" + EventsText(*EventsReport(*store_, {}), Plain()), R"(
TIME                      TYPE     REASON            RESOURCE          TARGET                                                         MESSAGE
2026-11-21T10:20:30.123Z  Normal   ManifestAccepted  payments-viewers  projects/acme/locations/global/authorizationPolicies/payments  declared in teams/payments.yaml:3
2026-11-21T10:21:00.000Z  Warning  RoleConflict      other             -                                                              payments-viewers holds roles/viewer
2026-11-21T10:22:00.000Z  Normal   Suspended         payments-viewers  -                                                              suspended (by user ana (uid 1000))
)");
  EXPECT_EQ(EventsText(EventList{}, Plain()), "No events.\n");
}

TEST_F(EventsReportTest, TextInANarrowTerminalSaysAllBelowOneAnother) {
  TextStyle style = Plain();
  style.width = 80;
  EXPECT_EQ("\n" + EventsText(*EventsReport(*store_, {}), style), R"(
TIME                      REASON            MESSAGE
2026-11-21T10:20:30.123Z  ManifestAccepted  payments-viewers: declared in
                                            teams/payments.yaml:3
2026-11-21T10:21:00.000Z  RoleConflict      other: payments-viewers holds
                                            roles/viewer
2026-11-21T10:22:00.000Z  Suspended         payments-viewers: suspended (by user
                                            ana (uid 1000))
)");
}

constexpr const char* kViewers =
    R"({"version":3,"bindings":[{"role":"roles/viewer","members":["user:ana@example.com","group:x@y.z"]}]})";

class HistoryReportTest : public testing::ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    Put({Binding("payments-viewers"), Binding("payments-editors", "roles/editor")});
    store::StoreChange change;
    change.revisions = {
        Revision("2026-11-20T10:00:00Z", Origin::kForeign, "BwA=", R"({"version":1,"bindings":[]})",
                 "bindery"),
        Revision("2026-11-21T11:59:00Z", Origin::kWritten, "BwB=", kViewers, "user ana")};
    Apply(change);
  }

  static store::RevisionRecord Revision(const std::string& time, Origin origin, std::string etag,
                                        std::string policy, std::string actor) {
    store::RevisionRecord record;
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
  EXPECT_EQ(report->target, testing::kPayments);
  const Json revisions = ToJson(*report)["revisions"];
  ASSERT_EQ(revisions.size(), 2U);
  EXPECT_EQ(revisions[0]["origin"], "foreign");
  EXPECT_EQ(revisions[0]["changes"], nullptr) << "nothing was before it";
  Json second = revisions[1];
  EXPECT_EQ(second["changes"]["added"].size(), 2U);
  EXPECT_EQ(second["changes"]["removed"].size(), 0U);
  second.erase("changes");
  EXPECT_EQ(second.dump(),
            R"({"id":2,"time":"2026-11-21T11:59:00.000Z","origin":"written","etag":"BwB=",)"
            R"("digest":")" +
                Sha256Hex(kViewers) + R"(","policy":)" + kViewers + R"(,"actor":"user ana"})");
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
REVISION  TIME                      AGE   ORIGIN   CHANGE  ACTOR     ETAG  DIGEST
1         2026-11-20T10:00:00.000Z  1d2h  foreign  -       bindery   BwA=  )" +
                Sha256Hex(R"({"version":1,"bindings":[]})").substr(0, 12) + R"(
2         2026-11-21T11:59:00.000Z  1m    written  +2      user ana  BwB=  )" +
                Sha256Hex(kViewers).substr(0, 12) + R"(
What one changed: bindery history payments-viewers REVISION; write one back with: bindery rollback payments-viewers REVISION
)");
  TextStyle bare = Plain();
  bare.titles = false;
  EXPECT_THAT(HistoryText(*report, bare), ::testing::StartsWith("1         2026"));
}

TEST_F(HistoryReportTest, ARevisionTellsWhatItChangedAndWhatBringingItBackWould) {
  store::TargetRecord target;
  target.target = IamTarget();
  target.observed = true;
  target.exists = true;
  target.observed_at = At("2026-11-21T11:59:00Z");
  target.policy_digest = Sha256Hex(kViewers);
  store::StoreChange change;
  change.upsert_targets.push_back(target);
  Apply(change);
  const auto second = RevisionReport(*store_, "payments-viewers", 2);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ("\n" + RevisionText(*second, Plain()), R"(
projects/acme/locations/global/authorizationPolicies/payments
Revision 2: written 1m ago (2026-11-21T11:59:00.000Z) by user ana
Against revision 1:
  + group:x@y.z  roles/viewer
  + user:ana@example.com  roles/viewer

Rolling projects/acme/locations/global/authorizationPolicies/payments back to revision 2 changes no grant (last read 1m ago)
It suspends payments-editors, payments-viewers: the next check would undo it otherwise.
)");
  const auto first = RevisionReport(*store_, "payments-viewers", 1);
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ("\n" + RollbackText(*first, Plain()), R"(
Rolling projects/acme/locations/global/authorizationPolicies/payments back to revision 1 (last read 1m ago):
  - group:x@y.z  roles/viewer
  - user:ana@example.com  roles/viewer
It suspends payments-editors, payments-viewers: the next check would undo it otherwise.
)");
  EXPECT_THAT(RevisionText(*first, Plain()), ::testing::HasSubstr("The first on record"));
}

TEST_F(HistoryReportTest, TextOfATargetNeverReadSaysSo) {
  store::ResourceRecord fresh = Binding("dash", "*");
  fresh.target = testing::Dashboard();
  Put({fresh});
  const auto report = HistoryReport(*store_, "dash");
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(HistoryText(*report, Plain()),
            "No revisions of dashboard:abc-def-ghi are on record.\n");
}

}  // namespace
}  // namespace bindery::report
