// Names, writers and times that are not what they seem, with the program and files.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSeedWithProject = R"(
projects: [{id: acme, number: "415104041262"}]
authorizationPolicies:
  - name: projects/acme/locations/global/authorizationPolicies/payments
    policy:
      bindings:
        - role: roles/networksecurity.viewer
          members: ["user:ana@example.com"]
          condition: {title: over, expression: 'request.time < timestamp("2020-01-01T00:00:00Z")'}
managementServers: [projects/acme/locations/eu/managementServers/main]
)";

std::string ByNumber(std::string manifest) {
  const std::string id = "projects/acme/";
  return manifest.replace(manifest.find(id), id.size(), "projects/415104041262/");
}

std::string OnServer(const std::string& name) {
  return "apiVersion: cloudnative:backupdr/v1\nkind: ManagementServerIamBinding\n"
         "metadata: {name: " +
         name + "}\nspec: {name: " + kBackup + ", role: roles/" + name +
         ", members: [\"user:a@example.com\"]}\n";
}

int Asked(const World& world) {
  const Json counts = *ParseJson(world.Cloud("GET", "/_emulator/requests").body);
  return counts.at("operations").value("cloudresourcemanager.get", 0);
}

TEST(Identity, OnePolicyByIdAndByNumberIsOne) {
  World world(kSeedWithProject);
  world.dir().Write("manifests/id.yaml",
                    Binding("by-id", "roles/editor", "[\"user:b@example.com\"]"));
  world.dir().Write("manifests/number.yaml",
                    ByNumber(Binding("by-number", "roles/viewer", "[\"user:a@example.com\"]")));
  world.StartDaemon();
  world.Eventually("both are in force",
                   [&] { return world.IsReady("by-id") && world.IsReady("by-number"); });
  EXPECT_EQ(Asked(world), 1);
  world.dir().Write("manifests/other.yaml",
                    ByNumber(Binding("other", "roles/editor", "[\"user:c@example.com\"]")));
  world.Eventually("one role is declared twice",
                   [&] { return world.Reason("other") == "RoleConflict"; });
  EXPECT_EQ(world.Reason("by-id"), "RoleConflict") << "it stays in force and says so";
  EXPECT_EQ(Asked(world), 1);
}

TEST(Identity, ARenameIntoANameThatNobodyCanTellNowTakesNothingAway) {
  World world(kSeedWithProject, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml", Binding("a", "roles/viewer", "[\"user:a@example.com\"]"));
  world.dir().Write("manifests/other.yaml",
                    Binding("other", "roles/editor", "[\"user:b@example.com\"]"));
  world.StartDaemon();
  world.Eventually("both are in force",
                   [&] { return world.IsReady("a") && world.IsReady("other"); });
  world.SetFaults(*ParseJson(R"([{"operation": "cloudresourcemanager.get", "status": 503}])"));
  world.dir().Remove("manifests/a.yaml");
  world.dir().Write("manifests/b.yaml",
                    ByNumber(Binding("b", "roles/viewer", "[\"user:a@example.com\"]")));
  world.Eventually("the one that is gone stays in force",
                   [&] { return world.Reason("a") == "RemovalBlocked"; });
  EXPECT_THAT(world.RunJson({"get", "a"}).dump(), HasSubstr("b.yaml"));
  EXPECT_EQ(world.Reason("b"), "DependencyNotReady");
  world.Kill(SIGKILL);
  world.StartDaemon();
  // Scans after the start, each with something to see that does not wait.
  for (const char* name : {"one", "two"}) {
    world.dir().Write("manifests/" + std::string(name) + ".yaml", OnServer(name));
    world.Eventually("it is in force", [&] { return world.IsReady(name); });
  }
  EXPECT_EQ(world.Reason("a"), "RemovalBlocked") << "also after a start";
  world.Kill(SIGKILL);
  world.SetFaults(Json::array());
  world.StartDaemon();
  world.Eventually("its new name takes it over", [&] { return world.IsReady("b"); });
  const Json history = world.RunJson({"history", "b"});
  for (const Json& revision : history.at("revisions")) {
    const bool before_all = revision.at("origin") == "foreign";
    EXPECT_TRUE(before_all || revision.dump().find("user:a@example.com") != std::string::npos)
        << revision.dump(2);
  }
}

constexpr const char* kSeedWithAccount = R"(
serviceAccounts:
  - {email: ci@acme.iam.gserviceaccount.com, project: acme, uniqueId: "107734218812345678901"}
