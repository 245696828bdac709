// A folder of manifests becomes, and stays, the policy of the cloud.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(MainJob, AllThreeKindsReachWhatTheirManifestsDeclare) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("manifests/b.yaml", R"(
apiVersion: cloudnative:backupdr/v1
kind: ManagementServerIamBinding
metadata: {name: operators}
spec:
  name: locations/eu/managementServers/main
  role: roles/backupdr.user
  members: [group:oncall@example.com]
---
apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: "dashboard:abc-def-ghi"
  bindings: [{relation: editor, principals: ["role:r2", "role:r1"]}]
)");
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  EXPECT_THAT(world.Members(kBackup, "roles/backupdr.user"),
              ElementsAre("group:oncall@example.com"));
  const HttpResult board = world.Cloud("GET", "/api/v2/restriction_policy/dashboard%3Aabc-def-ghi");
  EXPECT_THAT(board.body, HasSubstr(R"("principals":["role:r1","role:r2"])"));
  const Json resources = world.RunJson({"get"}).at("resources");
  ASSERT_EQ(resources.size(), 3U);
  for (const Json& resource : resources) {
    EXPECT_EQ(resource.at("status").at("ready"), true) << resource.dump(2);
  }
}

TEST(MainJob, AThousandBindingsOnFiftyTargetsCostFiftyReadsAndFiftyWritesAndThenNoWrite) {
  std::string seed = "authorizationPolicies:\n";
  std::vector<std::string> files;
  const auto target = [](int t) {
    return "projects/acme/locations/global/authorizationPolicies/p" + std::to_string(t);
  };
  for (int t = 0; t < 50; ++t) seed += "  - " + target(t) + "\n";
  World world(seed, "guard: {maxRemovedGrants: 5}\n");
  for (int t = 0; t < 50; ++t) {
    std::string text;
    for (int b = 0; b < 20; ++b) {
      text +=
          "---\napiVersion: cloudnative:networksecurity/v1\n"
          "kind: AuthorizationPolicyIamBinding\n"
          "metadata: {name: b-" +
          std::to_string(t) + "-" + std::to_string(b) +
          "}\n"
          "spec: {name: " +
          target(t) + ", role: roles/custom.r" + std::to_string(b) + ", members: [\"user:u" +
          std::to_string(b) + "@example.com\"]}\n";
    }
    world.dir().Write("manifests/t" + std::to_string(t) + ".yaml", text);
  }
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Count("networksecurity.getIamPolicy"), 50);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 50);
  world.ResetRequests();
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Count("networksecurity.getIamPolicy"), 50);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_EQ(world.Requests().at("total"), 50);
}

TEST(MainJob, WhatChangesBehindItsBackIsReportedWithClassAndSeverityAndRepaired) {
  World world(kSeed, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.SetPolicy(kPayments, Holders("roles/owner", {"allUsers"}));
  world.Eventually("repaired", [&] {
    return world.Members(kPayments, "roles/owner").empty() &&
           world.Members(kPayments, "roles/viewer").size() == 1;
  });
  world.Eventually("reported",
                   [&] { return world.RunJson({"drift"}).at("summary").at("corrected") >= 2; });
  bool found = false;
  const Json drift = world.RunJson({"drift"});
  for (const Json& item : drift.at("items")) {
    if (item.at("grant").at("role") != "roles/owner") continue;
    found = true;
    EXPECT_EQ(item.at("class"), "undeclared");
    EXPECT_EQ(item.at("severity"), "critical");
    EXPECT_EQ(item.at("cause"), "foreign");
    EXPECT_EQ(item.at("state"), "corrected");
    EXPECT_EQ(item.at("target"), kPayments);
    EXPECT_EQ(item.at("grant").at("member"), "allUsers");
  }
  EXPECT_TRUE(found) << world.Run({"drift"}).out << world.DaemonLog();
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(MainJob, ObserveModeReportsAndWritesNothing) {
  World world(kSeed, "reconcile: {mode: observe}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  const Json drift = world.RunJson({"drift"});
  EXPECT_EQ(drift.at("summary").at("open"), 1);
  EXPECT_EQ(drift.at("items").at(0).at("class"), "missing");
  EXPECT_EQ(world.Run({"drift"}).exit_code, 1);
  EXPECT_EQ(world.Run({"drift", "--detailed-exitcode"}).exit_code, 2);
}

TEST(MainJob, UndeclaredRolesAreReplacedAndTheForeignPolicyIsOnRecord) {
  World world(kSeed);
  world.SetPolicy(kPayments, Holders("roles/editor", {"user:Old@example.com"}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), IsEmpty());
  const Json revisions = world.RunJson({"history", "viewers"}).at("revisions");
  ASSERT_EQ(revisions.size(), 2U);
  EXPECT_EQ(revisions.at(0).at("origin"), "foreign");
  EXPECT_THAT(revisions.at(0).at("policy").dump(), HasSubstr("user:Old@example.com"));
  EXPECT_EQ(revisions.at(1).at("origin"), "written");
}

TEST(MainJob, KeptUndeclaredRolesGoBackByteForByte) {
  World world(kSeed, "reconcile: {undeclaredRoles: keep}\n");
  const Json foreign = {{"role", "roles/backupdr.user"},
                        {"members", {"user:Zoe@Example.com", "user:Adam@example.com"}},
                        {"condition", {{"title", "t"}, {"expression", "true"}}}};
  world.SetPolicy(kPayments, Json::array({foreign}));
  const Json before = world.Policy(kPayments).at("bindings").at(0);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world.Policy(kPayments).at("bindings"), Contains(before));
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
}

TEST(MainJob, ALostAnswerIsLookedUpBeforeAnythingIsWrittenAgain) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.SetFaults({{{"operation", "networksecurity.setIamPolicy"},
                    {"times", 1},
                    {"status", 503},
                    {"applyThenFail", true}}});
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 1);
  EXPECT_THAT(world.Run({"events"}).out, HasSubstr("WriteConfirmed"));
}

TEST(MainJob, ATargetThatIsNotThereStallsItsResourceOnly) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("manifests/b.yaml", R"(
apiVersion: cloudnative:backupdr/v1
kind: ManagementServerIamBinding
metadata: {name: lost}
spec: {name: locations/eu/managementServers/nowhere, role: roles/viewer, members: [user:ana@example.com]}
)");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 2);
  const Json lost = world.RunJson({"get", "lost"}).at("resources").at(0).at("status");
  EXPECT_EQ(lost.at("ready"), false);
  EXPECT_EQ(lost.at("reason"), "NOT_FOUND");
  const Json viewers = world.RunJson({"get", "viewers"}).at("resources").at(0).at("status");
  EXPECT_EQ(viewers.at("ready"), true);
}

}  // namespace
}  // namespace bindery::testing
