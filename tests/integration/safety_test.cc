// What keeps a real organization alive: whose access is not taken, though no manifest declares it.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kOwn = "serviceAccount:bindery@acme.iam.gserviceaccount.com";
constexpr const char* kProjectSeed = R"(
projects: [{id: acme, number: "123456789012"}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - {role: roles/owner, members: ["user:ceo@example.com"]}
      - role: roles/editor
        members:
          - serviceAccount:123456789012@cloudservices.gserviceaccount.com
          - serviceAccount:123456789012-compute@developer.gserviceaccount.com
          - user:dev@example.com
      - role: roles/compute.serviceAgent
        members:
          - serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com
      - {role: roles/viewer, members: ["user:auditor@example.com"]}
)";
constexpr const char* kBrowsers = R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: browsers}
spec: {name: projects/acme, role: roles/browser, members: ["user:ana@example.com"]}
)";

/// A project that a manifest declares one role of.
class ProjectSafety : public ::testing::Test {
 protected:
  void Configure(const std::string& settings) const {
    world.Configure("reconcile: {interval: 1s}\nguard: {holdSeverity: none}\n" + settings);
  }
  /// The members of a role of the project, in the order of its policy.
  [[nodiscard]] std::vector<std::string> Members(const std::string& role) const {
    const Json seed = *ParseJson(world.Cloud("GET", "/_emulator/seed").body);
    const Json& policy =
        seed.at("iamPolicies").at("//cloudresourcemanager.googleapis.com/projects/acme");
    for (const Json& binding : policy.at("bindings")) {
      if (binding.at("role") == role) return binding.at("members");
    }
    return {};
  }

  World world{kProjectSeed};
};

TEST_F(ProjectSafety, UndeclaredRolesGoOnlyWhereARuleNamesTheProject) {
  world.dir().Write("manifests/a.yaml", kBrowsers);
  Configure("targets: [{match: \"*\", undeclaredRoles: remove}]\n");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(Members("roles/viewer"), ElementsAre("user:auditor@example.com"));
  Configure("targets: [{match: projects/acme, undeclaredRoles: remove}]\n");
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_THAT(Members("roles/viewer"), IsEmpty()) << once.err;
  EXPECT_THAT(Members("roles/browser"), ElementsAre("user:ana@example.com"));
}

TEST_F(ProjectSafety, AgentsDefaultAccountsAndTheLastOwnerStay) {
  world.dir().Write("manifests/a.yaml", kBrowsers);
  Configure("targets: [{match: \"projects/*\", undeclaredRoles: remove}]\n");
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_EQ(once.exit_code, 1) << once.err;
  EXPECT_THAT(
      Members("roles/compute.serviceAgent"),
      ElementsAre("serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com"));
  EXPECT_THAT(Members("roles/editor"),
              ElementsAre("serviceAccount:123456789012@cloudservices.gserviceaccount.com",
                          "serviceAccount:123456789012-compute@developer.gserviceaccount.com"));
  EXPECT_THAT(Members("roles/owner"), ElementsAre("user:ceo@example.com"));
  const Outcome shown = world.Run({"get", "browsers", "-o", "json"});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("LastOwner"), HasSubstr("user:ceo@example.com")));
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("LastOwner"));

  Configure(
      "targets: [{match: \"projects/*\", undeclaredRoles: remove, lastOwner: allow}]\n"
      "protectedPrincipals: {defaultAccounts: drift, remove: "
      "[\"serviceAccount:service-*@compute-system.iam.gserviceaccount.com\"]}\n");
  const Outcome allowed = world.Run({"run", "--once"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_THAT(Members("roles/owner"), IsEmpty());
  EXPECT_THAT(Members("roles/editor"), IsEmpty());
  EXPECT_THAT(Members("roles/compute.serviceAgent"), IsEmpty());
}

TEST_F(ProjectSafety, MoreThanAFewRemovalsFromContainersWait) {
  world.dir().Write("manifests/a.yaml", kBrowsers);
  world.Configure(
      "targets: [{match: \"projects/*\", undeclaredRoles: remove, lastOwner: allow}]\n"
      "guard: {holdSeverity: none, maxRemovedFromContainers: 2}\n");
  world.StartDaemon();
  world.Eventually("held", [&] { return world.Reason("browsers") == "GuardHeld"; });
  EXPECT_THAT(StringMember(world.Status("browsers"), "message"),
              HasSubstr("guard.maxRemovedFromContainers (2)"));
  EXPECT_THAT(Members("roles/viewer"), ElementsAre("user:auditor@example.com"));
  EXPECT_THAT(Members("roles/browser"), ElementsAre("user:ana@example.com"));
}

TEST_F(ProjectSafety, AReloadOfTheRulesTakesEffect) {
  world.dir().Write("manifests/a.yaml", kBrowsers);
  Configure("");
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("browsers"); });
  EXPECT_THAT(Members("roles/viewer"), ElementsAre("user:auditor@example.com"));
  // The listener has another port then, which a reload does not change.
  const std::string text = world.dir().Read("bindery.yaml");
  world.dir().Write("bindery.yaml",
                    text + "targets: [{match: projects/acme, undeclaredRoles: remove}]\n");
  world.Signal(SIGHUP);
  world.Eventually("removed", [&] { return Members("roles/viewer").empty(); });
  world.Eventually("refused", [&] { return world.Reason("browsers") == "LastOwner"; });
  EXPECT_THAT(Members("roles/owner"), ElementsAre("user:ceo@example.com"));
}

