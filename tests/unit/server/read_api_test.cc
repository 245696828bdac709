#include <gmock/gmock.h>

#include <algorithm>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using testing::ErrorBody;
using ::testing::HasSubstr;
using testing::HttpResult;
using ::testing::StartsWith;

class ReadApi : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    store::StoreChange change;
    change.upsert_resources = {Resource("dash", R"({"team":"sre"})"),
                               Resource("other (before generation 2)", "{}")};
    change.events = {Happened("One"), Happened("Two"), Happened("Three")};
    store::RevisionRecord revision;
    revision.target = Board();
    revision.time = clock_.Wall();
    revision.policy = R"({"data":{}})";
    revision.digest = "d0";
    change.revisions = {revision};
    DriftItem item;
    item.severity = Severity::kHigh;
    item.grant = {"editor", "team:t1"};
    change.drift = {{Board(), clock_.Wall() - std::chrono::hours(48), {item}, false}};
    Apply(change);
    change = {};
    item.state = DriftState::kCorrected;
    change.drift = {{Board(), clock_.Wall() - std::chrono::hours(47), {item}, true}};
    Apply(change);
  }

  static Target Board() { return {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"}; }

  static store::ResourceRecord Resource(const std::string& name, const std::string& labels) {
    store::ResourceRecord record;
    record.name = name;
    record.token = {"monitoring", "RestrictionPolicy"};
    record.target = Board();
    record.role = name;
    record.accepted = true;
    record.spec = "{}";
    record.labels = labels;
    return record;
  }

  Event Happened(const std::string& reason) {
    return {clock_.Wall(), EventType::kNormal, reason, reason == "Two" ? "" : "dash", "", "", ""};
  }
};

TEST_F(ReadApi, ResourcesAreFilteredByTheQuery) {
  EXPECT_EQ(GetJson("/api/v1/resources")["resources"].size(), 2U);
  for (const char* selector : {"team%3Dsre", "team%20in%20(a,sre)", "team%21%3Da,team"}) {
    const Json found = GetJson(std::string("/api/v1/resources?label=") + selector);
    EXPECT_EQ(found["resources"].size(), 1U) << selector;
    EXPECT_EQ(found["resources"][0]["name"], "dash") << selector;
  }
  EXPECT_EQ(GetJson("/api/v1/resources?name=dash")["resources"].size(), 1U);
  EXPECT_EQ(GetJson("/api/v1/resources?kind=monitoring:index/restrictionPolicy:RestrictionPolicy")
                ["resources"]
                    .size(),
            2U);
  EXPECT_EQ(GetJson("/api/v1/resources?kind=cloudnative:x:Y")["resources"].size(), 0U);
}

TEST_F(ReadApi, OneResourceIsServedByItsName) {
  EXPECT_EQ(GetJson("/api/v1/resources/dash")["target"], "dashboard:abc-def-ghi");
  EXPECT_EQ(GetJson("/api/v1/resources/other%20(before%20generation%202)")["kind"],
            "RestrictionPolicy");
  const HttpResult missing = Get("/api/v1/resources/dahs");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body,
            ErrorBody("NOT_FOUND", "there is no resource \"dahs\"; did you mean \"dash\"?"));
}

TEST_F(ReadApi, DriftShowsWhatWasCorrectedLatelyUnlessAskedForMore) {
  const Json recent = GetJson("/api/v1/drift");
  EXPECT_EQ(recent["generatedAt"], "2026-11-21T12:00:00.000Z");
  EXPECT_EQ(recent["summary"]["corrected"], 0);
  const Json more = GetJson("/api/v1/drift?since=2026-11-01T00:00:00Z");
  EXPECT_EQ(more["summary"]["corrected"], 1);
  EXPECT_EQ(more["items"][0]["grant"].dump(), R"({"relation":"editor","principal":"team:t1"})");
}

TEST_F(ReadApi, DriftFollowsTheSettingsOfReports) {
  EXPECT_EQ(GetJson("/api/v1/drift")["previousAt"], nullptr);
  store::StoreChange change;
  store::TargetRecord seen;
  seen.target = Board();
  seen.observed = true;
  change.upsert_targets = {seen};
  DriftItem item;
  item.grant = {"editor", "team:t2"};
  change.drift = {{Board(), clock_.Wall() - std::chrono::minutes(10), {item}, false}};
  Apply(change);
  report::DriftSettings settings;
  settings.directory = dir_.path() / "reports";
  settings.mode = Mode::kObserve;
  dir_.Write("reports/drift-2026-11-21T113000.000Z.json", "{}");
  EXPECT_EQ(GetJson("/api/v1/drift")["items"][0]["action"], "to be granted by the next pass");
  control_.SetReportSettings(settings);
  const Json report = GetJson("/api/v1/drift");
  EXPECT_EQ(report["previousAt"], "2026-11-21T11:30:00.000Z");
  EXPECT_EQ(report["items"][0]["change"], "new");
  EXPECT_EQ(report["items"][0]["action"], "none: only reported (mode observe)");
}

