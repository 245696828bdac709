#include <gmock/gmock.h>

#include "unit/report/json_document.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::Dashboard;
using testing::DriftText;
using testing::IamTarget;
using testing::IsOk;
using testing::Now;

DriftItem Item(DriftClass drift_class, Severity severity, Grant grant, std::string resource = "",
               DriftState state = DriftState::kOpen) {
  DriftItem item;
  item.drift_class = drift_class;
  item.severity = severity;
  item.state = state;
  item.resource = std::move(resource);
  item.grant = std::move(grant);
  item.desired = drift_class == DriftClass::kUndeclared ? "absent" : "granted";
  item.observed = drift_class == DriftClass::kUndeclared ? "granted" : "absent";
  return item;
}

class DriftReportTest : public testing::ReportTest {
 protected:
  void Found(const Target& target, std::vector<DriftItem> items, const std::string& time,
             bool corrected = false) {
    store::StoreChange change;
    change.drift.push_back({target, At(time), std::move(items), corrected});
    Apply(std::move(change));
  }

  /// Two targets, three differences that stand, two that do not.
  void Fill() {
    Put({Binding("payments-viewers")});
    Observe(IamTarget(), 7, "2026-11-21T11:59:00Z");
    Observe(Dashboard(), 2, "2026-11-21T11:59:00Z");
    Found(IamTarget(),
          {Item(DriftClass::kUndeclared, Severity::kHigh, {"roles/viewer", "user:old@example.com"},
                "payments-viewers")},
          "2026-11-19T10:00:00Z");
    Found(IamTarget(),
          {Item(DriftClass::kMissing, Severity::kMedium, {"roles/viewer", "user:ana@example.com"},
                "payments-viewers", DriftState::kCorrected)},
          "2026-11-21T10:00:00Z", true);
    Found(IamTarget(),
          {Item(DriftClass::kMissing, Severity::kMedium,
                {"roles/viewer", "user:bob@example.com",
                 Condition{"resource.type == 'x'", "until-june", ""}},
                "payments-viewers"),
           Item(DriftClass::kUndeclared, Severity::kCritical, {"roles/owner", "allUsers"}, "",
                DriftState::kHeld)},
          "2026-11-21T11:30:00Z");
    Found(Dashboard(),
          {Item(DriftClass::kUndeclared, Severity::kHigh, {"editor", "org:1234"}, "dash")},
          "2026-11-21T11:59:10Z");
  }

  Json Report(std::optional<WallTime> since = Now() - kRecentlyCorrected) {
    const auto report = DriftReport(*store_, DriftScope{Now(), since});
    EXPECT_THAT(report, IsOk());
    return report ? ToJson(*report) : Json();
  }
};

TEST_F(DriftReportTest, SumsUpWhatStandsAndWhatWasCorrected) {
  Fill();
  const Json report = Report();
  EXPECT_EQ(report["generatedAt"], "2026-11-21T12:00:00.000Z");
  EXPECT_EQ(report["summary"].dump(),
            R"({"targets":2,"grants":9,"open":2,"corrected":2,"held":1,"accepted":0,)"
            R"("justInTime":0,"undeclared":0,"notes":0,"inSync":0,"drifted":2,"failing":0,)"
            R"("expiring":0,"bySeverity":{"critical":1,"high":1,"medium":1,"low":0},)"
            R"("byCause":{"foreign":0,"unknown":3,"expiry":0,"manifest":0},)"
            R"("sinceLast":{"new":5,"gone":0,"still":0}})");
}

TEST_F(DriftReportTest, ItemsComeWorstFirstThenByTarget) {
  Fill();
  std::vector<std::string> order;
  const Json report = Report();
  for (const Json& item : report["items"]) {
    order.push_back(StringMember(item, "severity") + " " + StringMember(item, "state") + " " +
                    StringMember(item, "target").substr(0, 9));
  }
  EXPECT_THAT(order, ::testing::ElementsAre("critical held projects/", "high open dashboard",
                                            "high corrected projects/",
                                            "medium corrected projects/", "medium open projects/"));
}