TEST_F(ProjectSafety, TheLastOwnerStaysWhereTheNextOneIsAcceptedAsMissing) {
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: owners}
spec: {name: projects/acme, role: roles/owner, members: ["user:new@example.com"]}
)");
  Configure(
      "drift: {accept: [{match: {role: roles/owner, member: \"user:new@example.com\", class: "
      "missing}, reason: r, owner: o}]}\n");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  EXPECT_THAT(Members("roles/owner"), ElementsAre("user:ceo@example.com"));
  EXPECT_THAT(world.Run({"get", "owners", "-o", "json"}).out, HasSubstr("LastOwner"));
}

TEST_F(ProjectSafety, WhatTheFirstManifestTakesFromAProjectWaits) {
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: editors}
spec: {name: projects/acme, role: roles/editor, members: ["user:ana@example.com"]}
)");
  world.Configure("reconcile: {interval: 1s}\n");
  world.StartDaemon();
  world.Eventually("held", [&] { return world.Reason("editors") == "GuardHeld"; });
  EXPECT_THAT(Members("roles/editor"), ::testing::Contains("user:dev@example.com"));
  EXPECT_THAT(Members("roles/editor"), ::testing::Contains("user:ana@example.com"));
}

TEST_F(ProjectSafety, ADeclaredRoleTellsWhichUndeclaredHoldersStay) {
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: editors}
spec: {name: projects/acme, role: roles/editor, members: ["user:dev@example.com"]}
)");
  Configure("");
  world.StartDaemon();
  // Whose accounts these are is told by the number of the project, which is asked for meanwhile.
  world.Eventually("told", [&] {
    return StringMember(world.Status("editors"), "message") ==
           "the policy is as declared; the role is kept, too, by 2 default accounts";
  });
}

TEST(ServiceAgents, OfAnotherProjectAreDriftOfHighSeverity) {
  World world(R"(
projects: [{id: acme, number: "123456789012"}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - role: roles/compute.serviceAgent
        members:
          - serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com
          - serviceAccount:service-999999999999@compute-system.iam.gserviceaccount.com
)",
              "targets: [{match: projects/acme, undeclaredRoles: remove}]\n"
              "reconcile: {mode: observe}\n");
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: browsers}
spec: {name: projects/123456789012, role: roles/browser, members: ["user:ana@example.com"]}
)");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Json items = world.RunJson({"drift"}).at("items");
  ASSERT_EQ(items.size(), 2U) << items.dump(2);
  const Json& agent = items.at(0).at("class") == "undeclared" ? items.at(0) : items.at(1);
  EXPECT_EQ(agent.at("severity"), "high");
  EXPECT_THAT(agent.dump(), HasSubstr("service-999999999999@"));
}

TEST(ServiceAgents, OfAnotherProjectGoWhereTheProjectIsNamedById) {
  World world(R"(
projects: [{id: acme, number: "123456789012"}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - role: roles/compute.serviceAgent
        members:
          - serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com
          - serviceAccount:service-999999999999@compute-system.iam.gserviceaccount.com
)",
              "targets: [{match: projects/acme, undeclaredRoles: remove}]\n"
              "reconcile: {interval: 1s}\nguard: {holdSeverity: none}\n");
  world.dir().Write("manifests/a.yaml", kBrowsers);
  world.StartDaemon();
  world.Eventually("removed", [&] {
    return world.Cloud("GET", "/_emulator/seed").body.find("service-999999999999@") ==
           std::string::npos;
  });
  EXPECT_THAT(world.Cloud("GET", "/_emulator/seed").body, HasSubstr("service-123456789012@"));
}

/// A policy that bindery may write by a role that it holds there.
Json OwnAdmin(const std::vector<std::string>& viewers) {
  return Json::array({{{"role", "roles/networksecurity.admin"}, {"members", {kOwn}}},
                      {{"role", "roles/editor"}, {"members", {"user:old@example.com"}}},
                      {{"role", "roles/viewer"}, {"members", viewers}}});
}

