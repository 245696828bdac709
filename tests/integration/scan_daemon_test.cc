// Scans that the daemon makes by itself, and what scans make the daemon do: a scan decides no
// write.

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <thread>

#include "integration/world.h"
#include "sqlite/database.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSearch = "cloudasset.searchAllIamPolicies";
constexpr const char* kSet = "cloudresourcemanager.setIamPolicy";

constexpr const char* kSeed = R"(
projects: [{id: p-1, number: "415104041001", parent: organizations/100000000001}]
authorizationPolicies: [projects/acme/locations/global/authorizationPolicies/payments]
iamPolicies:
  //cloudresourcemanager.googleapis.com/organizations/100000000001:
  //cloudresourcemanager.googleapis.com/projects/p-1:
    bindings: [{role: roles/viewer, members: ["user:ana@example.com"]}]
restrictionPolicies:
  - id: dashboard:abc-def-ghi
    bindings: [{relation: editor, principals: ["role:7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001"]}]
  - id: monitor:12345
    bindings: [{relation: viewer, principals: ["team:2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001"]}]
)";

/// `members` holds roles/viewer on the project.
std::string Viewers(const std::string& members) {
  return R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: viewers}
spec: {name: projects/p-1, role: roles/viewer, members: [)" +
         members + "]}\n";
}

std::size_t CountViewers(const World& world) {
  const HttpResult result = world.Cloud("POST", "/v3/projects/p-1:getIamPolicy", "{}");
  const auto policy = ParseJson(result.body);
  return policy ? policy->at("bindings").at(0).at("members").size() : 0;
}

/// A world whose Google provider has a plan.
class PlannedWorld : public World {
 public:
  explicit PlannedWorld(const std::string& plan, const std::string& settings = "")
      : World(kSeed, settings) {
    std::string text = dir().Read("bindery.yaml");
    const std::string before = "    project: acme\n";
    text.insert(text.find(before), "    scan: " + plan + "\n");
    dir().Write("bindery.yaml", text);
  }

  [[nodiscard]] Json LastScan() const {
    const HttpResult result = Ask("GET", "/api/v1/scans");
    const auto list = ParseJson(result.body);
    if (!list || !list->contains("scans") || list->at("scans").empty()) return Json::object();
    return list->at("scans").at(0);
  }
  [[nodiscard]] bool IsScanned() const { return StringMember(LastScan(), "state") == "done"; }

  /// The finished scan began that long ago.
  void AgeScan(std::chrono::minutes age) const {
    const auto store = sqlite::OpenDatabase(dir() / "state/bindery.db");
    ASSERT_TRUE(store);
    const std::string milliseconds = std::to_string(std::chrono::milliseconds(age).count());
    (*store)->exec("UPDATE inventories SET started = started - " + milliseconds);
  }
};

