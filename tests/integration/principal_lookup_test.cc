// Principals by the names that people know them by: manifests without UUIDs.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kRoleId = "7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001";
constexpr const char* kOtherRole = "7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1002";
constexpr const char* kTeam = "2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001";
constexpr const char* kAnaId = "1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001";
constexpr const char* kBoard = "/api/v2/restriction_policy/dashboard:abc-def-ghi";

/// Each of the three is a part of the name of another one, which a search finds first.
std::string Seed(const std::string& roles, const std::string& ana = "") {
  return std::string(kSeed) + "roles: [{id: " + kOtherRole + ", name: Payments Viewers}" + roles +
         "]\nteams:\n  - {id: 2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e002, handle: data-sre}\n  - {id: " +
         kTeam +
         ", handle: sre}\nusers:\n"
         "  - {id: 1d3f7a52-0c55-4a57-9a9f-6a1de4a1c002, handle: admin@example.com}\n"
         "  - {id: 1d3f7a52-0c55-4a57-9a9f-6a1de4a1c003, handle: joana@example.com}\n"
         "  - {id: 1d3f7a52-0c55-4a57-9a9f-6a1de4a1c004, handle: deploy, email: ana@example.com, "
         "service_account: true}\n  - {id: " +
         kAnaId + ", handle: ana@example.com" + ana + "}\n";
}

std::string Viewers(const std::string& id) { return ", {id: " + id + ", name: Viewers}"; }

constexpr const char* kManifests = R"(apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: dashboard:abc-def-ghi
  bindings:
    - relation: viewer
      principals: ["role:${viewers.id}"]
    - relation: editor
      principals: ["team:${sre.id}", "user:${ana.id}"]
---
apiVersion: monitoring
kind: getRole
metadata: {name: viewers}
spec: {name: Viewers}
---
apiVersion: monitoring
kind: getTeam
metadata: {name: sre}
spec: {handle: sre}
---
apiVersion: monitoring
kind: getUser
metadata: {name: ana}
spec: {email: Ana@Example.com}
)";

std::string MakeBindings(const World& world) {
  const auto policy = ParseJson(world.Cloud("GET", kBoard).body);
  return policy->at("data").at("attributes").at("bindings").dump();
}

std::string Bindings(const std::string& role) {
  return R"([{"relation":"viewer","principals":["role:)" + role +
         R"("]},{"relation":"editor","principals":["team:)" + kTeam + R"(","user:)" + kAnaId +
         R"("]}])";
}

Json Status(const World& world, const std::string& name) {
  return world.RunJson({"get", name}).at("resources").at(0).at("status");
}

TEST(PrincipalLookup, APolicyHasThePrincipalsThatItsManifestNames) {
  World world(Seed(Viewers(kRoleId)));
  world.dir().Write("manifests/a.yaml", kManifests);
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr(std::string("role:") + kRoleId));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(MakeBindings(world), Bindings(kRoleId)) << "and not those whose names contain theirs";
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("No changes"));
}

TEST(PrincipalLookup, ARoleThatIsGoneLeavesThePolicyInForceAndANewOneOfItsNameTakesItsPlace) {
  World world(Seed(Viewers(kRoleId)), "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml", kManifests);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("board"); });
  // Another document of the seed would take the policy away too.
  const std::string policy =
      "restrictionPolicies: [{id: \"dashboard:abc-def-ghi\", bindings: " + MakeBindings(world) +
      "}]\n";
  ASSERT_LT(world.Cloud("PUT", "/_emulator/seed", Seed("") + policy).status, 300);
  world.Eventually("the role is missed", [&] { return world.Reason("viewers") == "NOT_FOUND"; });
  EXPECT_THAT(Status(world, "viewers").at("message").get<std::string>(),
              HasSubstr("there is no role named \"Viewers\""));
  EXPECT_EQ(MakeBindings(world), Bindings(kRoleId)) << "nothing is taken from a policy for that";

  ASSERT_LT(world
                .Cloud("PUT", "/_emulator/seed",
                       Seed(Viewers("7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1003")) + policy)
                .status,
            300);
  world.Eventually("the new role has access", [&] {
    return MakeBindings(world) == Bindings("7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1003");
  });
  EXPECT_THAT(world.Run({"events", "viewers"}).out, HasSubstr("LookupChanged"));
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(PrincipalLookup, AnotherIdForSecondsRewritesNoPolicy) {
  World world(Seed(Viewers(kRoleId)), "reconcile: {interval: 1s, jitter: 0, confirmEmptied: 1m}\n");
  world.dir().Write("manifests/a.yaml", kManifests);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("board"); });
  world.ResetRequests();
  const std::string other = std::string(R"({"data":[{"type":"roles","id":")") + kOtherRole +
                            R"(","attributes":{"name":"Viewers"}}]})";
  world.SetFaults({{{"operation", "roles.list"}, {"answer", Json(other)}}});
  world.Eventually("doubted", [&] { return world.Reason("viewers") == "ProgressingWithRetry"; });
  EXPECT_THAT(StringMember(world.Status("viewers"), "message"),
              HasSubstr(std::string("the lookup is answered with id ") + kOtherRole +
                        ", and gave id " + kRoleId + " before"));
  EXPECT_EQ(MakeBindings(world), Bindings(kRoleId));
  world.SetFaults(Json::array());
  world.Eventually("ready again", [&] { return world.IsReady("viewers"); });
  EXPECT_THAT(world.Run({"events"}).out, HasSubstr("AnswerDoubted"));
  EXPECT_EQ(world.Count("restrictionPolicy.post"), 0);
}