iamPolicies:
  //iam.googleapis.com/projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com:
    bindings: []
  //run.googleapis.com/projects/acme/locations/eu/workerPools/w:
    bindings: []
)";

std::string On(const std::string& api_and_kind, const std::string& manifest,
               const std::string& resource, const std::string& role) {
  const auto colon = api_and_kind.find(':');
  return "apiVersion: cloudnative:" + api_and_kind.substr(0, colon) +
         "\nkind: " + api_and_kind.substr(colon + 1) + "IamBinding\nmetadata: {name: " + manifest +
         "}\nspec: {name: " + resource + ", role: " + role + ", members: [\"user:a@x.com\"]}\n";
}

TEST(Identity, OneServiceAccountByAddressAndByUniqueIdIsOne) {
  const std::string account = "iam/v1:ServiceAccount";
  const std::string by_number = "projects/-/serviceAccounts/107734218812345678901";
  const std::string by_address = "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com";
  World world(kSeedWithAccount, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/number.yaml", On(account, "by-number", by_number, "roles/viewer"));
  world.dir().Write("manifests/address.yaml", On(account, "by-address", by_address, "roles/owner"));
  world.StartDaemon();
  world.Eventually("both are in force",
                   [&] { return world.IsReady("by-number") && world.IsReady("by-address"); });
  EXPECT_THAT(world.RunJson({"get", "by-number"}).dump(), HasSubstr(by_address));
  world.dir().Write("manifests/other.yaml", On(account, "other", by_address, "roles/viewer"));
  world.Eventually("one role is declared twice",
                   [&] { return world.Reason("other") == "RoleConflict"; });
  world.dir().Write("manifests/none.yaml",
                    On(account, "none", "projects/-/serviceAccounts/1", "roles/editor"));
  world.Eventually("one that nobody knows is refused",
                   [&] { return world.Reason("none") == "ManifestInvalid"; });
  EXPECT_TRUE(world.IsReady("by-address")) << "and holds up no other";
}

TEST(Identity, OnePolicyOfTwoInterfacesIsOne) {
  World world(kSeedWithAccount);
  world.dir().Write("manifests/new.yaml",
                    On("run/v2:WorkerPool", "new", "projects/acme/locations/eu/workerPools/w",
                       "roles/run.invoker"));
  world.dir().Write("manifests/old.yaml",
                    On("run/v1:Workerpool", "old", "projects/acme/locations/eu/workerpools/w",
                       "roles/run.invoker"));
  world.StartDaemon();
  world.Eventually("one role is declared twice", [&] {
    return world.Reason("new") == "RoleConflict" && world.Reason("old") == "RoleConflict";
  });
}

TEST(Identity, NothingIsRemovedByAClockThatTheServicesDoNotConfirm) {
  World world(kSeedWithProject, "reconcile: {interval: 1s}\n");
  world.SetFaults(*ParseJson(R"([{"operation": "*", "dateSkew": "-300d"}])"));
  world.dir().Write("manifests/m.yaml",
                    Binding("m", "roles/networksecurity.viewer", "[\"user:ana@example.com\"]",
                            "  condition: {title: over, expression: 'request.time < "
                            "timestamp(\"2020-01-01T00:00:00Z\")'}\n"
                            "options: {expired: remove}\n"));
  world.StartDaemon();
  world.Eventually("the removal waits", [&] { return world.Reason("m") == "RemovalBlocked"; });
  EXPECT_THAT(world.Cloud("GET", "/v1/" + std::string(kPayments) + ":getIamPolicy").body,
              HasSubstr("user:ana@example.com"));
  world.Eventually("it is told", [&] {
    return world.Ask("GET", "/readyz?verbose").body.find("nothing is removed by time") !=
           std::string::npos;
  });
  EXPECT_THAT(world.Ask("GET", "/metrics").body, HasSubstr("bindery_removals_awaiting_time 1"));
}

TEST(Identity, TwoProvidersOfOneOrganizationAreRefused) {
  World world(kSeedWithProject);
  std::string config = world.dir().Read("bindery.yaml");
  const auto at = config.find("  monitoring:");
  config.insert(at, "  second: {type: monitoring, apiUrl: \"" + world.CloudUrl() +
                        "/\", apiKeyFile: dd-key, appKeyFile: dd-key}\n");
  world.dir().Write("bindery.yaml", config);
  const Outcome outcome = world.Run({"run", "--once"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("reaches the same organization as providers.monitoring"));
}

}  // namespace
}  // namespace bindery::testing
