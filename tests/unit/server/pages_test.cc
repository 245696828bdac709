#include <set>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using ::testing::ElementsAre;
using testing::Fetch;
using ::testing::HasSubstr;
using testing::HttpHeaders;
using testing::HttpResult;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kName = "dash <b>'&\"";
constexpr const char* kPath = "/resources/dash%20%3Cb%3E%27%26%22";

class Pages : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    control_.SetHealth({{"loop", true, "", true}, {"store", false, "it is full"}});
    const Target target{"RestrictionPolicy", "monitoring", "dashboard:a"};
    store::StoreChange change;
    store::ResourceRecord record;
    record.name = kName;
    record.token = {"monitoring", "RestrictionPolicy"};
    record.target = target;
    record.accepted = true;
    record.role = "*";
    record.spec = R"({"bindings":[{"relation":"editor","principals":["team:t"]}]})";
    record.labels = R"({"team":"sre"})";
    record.status = {ResourceState::kStalled, "GuardHeld", "removals wait"};
    change.upsert_resources = {record};
    change.problems = {{"a.yaml", 2, 3, "spec", "error", "UnknownField", "no such field", kName}};
    DriftItem item;
    item.resource = kName;
    item.grant = {"editor", "team:<i>"};
    change.drift = {{target, clock_.Wall(), {item}, false}};
    change.events = {{clock_.Wall(), EventType::kWarning, "Held", kName, "t", "m", "bindery"}};
    store::RevisionRecord revision;
    revision.target = target;
    revision.time = clock_.Wall();
    revision.digest = "d";
    revision.policy = R"({"data":{"attributes":{"bindings":[
        {"relation":"viewer","principals":["team:u"]}]}}})";
    change.revisions = {revision};
    store::TargetRecord seen;
    seen.target = target;
    seen.provider = "monitoring";
    seen.observed = true;
    seen.exists = true;
    seen.policy_digest = "d";
    seen.observed_at = clock_.Wall();
    change.upsert_targets = {seen};
    store::HoldRecord hold;
    hold.digest = "abcdef0123456789";
    hold.created = clock_.Wall();
    hold.state = HoldState::kOpen;
    hold.items = R"([{"target":"dashboard:a","kind":"RestrictionPolicy","resources":["x"],
                      "removes":[{"relation":"editor","principal":"team:t",
                                  "severity":"medium","cause":"manifest"}]}])";
    change.upsert_holds = {hold};
    Apply(change);
    dir_.Write("manifests/a.yaml", "kind: X\n  spce: 1\n");
  }

  /// As a browser sends what a button asks for.
  [[nodiscard]] HttpResult Push(const std::string& action, const std::string& body,
                                const HttpHeaders& headers) const {
    return Fetch("POST", "unix:" + dir_ / "bindery.sock" + ":/actions/" + action, headers, body);
  }
  static HttpHeaders SameSite() {
    return {{"Host", "localhost:9817"},
            {"Origin", "http://localhost:9817"},
            {"Sec-Fetch-Site", "same-origin"}};
  }
};