TEST_F(DriftReportTest, AnItemSaysWhatWhereAndSinceWhen) {
  Fill();
  const Json items = Report()["items"];
  Json open = items[4];
  EXPECT_TRUE(open["id"].is_number_integer());
  open.erase("id");
  EXPECT_EQ(open.dump(),
            R"({"class":"missing","severity":"medium","state":"open","cause":"unknown",)"
            R"("target":"projects/acme/locations/global/authorizationPolicies/payments",)"
            R"("kind":"AuthorizationPolicyIamBinding","resource":"payments-viewers",)"
            R"("source":{"file":"teams/payments.yaml","line":3},)"
            R"("grant":{"role":"roles/viewer","member":"user:bob@example.com",)"
            R"("condition":{"expression":"resource.type == 'x'",)"
            R"("title":"until-june"}},"desired":"granted","observed":"absent",)"
            R"("firstSeen":"2026-11-21T11:30:00.000Z","lastSeen":"2026-11-21T11:30:00.000Z",)"
            R"("resolvedAt":null,"resolvedBy":"",)"
            R"("action":"to be granted by the next pass","change":"new"})");
}

TEST_F(DriftReportTest, GrantsHaveTheWordsOfTheirKind) {
  Fill();
  const Json items = Report()["items"];
  EXPECT_EQ(items[1]["grant"].dump(), R"({"relation":"editor","principal":"org:1234"})");
  EXPECT_EQ(items[1]["source"], nullptr) << "no resource of that name is on record";
  EXPECT_EQ(items[0]["grant"].dump(), R"({"role":"roles/owner","member":"allUsers"})");
}

TEST_F(DriftReportTest, CorrectedItemsSayWhenAndByWhom) {
  Fill();
  const Json items = Report()["items"];
  EXPECT_EQ(items[2]["resolvedAt"], "2026-11-21T10:00:00.000Z");
  EXPECT_EQ(items[3]["resolvedBy"], "bindery");
  EXPECT_EQ(Report(At("2026-11-21T10:00:01Z"))["summary"]["corrected"], 0);
  EXPECT_EQ(Report(std::nullopt)["items"].size(), 3U);
}

TEST_F(DriftReportTest, ItSaysWhatIsNewGoneAndStillThere) {
  Fill();
  DriftScope scope{Now(), Now() - std::chrono::hours(1), At("2026-11-21T11:40:00Z")};
  const auto changes = [&] {
    std::vector<std::string> texts;
    const Json report = ToJson(*DriftReport(*store_, scope));
    for (const Json& item : report.at("items")) {
      texts.push_back(StringMember(item, "state") + " " + StringMember(item, "change"));
    }
    return texts;
  };
  EXPECT_THAT(changes(), ::testing::ElementsAre("held still", "open new", "open still"));
  // What went since an earlier report is in it, however short the time asked for.
  scope.previous = At("2026-11-20T10:00:00Z");
  EXPECT_THAT(changes(), ::testing::ElementsAre("held new", "open new", "corrected gone",
                                                "corrected new", "open new"));
  scope.previous = At("2026-11-21T10:00:00Z");
  EXPECT_THAT(changes(), ::testing::ElementsAre("held new", "open new", "corrected ", "corrected ",
                                                "open new"))
      << "what was over by then is neither";
}

TEST_F(DriftReportTest, WhatIsLessBadIsLeftOutOfTheCountsToo) {
  Fill();
  DriftScope scope{Now(), std::nullopt};
  scope.least = Severity::kCritical;
  const DriftListing report = DriftReport(*store_, scope).value();
  EXPECT_EQ(ToJson(report).at("leastSeverity"), "critical");
  EXPECT_EQ(report.items.size(), 1U);
  EXPECT_EQ(report.summary.open, 0);
  EXPECT_EQ(report.summary.held, 1);
  EXPECT_EQ(report.summary.drifted, 1);
}