TEST(ScanDaemon, ScansByItsPlanAtOnceAndAnIntervalAfterTheLastScan) {
  PlannedWorld world("{scope: organizations/100000000001, interval: 1h}");
  world.StartDaemon();
  world.Eventually("a first scan", [&] { return world.IsScanned(); });
  EXPECT_EQ(world.Count(kSearch), 1);
  EXPECT_EQ(world.Ask("GET", "/api/v1/coverage").status, 200);
  EXPECT_EQ(world.Kill(SIGTERM), 0);

  world.AgeScan(std::chrono::minutes(30));
  world.StartDaemon();
  world.Eventually("metrics", [&] {
    return world.Ask("GET", "/metrics").body.find("bindery_coverage_grants{") != std::string::npos;
  });
  EXPECT_EQ(world.Count(kSearch), 1) << "half an interval is left";
  EXPECT_EQ(world.Kill(SIGTERM), 0);

  world.AgeScan(std::chrono::minutes(31));
  world.StartDaemon();
  world.Eventually("the next scan", [&] { return world.Count(kSearch) == 2; });
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(ScanDaemon, AScanOfAnOldPolicyCausesAReadAndNoWrite) {
  PlannedWorld world("{scope: organizations/100000000001, interval: 1h}");
  world.SetFaults(Json::array({Json{{"operation", kSearch}, {"staleFor", "1h"}}}));
  world.dir().Write("manifests/a.yaml",
                    Viewers("\"user:ana@example.com\", \"user:bob@example.com\""));
  world.StartDaemon();
  world.Eventually("kept", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Count(kSet), 1);
  const auto reads = world.Count("cloudresourcemanager.getIamPolicy");
  const Outcome scan = world.Run({"scan", "--scope", "organizations/100000000001"});
  EXPECT_EQ(scan.exit_code, 0) << scan.err;
  world.Eventually("an exact read", [&] {
    return world.Count("cloudresourcemanager.getIamPolicy") > reads &&
           world.DaemonLog().find("scan shows changes") != std::string::npos;
  });
  EXPECT_TRUE(world.IsReady("viewers"));
  EXPECT_EQ(world.Count(kSet), 1) << "the policy is as declared, whatever the scan shows";
  EXPECT_EQ(CountViewers(world), 2U);
  const Json coverage = *ParseJson(world.Ask("GET", "/api/v1/coverage").body);
  EXPECT_EQ(coverage.at("classes").at("declared"), 2) << "what was read counts";
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(ScanDaemon, AForeignChangeThatAScanShowsIsRepairedAtOnce) {
  PlannedWorld world("{scope: organizations/100000000001, interval: 1h}",
                     "reconcile: {interval: 1h}\n");
  world.dir().Write("manifests/a.yaml", Viewers("\"user:ana@example.com\""));
  world.StartDaemon();
  world.Eventually("in sync", [&] { return world.IsReady("viewers") && world.IsScanned(); });
  const HttpResult changed = world.Cloud("POST", "/v3/projects/p-1:setIamPolicy", R"({"policy":
      {"bindings": [{"role": "roles/viewer",
                     "members": ["user:ana@example.com", "user:eve@example.com"]}]}})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(world.Run({"scan", "--scope", "organizations/100000000001"}).exit_code, 0);
  world.Eventually("repaired", [&] { return CountViewers(world) == 1; });
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(ScanDaemon, HintsPutExactReadsOffUntilAScanFails) {
  constexpr const char* kGet = "cloudresourcemanager.getIamPolicy";
  PlannedWorld world("{scope: organizations/100000000001, interval: 1h, hints: true}",
                     "reconcile: {interval: 1s, exactInterval: 30d}\n");
  world.dir().Write("manifests/a.yaml", Viewers("\"user:ana@example.com\""));
  world.StartDaemon();
  world.Eventually("in sync", [&] { return world.IsReady("viewers") && world.IsScanned(); });
  const auto scan = [&] {
    return world.Run({"scan", "--scope", "organizations/100000000001"}).exit_code;
  };
  EXPECT_EQ(scan(), 0);
  const std::string watched = "bindery_scan_watched_targets 1";
  world.Eventually("watched", [&] {
    return world.Ask("GET", "/metrics").body.find(watched) != std::string::npos;
  });
  world.Eventually("no more reads", [&] {
    const auto before = world.Count(kGet);
    std::this_thread::sleep_for(std::chrono::seconds(4));
    return world.Count(kGet) == before;
  });
  const auto before = world.Count(kGet);
  EXPECT_EQ(scan(), 0);
  EXPECT_EQ(world.Count(kGet), before) << "a scan that shows the same makes nothing due";

  world.SetFaults(Json::array({Json{{"operation", kSearch}, {"status", 403}}}));
  EXPECT_NE(scan(), 0);
  world.Eventually("read again", [&] { return world.Count(kGet) > before + 1; });
  EXPECT_EQ(world.Ask("GET", "/metrics").body.find(watched), std::string::npos);
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(ScanDaemon, AQuotaIsWaitedOutPageByPage) {
  World world(std::string(kSeed) +
              "options: {rateLimits: [{operation: \"cloudasset.*\", limit: 1, period: 2s}]}\n");
  const Json scan = world.RunJson({"scan", "--scope", "organizations/100000000001"});
  EXPECT_EQ(StringMember(scan, "state"), "done");
  EXPECT_EQ(scan.at("policies"), 1);
}

TEST(ScanDaemon, WithoutThePermissionForTheHierarchyTheGapIsSaid) {
  World world(std::string(kSeed) +
              "credentials:\n  - {token: SECRET-own}\n"
              "  - {token: SECRET-scanner, permissions: "
              "[cloudasset.assets.searchAllIamPolicies]}\n");
  world.SetOwnToken("SECRET-own");
  world.SignInWith("{type: accessToken, token: SECRET-scanner}");
  world.Configure("");
  const Json scan = world.RunJson({"scan", "--scope", "organizations/100000000001"});
  EXPECT_THAT(scan.at("unread").dump(), HasSubstr("cloudasset.assets.searchAllResources"));
  EXPECT_EQ(scan.at("policies"), 1);
  EXPECT_THAT(world.RunJson({"coverage"}).at("notLookedAt").dump(),
              HasSubstr("refused by the service: the hierarchy"));
}

TEST(ScanDaemon, TheObjectsOfDatadogAreScannedByTheirLists) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: dashboard:abc-def-ghi
  bindings: [{relation: editor, principals: ["role:7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001"]}]
)");
  world.StartDaemon();
  world.Eventually("read", [&] { return world.IsReady("board"); });
  const Outcome scan = world.Run({"scan", "--scope", "organization"});
  EXPECT_EQ(scan.exit_code, 0) << scan.err;
  EXPECT_THAT(scan.out, HasSubstr("organization: 2 policies"));
  const Json coverage = world.RunJson({"coverage", "--by", "kind"});
  EXPECT_EQ(StringMember(coverage, "provider"), "monitoring");
  EXPECT_EQ(coverage.at("classes").at("declared"), 1);
  EXPECT_EQ(coverage.at("classes").at("unmanaged"), 1);
  EXPECT_EQ(coverage.at("grants"), 2);
  EXPECT_THAT(coverage.at("notLookedAt").dump(), Not(HasSubstr("deny policies")));
  EXPECT_THAT(coverage.at("notLookedAt").dump(), HasSubstr("types of objects that are not listed"));
  EXPECT_EQ(world.Count("restrictionPolicy.post"), 0);
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

}  // namespace
}  // namespace bindery::testing