TEST_F(Pages, EveryPageIsThereAndSafe) {
  for (const std::string path :
       {"/", "/resources", kPath, "/targets", "/targets/RestrictionPolicy/dashboard:a", "/drift",
        "/access", "/access?principal=team:t", "/access?role=editor&target=nowhere", "/guard",
        "/problems", "/replicas", "/coverage", "/history", "/events",
        "/resources/dash%20%3Cb%3E%27%26%22/revisions/1"}) {
    SCOPED_TRACE(path);
    const HttpResult page = Get(path);
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.Header("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(page.Header("Content-Security-Policy"),
              "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
              "img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
    EXPECT_EQ(page.Header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(page.Header("Cache-Control"), "no-store");
    EXPECT_THAT(page.body, Not(HasSubstr("<b>'")));
    EXPECT_THAT(page.body, Not(HasSubstr("<i>")));
    EXPECT_THAT(page.body, Not(HasSubstr("style=")));
  }
}

/// What the links and files of a page lead to.
std::set<std::string> Addresses(const std::string& page) {
  std::set<std::string> found;
  for (const std::string start : {"href=\"", "src=\""}) {
    for (auto at = page.find(start); at != std::string::npos; at = page.find(start, at + 1)) {
      const std::size_t begin = at + start.size();
      std::string address = page.substr(begin, page.find('"', begin) - begin);
      for (auto amp = address.find("&amp;"); amp != std::string::npos;
           amp = address.find("&amp;")) {
        address.replace(amp, 5, "&");
      }
      if (address.front() == '/') found.insert(address);
    }
  }
  return found;
}

TEST_F(Pages, EveryLinkLeadsSomewhere) {
  control_.SetHealth({{"loop", true, "", true}});
  std::set<std::string> waiting = {"/"};
  std::set<std::string> seen;
  while (!waiting.empty() && seen.size() < 2'000) {
    const std::string path = *waiting.begin();
    waiting.erase(waiting.begin());
    if (!seen.insert(path).second) continue;
    const HttpResult page = Get(path);
    EXPECT_EQ(page.status, 200) << path << page.body;
    if (page.Header("Content-Type") != "text/html; charset=utf-8") continue;
    for (const std::string& address : Addresses(page.body)) waiting.insert(address);
  }
  EXPECT_GT(seen.size(), 25U);
  EXPECT_LT(seen.size(), 2'000U);
}

TEST_F(Pages, ShowWhatTheApiAnswers) {
  EXPECT_THAT(Get("/").body, HasSubstr("0 of 1 resource is ready; 1 difference; "));
  EXPECT_THAT(Get("/").body, HasSubstr("it is full"));
  EXPECT_THAT(Get("/problems").body, HasSubstr(" |   spce: 1\n | ..^"));
  EXPECT_THAT(Get("/targets/RestrictionPolicy/dashboard:a").body,
              HasSubstr("0 grants are as declared, 1 undeclared, 1 missing."));
  EXPECT_THAT(Get("/resources?q=nobody").body, HasSubstr("No resource fits the filter."));
  EXPECT_THAT(Get("/guard").body, HasSubstr("bindery guard approve abcdef012345"));
}

TEST_F(Pages, ManifestsAreLinkedWhereTheirRepositoryIsKnown) {
  EXPECT_THAT(Get("/problems").body, Not(HasSubstr("git.example")));
  report::DriftSettings settings;
  settings.repository_url = "https://git.example/{path}#L{line}";
  control_.SetReportSettings(settings);
  EXPECT_THAT(Get("/problems").body, HasSubstr("href=\"https://git.example/a.yaml#L2\""));
}

TEST_F(Pages, TellWhyAResourceIsNotReadyInThePlaceOfItsState) {
  EXPECT_THAT(Get("/resources").body,
              HasSubstr("<span title=\"Stalled\"><span class=\"unseen\">Stalled: </span>"
                        "<span class=\"badge bad\"><span class=\"sign\" aria-hidden=\"true\">✕"
                        "</span>GuardHeld</span></span>"));
}

TEST_F(Pages, HaveAThousandRowsAtTheMost) {
  EXPECT_THAT(Get("/resources?limit=5000").body, HasSubstr("limit=1000&amp;format=csv"));
  EXPECT_THAT(Get("/resources?limit=500").body, HasSubstr("limit=500&amp;format=csv"));
  EXPECT_EQ(Get("/resources?limit=10001").status, 400);
}

TEST_F(Pages, WhatIsNotThereIsAPageToo) {
  const HttpResult page = Get("/resources/nobody");
  EXPECT_EQ(page.status, 404);
  EXPECT_THAT(page.body, HasSubstr("There is no resource &quot;nobody&quot;"));
  const std::string unknown = "http://" + server_->Address() + "/reports/";
  EXPECT_THAT(Fetch("GET", unknown, {{"Accept", "text/html,*/*"}}).body,
              HasSubstr("There is nothing at /reports/"));
  EXPECT_EQ(Get("/resources/dash%20%3Cb%3E%27%26%22/revisions/99").status, 404);
  EXPECT_EQ(Get("/resources/dash%20%3Cb%3E%27%26%22/revisions/x").status, 400);
  EXPECT_EQ(Get("/targets/RestrictionPolicy/none").status, 404);
  EXPECT_EQ(Get("/resources?sort=size").status, 400);
  EXPECT_EQ(Get("/assets/passwd").status, 404);
}

TEST_F(Pages, AssetsMayBeKept) {
  const HttpResult style = Get("/assets/style.css");
  EXPECT_EQ(style.status, 200);
  EXPECT_EQ(style.Header("Content-Type"), "text/css; charset=utf-8");
  EXPECT_THAT(style.Header("Cache-Control"), HasSubstr("immutable"));
}

TEST_F(Pages, ButtonsAreThereForThoseWhoMayChangeSomething) {
  EXPECT_THAT(Get("/guard").body, Not(HasSubstr("<form method=\"post\"")));
  EXPECT_THAT(OverSocket("GET", "/guard").body, HasSubstr("action=\"/actions/approve\""));
  EXPECT_THAT(OverSocket("GET", kPath).body, HasSubstr("action=\"/actions/reconcile\""));
  EXPECT_THAT(OverSocket("GET", std::string(kPath) + "/revisions/1").body,
              HasSubstr("action=\"/actions/rollback\""));
}

TEST_F(Pages, AButtonAsksTheControllerAndLeadsBack) {
  control_.SetResult(Json{{"done", true}, {"held", ""}, {"message", ""}});
  const HttpResult result = Push("rollback", "name=a%2Bb+c&revision=7", SameSite());
  EXPECT_EQ(result.status, 303);
  EXPECT_EQ(result.Header("Location"), "/resources/a%2Bb%20c?done=rollback");
  EXPECT_THAT(control_.TakeCalls(), ElementsAre(StartsWith("rollback a+b c to 7 by ")));
  EXPECT_EQ(Push("approve", "digest=abc", SameSite()).Header("Location"), "/guard?done=approve");
  EXPECT_THAT(control_.TakeCalls(), ElementsAre(StartsWith("approve abc by ")));
  control_.SetResult(Json{{"results", {{{"name", "a"}, {"done", false}, {"held", "abc"}}}}});
  EXPECT_EQ(Push("reconcile", "name=a", SameSite()).Header("Location"), "/resources/a?done=held");
}

TEST_F(Pages, WhatDoesNotWorkIsSaid) {
  control_.SetResult(Json{{"results", {{{"name", "a"}, {"done", false}, {"message", "<no>"}}}}});
  const HttpResult failed = Push("reconcile", "name=a", SameSite());
  EXPECT_EQ(failed.status, 409);
  EXPECT_THAT(failed.body, HasSubstr("&lt;no&gt;"));
  control_.SetResult(Fail(Code::kNotFound, "no resource \"a\""));
  EXPECT_EQ(Push("suspend", "name=a", SameSite()).status, 404);
}

TEST_F(Pages, OtherSitesCanChangeNothing) {
  const std::vector<HttpHeaders> others = {
      {},
      {{"Host", "localhost:9817"}},
      {{"Host", "localhost:9817"}, {"Origin", "null"}},
      {{"Host", "localhost:9817"}, {"Origin", "http://evil.example"}},
      {{"Host", "localhost:9817"}, {"Origin", "http://localhost:9818"}},
      {{"Host", "localhost:9817"},
       {"Origin", "http://localhost:9817"},
       {"Sec-Fetch-Site", "cross-site"}},
      {{"Host", "localhost:9817"},
       {"Origin", "http://localhost:9817"},
       {"Sec-Fetch-Site", "same-site"}},
      // A name that somebody else points to this machine.
      {{"Host", "evil.example:9817"}, {"Origin", "http://evil.example:9817"}},
  };
  for (const HttpHeaders& headers : others) {
    EXPECT_EQ(Push("approve", "digest=abc", headers).status, 403);
  }
  EXPECT_THAT(control_.TakeCalls(), IsEmpty());
}

TEST_F(Pages, OverTcpNothingCanBeChanged) {
  EXPECT_EQ(Fetch("POST", "http://" + server_->Address() + "/actions/approve",
                  {{"Host", server_->Address()}, {"Origin", "http://" + server_->Address()}},
                  "digest=abc")
                .status,
            403);
  EXPECT_THAT(control_.TakeCalls(), IsEmpty());
}

TEST_F(Pages, TheApiRefusesOtherSitesToo) {
  const std::string url = "unix:" + dir_ / "bindery.sock" + ":/api/v1/guard/approve";
  EXPECT_EQ(Fetch("POST", url, {{"Origin", "http://evil.example"}}, R"({"digest":"abc"})").status,
            403);
  EXPECT_EQ(Fetch("POST", url, {{"Sec-Fetch-Site", "cross-site"}}, R"({"digest":"abc"})").status,
            403);
  EXPECT_THAT(control_.TakeCalls(), IsEmpty());
}

}  // namespace
}  // namespace bindery::server