TEST_F(ReadApi, EventsAreLimitedAndGoOnAfterOne) {
  const Json all = GetJson("/api/v1/events");
  ASSERT_EQ(all["events"].size(), 3U);
  EXPECT_EQ(all["events"][0]["reason"], "One");
  EXPECT_EQ(GetJson("/api/v1/events?limit=1")["events"][0]["reason"], "Three");
  EXPECT_EQ(GetJson("/api/v1/events?resource=dash")["events"].size(), 2U);
  const std::string second = all["events"][1]["id"].dump();
  EXPECT_EQ(GetJson("/api/v1/events?after=" + second)["events"][0]["reason"], "Three");
}

TEST_F(ReadApi, EventsAreSearchedAsAskedOnPagesToo) {
  for (const std::string question : {"q=two", "reason=Two&limit=10", "q=Two&oldest=true"}) {
    const Json events = GetJson("/api/v1/events?" + question)["events"];
    ASSERT_EQ(events.size(), 1U) << question;
    EXPECT_EQ(events[0]["reason"], "Two");
    EXPECT_EQ(Get("/events?" + question).status, 200);
  }
}

TEST_F(ReadApi, HistoryAndGuardComeFromTheStore) {
  EXPECT_EQ(GetJson("/api/v1/history/dash")["revisions"][0]["policy"].dump(), R"({"data":{}})");
  EXPECT_EQ(Get("/api/v1/history/nobody").status, 404);
  store::HoldRecord hold;
  hold.digest = "abc";
  hold.state = HoldState::kWithdrawn;
  hold.items = "[]";
  store::StoreChange change;
  change.upsert_holds.push_back(hold);
  Apply(change);
  EXPECT_EQ(GetJson("/api/v1/guard")["holds"].size(), 0U);
  EXPECT_EQ(GetJson("/api/v1/guard?all")["holds"].size(), 1U);
}

TEST_F(ReadApi, PlanAsksTheController) {
  control_.SetResult(Json{{"changes", Json::array()}});
  EXPECT_EQ(GetJson("/api/v1/plan?name=a&name=b").dump(), R"({"changes":[]})");
  EXPECT_THAT(control_.TakeCalls(), ::testing::ElementsAre("plan for the network [a,b]"));
  control_.SetPlanLines({R"({"target":"void"})", "", R"({"target":"a"})", R"({"target":"b"})"});
  EXPECT_EQ(OverSocket("GET", "/api/v1/plan").body, R"({"changes":[{"target":"a"},{"target":"b"}]})"
                                                    "\n");
  EXPECT_THAT(control_.TakeCalls(), ::testing::ElementsAre("plan []"));
  Error busy{Code::kResourceExhausted, "too many plans wait for their turn"};
  busy.retry_after = std::chrono::seconds(5);
  control_.SetResult(Fail(busy));
  EXPECT_EQ(Get("/api/v1/plan").status, 429);
  EXPECT_EQ(Get("/api/v1/plan").Header("Retry-After"), "5");
  control_.SetResult(Fail(Code::kUnavailable, "the first scan is not done yet"));
  const HttpResult failed = Get("/api/v1/plan");
  EXPECT_EQ(failed.status, 503);
  EXPECT_EQ(failed.body, ErrorBody("UNAVAILABLE", "the first scan is not done yet"));
}

TEST_F(ReadApi, BadQueriesSayWhatIsWrong) {
  struct Case {
    const char* path;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"/api/v1/events?limit=0", R"("limit" must be a whole number from 1 to 10000, not "0")"},
      {"/api/v1/events?limit=1x", R"("limit" must be a whole number from 1 to 10000, not "1x")"},
      {"/api/v1/events?offset=-1",
       R"("offset" must be a whole number from 0 to 1000000000, not "-1")"},
      {"/api/v1/events?after=-1",
       R"("after" must be a whole number from 0 to 9223372036854775807, not "-1")"},
      {"/api/v1/history?range=1y", R"("range" must be 30d, 7d or 24h, not "1y")"},
      {"/api/v1/resources?notReady=x", R"("notReady" must be true or false, not "x")"},
      {"/api/v1/access?principal=x&direct=1", R"("direct" must be true or false, not "1")"},
      {"/api/v1/resources?kind=:",
       "\"kind\" must be a type token such as monitoring:RestrictionPolicy, not \":\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    const HttpResult result = Get(c.path);
    EXPECT_EQ(result.status, 400);
    EXPECT_EQ(result.body, ErrorBody("INVALID_ARGUMENT", c.message));
  }
  for (const char* path : {"/api/v1/drift?since=soon", "/api/v1/events?since=soon",
                           "/api/v1/resources?label=team%20in", "/api/v1/resources?label=%3Dx"}) {
    EXPECT_EQ(Get(path).status, 400) << path;
  }
  EXPECT_EQ(Get("/api/v1/drift?since=yesterday").status, 200);
}