TEST_F(DriftReportTest, GrantsThatEndSoonAreListedAndCounted) {
  const auto until = [](const std::string& name, const std::string& end, bool accepted = true) {
    store::ResourceRecord record = Binding(name, "roles/" + name);
    record.spec = R"j({"condition":{"expression":"request.time < timestamp('2026-)j" + end +
                  R"j(T00:00:00Z')","title":"t"},"members":["user:a@x.y"]})j";
    record.grants = 2;
    record.accepted = accepted;
    return record;
  };
  Put({until("soon", "11-25"), until("later", "12-25"), until("over", "11-20"),
       until("invalid", "11-25", /*accepted=*/false), Binding("for-ever", "roles/for-ever")});
  const Json report = Report();
  EXPECT_EQ(report["summary"]["expiring"], 2);
  EXPECT_EQ(report["expiring"].dump(),
            R"([{"resource":"soon",)"
            R"("target":"projects/acme/locations/global/authorizationPolicies/payments",)"
            R"("role":"roles/soon","grants":2,"endsAt":"2026-11-25T00:00:00Z",)"
            R"("source":{"file":"teams/payments.yaml","line":3}}])");
  DriftScope scope{Now(), std::nullopt};
  scope.expiring_within = std::chrono::hours(24 * 60);
  const auto wider = DriftReport(*store_, scope);
  EXPECT_EQ(wider->summary.expiring, 4);
  EXPECT_EQ(wider->expiring.at(0).resource, "soon") << "the soonest first";
  scope.expiring_within = std::chrono::hours(0);
  EXPECT_EQ(DriftReport(*store_, scope)->summary.expiring, 0);
}

TEST_F(DriftReportTest, WhatCannotBeKeptIsListed) {
  store::ResourceRecord refused = Binding("payments-viewers");
  refused.status = {ResourceState::kStalled, "PERMISSION_DENIED", "PERMISSION_DENIED: no"};
  Observe(IamTarget(), 7, "2026-11-21T11:59:00Z");
  Put({refused});
  const Json report = Report();
  EXPECT_EQ(report["summary"]["failing"], 1);
  EXPECT_EQ(report["summary"]["inSync"], 0);
  EXPECT_EQ(report["failing"].dump(),
            R"([{"resource":"payments-viewers",)"
            R"("target":"projects/acme/locations/global/authorizationPolicies/payments",)"
            R"("reason":"PERMISSION_DENIED","message":"PERMISSION_DENIED: no",)"
            R"("source":{"file":"teams/payments.yaml","line":3}}])");
}

TEST_F(DriftReportTest, WhatIsNotAdoptedIsNotInSync) {
  store::ResourceRecord refused = Binding("payments-viewers");
  refused.status = {ResourceState::kStalled, "ImportMismatch", "what is to be imported is not as"};
  Observe(IamTarget(), 7, "2026-11-21T11:59:00Z");
  Put({refused});
  EXPECT_EQ(Report()["summary"]["inSync"], 0);
  EXPECT_EQ(Report()["summary"]["failing"], 1);
}

TEST_F(DriftReportTest, WhatStandsInNoManifestIsShownAtOneOfItsTarget) {
  Put({Binding("payments-viewers")});
  DriftItem undeclared;
  undeclared.drift_class = DriftClass::kUndeclared;
  undeclared.grant = {"roles/owner", "allUsers"};
  Found(IamTarget(), {undeclared}, "2026-11-21T11:30:00Z");
  const auto document = ReadDriftDocument(*store_, DriftScope{Now(), std::nullopt});
  ASSERT_THAT(document, IsOk());
  const Json log = *ParseJson(testing::DriftIn(ReportFormat::kSarif, **document));
  EXPECT_EQ(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"].dump(),
            R"({"artifactLocation":{"uri":"teams/payments.yaml"},"region":{"startLine":3}})");
}

struct ActionCase {
  const char* why;
  DriftItem item;
  std::string mode;    ///< Of the manifest.
  std::string reason;  ///< Of its status.
  const char* action;
};

class DriftActionTest : public DriftReportTest, public ::testing::WithParamInterface<ActionCase> {};

TEST_P(DriftActionTest, SaysWhatWasOrWillBeDone) {
  SCOPED_TRACE(GetParam().why);
  store::ResourceRecord record = Binding("payments-viewers");
  if (!GetParam().mode.empty()) record.options = R"({"mode":")" + GetParam().mode + "\"}";
  if (!GetParam().reason.empty()) record.status = {ResourceState::kStalled, GetParam().reason, ""};
  Observe(IamTarget(), 7, "2026-11-21T11:59:00Z");
  Put({record});
  Found(IamTarget(), {GetParam().item}, "2026-11-21T11:30:00Z");
  EXPECT_EQ(Report()["items"][0]["action"], GetParam().action);
}