TEST(PrincipalLookup, TwoOfOneNameGiveNobodyAccess) {
  World world(Seed(Viewers(kRoleId) + Viewers("7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1003")));
  world.dir().Write("manifests/a.yaml", kManifests);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 2);
  EXPECT_EQ(Status(world, "viewers").at("reason"), "FAILED_PRECONDITION");
  EXPECT_THAT(Status(world, "viewers").at("message").get<std::string>(),
              HasSubstr(std::string("there are 2 roles named \"Viewers\": ") + kRoleId));
  EXPECT_EQ(Status(world, "board").at("reason"), "DependencyNotReady");
  EXPECT_EQ(MakeBindings(world), "[]");
}

TEST(PrincipalLookup, ADisabledUserKeepsThePolicyEnforced) {
  World world(Seed(Viewers(kRoleId), ", disabled: true"));
  world.dir().Write("manifests/a.yaml", kManifests);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(Status(world, "ana").at("message").get<std::string>(),
              HasSubstr("the user is disabled: no access takes effect until it is enabled"));
  EXPECT_EQ(MakeBindings(world), Bindings(kRoleId));
}

TEST(PrincipalLookup, ANameThatManyOthersContainIsFoundOnALaterPage) {
  std::string many = Viewers(kRoleId);
  for (int i = 100; i < 150; ++i) many += ", Viewers " + std::to_string(i);
  // By name, "A Viewers" comes before "Viewers".
  for (int i = 100; i < 150; ++i) many += ", A Viewers " + std::to_string(i);
  World world(Seed(many));
  EXPECT_EQ(world.RunJson({"invoke", "monitoring:getRole", "--name", "Viewers"}).at("id"), kRoleId);
  EXPECT_EQ(world.Count("roles.list"), 5) << "102 roles in pages of 25";
  world.dir().Write("manifests/a.yaml", kManifests);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(MakeBindings(world), Bindings(kRoleId));
}

TEST(PrincipalLookup, TheCommandsTakeNames) {
  World world(Seed(Viewers(kRoleId)));
  EXPECT_EQ(world.RunJson({"invoke", "monitoring:index/getTeam:getTeam", "--handle", "sre"}).dump(),
            Json({{"id", kTeam}, {"name", "sre"}}).dump());
  const Json ana = world.RunJson({"lookup", "monitoring:getUser", "ANA@example.com"});
  EXPECT_EQ(ana.at("inputs").dump(), R"({"email":"ana@example.com"})");
  EXPECT_EQ(ana.at("outputs").at("id"), kAnaId);
  EXPECT_EQ(
      world.Run({"import", "monitoring:getRole", "payments-viewers", "Payments Viewers"}).exit_code,
      0);
  EXPECT_THAT(world.dir().Read("manifests/payments-viewers.yaml"),
              HasSubstr("name: Payments Viewers"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const Outcome unknown = world.Run({"invoke", "getTeam", "--handle", "sr"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("NOT_FOUND: there is no team with the handle \"sr\", did you "
                                     "mean \"sre\"?"));
  EXPECT_THAT(world.Run({"invoke", "getUser", "--email", "ana"}).err,
              HasSubstr("\"ana\" is not an e-mail address"));
}

}  // namespace
}  // namespace bindery::testing