TEST_F(ReadApi, AnswersAreJsonThatNobodyKeeps) {
  for (const char* path : {"/api/v1/drift", "/api/v1/nothing"}) {
    const HttpResult result = Get(path);
    EXPECT_EQ(result.Header("Content-Type"), "application/json") << path;
    EXPECT_EQ(result.Header("Cache-Control"), "no-store") << path;
    EXPECT_EQ(result.Header("X-Content-Type-Options"), "nosniff") << path;
  }
}

TEST_F(ReadApi, UnknownPathsAndMethodsAreAnsweredInTheSameShape) {
  const HttpResult missing = Get("/api/v1/nothing");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body, ErrorBody("NOT_FOUND", "there is nothing at /api/v1/nothing"));
  const HttpResult wrong = OverTcp("DELETE", "/api/v1/drift");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.Header("Allow"), "GET, HEAD");
  EXPECT_EQ(wrong.body,
            ErrorBody("METHOD_NOT_ALLOWED", "DELETE is not for /api/v1/drift; use GET"));
  EXPECT_EQ(OverTcp("GET", "/api/v1/reconcile").Header("Allow"), "POST");
  EXPECT_EQ(Get("/nothing").body, "404 Not Found\n");
  EXPECT_EQ(OverTcp("POST", "/metrics").body, "405 Method Not Allowed\n");
}

TEST_F(ReadApi, TheHistoryIsByDaysAndByHoursOfUtc) {
  // It is noon of the 21st.
  const auto hour = [&](int ago) {
    return store::HourRecord{
        clock_.Wall() - std::chrono::hours(ago), {1, 3, 2}, {5, 5, 5}, 1, 2, 3, 4};
  };
  for (const int ago : {40 * 24, 25, 13, 12, 1, 0}) store_->hours().AddToHour(hour(ago));
  ASSERT_THAT(store_->Flush(), testing::IsOk());
  const Json days = GetJson("/api/v1/history");
  EXPECT_EQ(days["from"], "2026-10-23T00:00:00.000Z");
  EXPECT_EQ(days["count"], 30);
  ASSERT_EQ(days["spans"].size(), 2U) << "one day is before the range";
  EXPECT_EQ(days["spans"][0]["time"], "2026-11-20T00:00:00.000Z");
  EXPECT_EQ(days["spans"][0]["calls"], 8);
  EXPECT_EQ(days["spans"][1]["time"], "2026-11-21T00:00:00.000Z");
  EXPECT_EQ(days["spans"][1]["calls"], 12);
  EXPECT_EQ(days["spans"][1]["open"].dump(), R"({"least":1,"most":3,"last":2})");
  EXPECT_EQ(GetJson("/api/v1/history?range=24h")["spans"].size(), 4U);
  const HttpResult table = Get("/api/v1/history?range=24h&format=csv");
  EXPECT_EQ(table.Header("Content-Type"), "text/csv; charset=utf-8; header=present");
  EXPECT_THAT(table.body, StartsWith("time,openLeast,openMost,openLast,undeclaredLeast,"));
  EXPECT_EQ(std::count(table.body.begin(), table.body.end(), '\n'), 5) << table.body;
  EXPECT_THAT(table.body, HasSubstr("Z,1,3,2,5,5,5,1,2,3,4\r\n"));
  EXPECT_EQ(Get("/api/v1/history?format=pdf").status, 400);
  EXPECT_THAT(Get("/history?range=7d").body,
              HasSubstr("href=\"/api/v1/history?range=7d&amp;sort=-time&amp;format=csv\""));
  EXPECT_EQ(GetJson("/api/v1/history?range=7d")["spans"].size(), 5U);
  EXPECT_EQ(GetJson("/api/v1")["history"]["spans"], days["spans"]);
}

TEST_F(ReadApi, HeadGivesTheHeadersOnly) {
  const HttpResult head = OverTcp("HEAD", "/api/v1/drift");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(head.Header("Content-Type"), "application/json");
}

TEST_F(ReadApi, TheSocketServesTheSame) {
  EXPECT_EQ(OverSocket("GET", "/api/v1/resources").body, Get("/api/v1/resources").body);
}

TEST_F(ReadApi, MetricsAreInPrometheusTextFormat) {
  const HttpResult metrics = Get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_EQ(metrics.body, "bindery_up 1\n");
  EXPECT_EQ(metrics.Header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace
}  // namespace bindery::server