const Grant kGrant{"roles/viewer", "user:eve@example.com"};
INSTANTIATE_TEST_SUITE_P(
    Cases, DriftActionTest,
    ::testing::Values(
        ActionCase{"nobody declares it", Item(DriftClass::kUndeclared, Severity::kHigh, kGrant), "",
                   "", "to be taken away by the next pass"},
        ActionCase{"nothing may be written", Item(DriftClass::kUndeclared, Severity::kHigh, kGrant),
                   "observe", "", "none: only reported (mode observe)"},
        ActionCase{"the cloud refuses",
                   Item(DriftClass::kMissing, Severity::kMedium, kGrant, "payments-viewers"), "",
                   "PERMISSION_DENIED", "to be granted once PERMISSION_DENIED is over"},
        ActionCase{"the cloud refuses what nobody declared too",
                   Item(DriftClass::kUndeclared, Severity::kHigh, kGrant), "", "PERMISSION_DENIED",
                   "to be taken away once PERMISSION_DENIED is over"},
        ActionCase{"someone suspended it",
                   Item(DriftClass::kMissing, Severity::kMedium, kGrant, "payments-viewers"), "",
                   "Suspended", "none while suspended"},
        ActionCase{"the principal may exist again",
                   Item(DriftClass::kPrincipalDeleted, Severity::kLow, kGrant, "payments-viewers"),
                   "", "", "to be granted anew by the next pass"},
        ActionCase{"the guard holds it",
                   Item(DriftClass::kUndeclared, Severity::kHigh, kGrant, "", DriftState::kHeld),
                   "", "", "waits for approval: bindery guard"},
        ActionCase{"it was repaired",
                   Item(DriftClass::kConditionChanged, Severity::kHigh, kGrant, "payments-viewers",
                        DriftState::kCorrected),
                   "", "", "given the declared condition"}));

TEST_F(DriftReportTest, AMissingTargetHasNoGrant) {
  DriftItem item;
  item.drift_class = DriftClass::kTargetMissing;
  item.severity = Severity::kHigh;
  item.desired = "present";
  item.observed = "not there";
  Observe(IamTarget(), 0, "2026-11-21T11:59:00Z");
  Found(IamTarget(), {item}, "2026-11-21T11:59:00Z");
  const Json report = Report();
  EXPECT_EQ(report["items"][0]["grant"], nullptr);
  EXPECT_EQ("\n" + DriftText(report, Plain()), R"(
  ID  SEVERITY  DIFFERENCE      GRANT  DESIRED | OBSERVED   AGE  RESOURCE
projects/acme/locations/global/authorizationPolicies/payments
  1   high      target-missing  -      present | not there  1m   -

1 difference among 0 grants on 1 target: 1 open, 0 held.
)");
}

TEST_F(DriftReportTest, TextIsGroupedByTarget) {
  Fill();
  EXPECT_EQ("\n" + DriftText(Report(), Plain()), R"(
  ID  SEVERITY  DIFFERENCE             GRANT                                            DESIRED | OBSERVED  AGE   RESOURCE
projects/acme/locations/global/authorizationPolicies/payments
  4   critical  undeclared, held       allUsers roles/owner                             absent | granted    30m   -
  1   high      undeclared, corrected  user:old@example.com roles/viewer                absent | granted    2d2h  payments-viewers (teams/payments.yaml:3)
  2   medium    missing, corrected     user:ana@example.com roles/viewer                granted | absent    2h    payments-viewers (teams/payments.yaml:3)
  3   medium    missing                user:bob@example.com roles/viewer if until-june  granted | absent    30m   payments-viewers (teams/payments.yaml:3)
dashboard:abc-def-ghi
  5   high      undeclared             org:1234 editor                                  absent | granted    50s   dash

3 differences among 9 grants on 2 targets: 2 open, 1 held; 2 more corrected.
)");
}

TEST_F(DriftReportTest, TargetsThatReadAlikeStandTogether) {
  const auto found = [&](const std::string& provider, const std::string& name, Severity severity) {
    Found({"RestrictionPolicy", provider, name},
          {Item(DriftClass::kUndeclared, severity, {"editor", "org:" + provider})},
          "2026-11-21T11:59:00Z");
  };
  found("a", "dashboard:x", Severity::kCritical);
  found("a", "dashboard:m", Severity::kHigh);
  found("b", "dashboard:x", Severity::kLow);
  const auto document = ReadDriftDocument(*store_, DriftScope{Now(), std::nullopt}).value();
  const std::string text = testing::DriftIn(ReportFormat::kText, *document, Plain());
  EXPECT_EQ("\n" + text.substr(0, text.find("\n\n")), R"(
  ID  SEVERITY  DIFFERENCE  GRANT         DESIRED | OBSERVED  AGE  RESOURCE
dashboard:x
  1   critical  undeclared  org:a editor  absent | granted    1m   -
  3   low       undeclared  org:b editor  absent | granted    1m   -
dashboard:m
  2   high      undeclared  org:a editor  absent | granted    1m   -)");
}