TEST(SelfLockout, ItsOwnAccessStaysAndAllElseIsWritten) {
  World world(kSeed);
  world.SetEnvironment("BINDERY_PROVIDERS_CLOUDNATIVE_PRINCIPAL", kOwn);
  world.SetPolicy(kPayments, OwnAdmin({"user:ana@example.com"}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  const Outcome plan = world.Run({"plan"});
  EXPECT_THAT(plan.out, HasSubstr("SelfLockout"));
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_EQ(once.exit_code, 1) << once.err;
  EXPECT_THAT(world.Members(kPayments, "roles/networksecurity.admin"), ElementsAre(kOwn));
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), IsEmpty());
  EXPECT_THAT(world.Run({"get", "viewers", "-o", "json"}).out, HasSubstr("SelfLockout"));
  EXPECT_THAT(world.Run({"drift"}).out, HasSubstr(kOwn));

  world.Configure("targets: [{match: \"*/payments\", selfLockout: allow}]\n");
  const Outcome allowed = world.Run({"run", "--once"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_THAT(world.Members(kPayments, "roles/networksecurity.admin"), IsEmpty());
}

TEST(SelfLockout, AManifestThatGoesIsNotForgottenWhileItsGrantStays) {
  World world(kSeed, "guard: {holdSeverity: none}\nreconcile: {interval: 1s}\n");
  world.SetEnvironment("BINDERY_PROVIDERS_CLOUDNATIVE_PRINCIPAL", kOwn);
  world.dir().Write("manifests/a.yaml", Binding("admins", "roles/networksecurity.admin",
                                                "[" + std::string(kOwn) + "]"));
  world.dir().Write("manifests/b.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("admins") && world.IsReady("viewers"); });
  world.dir().Remove("manifests/a.yaml");
  world.Eventually("refused", [&] { return world.Reason("admins") == "SelfLockout"; });
  EXPECT_THAT(world.Members(kPayments, "roles/networksecurity.admin"), ElementsAre(kOwn));
  EXPECT_TRUE(world.IsReady("viewers"));
}

TEST(SelfLockout, ARollbackThatWouldTakeItIsRefusedAsAWhole) {
  World world(kSeed, "reconcile: {interval: 1s}\n");
  world.SetEnvironment("BINDERY_PROVIDERS_CLOUDNATIVE_PRINCIPAL", kOwn);
  world.SetPolicy(kPayments, Holders("roles/editor", {"user:old@example.com"}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  const Json revisions = world.RunJson({"history", "viewers"}).at("revisions");
  world.SetPolicy(kPayments, OwnAdmin({"user:ana@example.com"}));
  world.Eventually("refused", [&] { return world.Reason("viewers") == "SelfLockout"; });
  const Outcome rolled =
      world.Run({"rollback", "viewers", revisions.at(0).at("id").dump(), "--yes"});
  EXPECT_NE(rolled.exit_code, 0);
  EXPECT_THAT(rolled.out,
              AllOf(HasSubstr("FAILED_PRECONDITION"), HasSubstr("nothing of the recorded policy")));
  EXPECT_THAT(world.Members(kPayments, "roles/networksecurity.admin"), ElementsAre(kOwn));
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  world.Eventually("enforced again", [&] { return world.Reason("viewers") == "SelfLockout"; });
}

TEST(SelfLockout, WhereItsOwnPrincipalIsUnknownNothingIsRefusedAndCheckSaysSo) {
  World world(kSeed);
  world.SetPolicy(kPayments, OwnAdmin({"user:ana@example.com"}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  EXPECT_THAT(world.Run({"check"}).out, HasSubstr("own principal unknown"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/networksecurity.admin"), IsEmpty());
  world.SetEnvironment("BINDERY_PROVIDERS_CLOUDNATIVE_PRINCIPAL", kOwn);
  EXPECT_THAT(world.Run({"check"}).out, Not(HasSubstr("own principal unknown")));
}

TEST(ProtectedPrincipals, StayInDeclaredAndUndeclaredRoles) {
  const std::string keep =
      "protectedPrincipals: {add: [\"user:break-glass@*\"]}\nguard: {holdSeverity: none}\n";
  World world(kSeed, keep);
  world.SetPolicy(
      kPayments,
      Json::array({{{"role", "roles/owner"}, {"members", {"user:Break-Glass@example.com"}}},
                   {{"role", "roles/viewer"},
                    {"members", {"user:break-glass@example.com", "user:eve@example.com"}}}}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_THAT(world.Members(kPayments, "roles/owner"), ElementsAre("user:Break-Glass@example.com"));
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"),
              ElementsAre("user:ana@example.com", "user:break-glass@example.com"));
  EXPECT_THAT(world.Run({"drift"}).out, Not(HasSubstr("break-glass")));
  EXPECT_THAT(world.Run({"get", "viewers", "-o", "json"}).out, HasSubstr("1 protected principal"));
  world.Configure("guard: {holdSeverity: none}\n");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/owner"), IsEmpty());
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
}

}  // namespace
}  // namespace bindery::testing