TEST_F(DriftReportTest, ANarrowTerminalShowsWhoIsConcerned) {
  Fill();
  const std::string text = DriftText(Report(std::nullopt), Plain(80));
  EXPECT_THAT(text, ::testing::ContainsRegex("user:bob@example.com(.|\n)*until-june"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("RESOURCE")));
}

TEST_F(DriftReportTest, TextListsTheLatestOfWhatIsOver) {
  Json report = {{"items", Json::array()},
                 {"summary", {{"targets", 1}, {"grants", 60}, {"corrected", 110}}}};
  for (int i = 100; i < 210; ++i) {
    report["items"].push_back({{"target", "t"},
                               {"state", "corrected"},
                               {"grant", {{"role", "r"}, {"member", "user:" + std::to_string(i)}}},
                               {"resolvedAt", "2026-11-21T10:00:00." + std::to_string(i) + "Z"}});
  }
  report["items"].push_back({{"target", "t"}, {"state", "open"}});
  const std::string text = DriftText(report, Plain());
  EXPECT_THAT(text, ::testing::HasSubstr("user:110 "));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("user:109 ")));
  EXPECT_THAT(text, ::testing::HasSubstr("110 differences corrected, of which the latest 100 are "
                                         "listed: -o json has all.\n"));
}

TEST_F(DriftReportTest, APageHasItsItemsAndTheNumberOfAll) {
  Fill();
  const DriftScope scope{Now(), Now() - kRecentlyCorrected};
  const auto document = ReadDriftDocument(*store_, scope).value();
  const Json whole = *ParseJson(testing::DriftIn(ReportFormat::kJson, *document));
  EXPECT_FALSE(whole.contains("total"));
  const Json page = ToJson(*DriftReport(*store_, scope, ListPage{1, 2}));
  EXPECT_EQ(page["items"], Json::array({whole["items"][1], whole["items"][2]}));
  EXPECT_EQ(page["summary"], whole["summary"]);
  EXPECT_EQ(page["total"], 5);
  EXPECT_EQ(page["offset"], 1);
  EXPECT_EQ(page["limit"], 2);
  const Json beyond = ToJson(*DriftReport(*store_, scope, ListPage{9, std::nullopt}));
  EXPECT_EQ(beyond["items"], Json::array());
  EXPECT_EQ(beyond["limit"], nullptr);
}

TEST_F(DriftReportTest, AReportIsOfOneMomentHoweverOftenItIsRead) {
  Fill();
  const auto document = ReadDriftDocument(*store_, DriftScope{Now(), std::nullopt});
  ASSERT_THAT(document, IsOk());
  const std::string before = testing::DriftIn(ReportFormat::kCsv, **document);
  Found(IamTarget(), {}, "2026-11-21T12:00:00Z", /*corrected=*/true);
  EXPECT_EQ(testing::DriftIn(ReportFormat::kCsv, **document), before);
  EXPECT_EQ(Report(std::nullopt)["items"].size(), 1U);
}

TEST_F(DriftReportTest, ATargetThatWasNeverReadIsOneToo) {
  Put({Binding("payments-viewers")});
  EXPECT_EQ(Report()["summary"]["targets"], 1);
  EXPECT_EQ(Report()["summary"]["inSync"], 0);
}

TEST_F(DriftReportTest, TextOfNoDriftSaysHowMuchWasLookedAt) {
  Observe(IamTarget(), 7, "2026-11-21T11:59:00Z");
  EXPECT_EQ(DriftText(Report(), Plain()), "No drift among 7 grants on 1 target.\n");
  EXPECT_EQ(DriftText(Report(), Coloured()),
            "\x1b[32mNo drift\x1b[0m among 7 grants on 1 target.\n");
}

}  // namespace
}  // namespace bindery::report
