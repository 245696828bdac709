// A manifest that a service refuses is told so, and takes part in nothing else.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kSubscriber = "roles/pubsub.subscriber";
constexpr const char* kSubscribers = R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: subscribers}
spec: {name: projects/acme, role: roles/pubsub.subscriber, members: ["user:ana@example.com"]}
)";
constexpr const char* kNewHire = R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: new-hire}
spec: {name: projects/acme, role: roles/pubsub.viewer, member: "user:gone@example.com"}
)";
constexpr const char* kRefusedSettings =
    "reconcile: {interval: 1s, confirmEmptied: 0s}\nguard: {holdSeverity: none}\n";

std::string ProjectSeedWith(const std::string& rest) {
  return R"(
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - {role: roles/owner, members: ["user:root@example.com"]}
      - {role: roles/pubsub.subscriber, members: ["user:ana@example.com"]}
)" + rest;
}

struct RefusedCase {
  const char* name;
  const char* seed;      ///< What the cloud refuses.
  const char* manifest;  ///< Of the resource "new-hire".
  const char* words;     ///< Of the service.
  const char* code;
  int writes;  ///< Until it is known, with a removal in the first one.
};

class RefusedTest : public ::testing::TestWithParam<RefusedCase> {
 protected:
  RefusedTest() : world(ProjectSeedWith(GetParam().seed)) { world.Configure(kRefusedSettings); }

  [[nodiscard]] std::vector<std::string> Holders(const std::string& role) const {
    std::vector<std::string> members;
    const Json policy = *ParseJson(world
                                       .Cloud("POST", "/v3/projects/acme:getIamPolicy",
                                              R"({"options": {"requestedPolicyVersion": 3}})")
                                       .body);
    for (const Json& binding : policy.at("bindings")) {
      if (binding.at("role") != role) continue;
      for (const Json& member : binding.at("members")) members.push_back(member);
    }
    return members;
  }
  /// Somebody grants it by hand.
  void Grant(const std::string& role, const std::string& member) const {
    Json policy = *ParseJson(world.Cloud("POST", "/v3/projects/acme:getIamPolicy", "{}").body);
    policy["bindings"].push_back({{"role", role}, {"members", {member}}});
    const HttpResult result =
        world.Cloud("POST", "/v3/projects/acme:setIamPolicy", Json{{"policy", policy}}.dump());
    ASSERT_EQ(result.status, 200) << result.body;
  }
  [[nodiscard]] std::size_t Events(const std::string& resource, const std::string& reason) const {
    const Json events = world.RunJson({"events", resource});
    return static_cast<std::size_t>(
        std::count_if(events.at("events").begin(), events.at("events").end(),
                      [&](const Json& event) { return event.at("reason") == reason; }));
  }

  World world;
};

TEST_P(RefusedTest, OneManifestFreezesNoOther) {
  Grant(kSubscriber, "user:mallory@example.com");
  world.ResetRequests();
  world.dir().Write("manifests/a.yaml", kSubscribers);
  world.dir().Write("manifests/b.yaml", GetParam().manifest);
  world.StartDaemon();
  const std::string code = GetParam().code;
  world.Eventually("refused", [&] { return world.Reason("new-hire") == code; });
  world.Eventually("ready", [&] { return world.IsReady("subscribers"); });
  EXPECT_THAT(Holders(kSubscriber), ElementsAre("user:ana@example.com"));
  EXPECT_THAT(StringMember(world.Status("new-hire"), "message"), HasSubstr(GetParam().words));
  EXPECT_LE(world.Count("cloudresourcemanager.setIamPolicy"), GetParam().writes);

  // What comes later goes on as if it was not there, and it is not tried by each check.
  world.ResetRequests();
  Grant(kSubscriber, "user:mallory@example.com");
  world.Eventually("removed again", [&] { return Holders(kSubscriber).size() == 1; });
  world.dir().Write("manifests/c.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: other}
spec: {name: projects/acme, role: roles/browser, member: "user:bob@example.com"}
)");
  world.Eventually("granted", [&] { return world.IsReady("other"); });
  EXPECT_EQ(world.Count("cloudresourcemanager.setIamPolicy"), 3) << "one of them by hand";
  EXPECT_EQ(Events("new-hire", code), 1U);

  // A leaver goes.
  std::string none = kSubscribers;
  none.replace(none.find("ana@"), 4, "bob@");
  world.dir().Write("manifests/a.yaml", none);
  world.Eventually("revoked", [&] {
    return Holders(kSubscriber) == std::vector<std::string>{"user:bob@example.com"};
  });

  // What is told of it.
  const Json drift = world.RunJson({"drift"});
  ASSERT_EQ(drift.at("summary").at("open"), 1) << drift;
  EXPECT_EQ(StringMember(drift.at("items").at(0), "class"), "missing");
  EXPECT_THAT(StringMember(drift.at("items").at(0), "observed"), HasSubstr(GetParam().words));
  EXPECT_THAT(world.Ask("GET", "/api/v1/plan").body,
              AllOf(HasSubstr("new-hire"), HasSubstr(GetParam().words)));
  const Outcome explained = world.Run({"explain", "new-hire"});
  EXPECT_THAT(explained.out, HasSubstr(GetParam().words));

  // It is corrected by a manifest that the service takes.
  world.dir().Write("manifests/b.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: new-hire}
spec: {name: projects/acme, role: roles/pubsub.publisher, member: "user:bob@example.com"}
)");
  world.Eventually("taken", [&] { return world.IsReady("new-hire"); });
}

TEST_P(RefusedTest, AManifestThatCameBackIsTriedAgain) {
  // The directory is not left empty.
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: stays}
spec: {name: projects/beta, role: roles/browser, member: "user:bob@example.com"}
)");
  world.dir().Write("manifests/b.yaml", GetParam().manifest);
  world.StartDaemon();
  world.Eventually("refused", [&] { return world.Reason("new-hire") == GetParam().code; });
  world.dir().Remove("manifests/b.yaml");
  world.Eventually("forgotten", [&] { return world.Run({"get", "new-hire"}).exit_code != 0; });
  world.ResetRequests();
  world.dir().Write("manifests/b.yaml", GetParam().manifest);
  world.Eventually("tried", [&] { return world.Count("cloudresourcemanager.setIamPolicy") > 0; });
}

INSTANTIATE_TEST_SUITE_P(
    Causes, RefusedTest,
    ::testing::Values(
        RefusedCase{"AnUnknownPrincipal",
                    "principals: [{member: \"user:gone@example.com\", state: unknown}]\n", kNewHire,
                    "User gone@example.com does not exist.", "INVALID_ARGUMENT", 2},
        RefusedCase{"ACondition", "options: {acceptConditions: false}\n", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: new-hire}
spec:
  name: projects/acme
  role: roles/pubsub.viewer
  member: "user:ana@example.com"
  condition: {title: staging, expression: 'resource.name.startsWith("projects/staging")'}
)",
                    "Conditions are not supported for this resource.", "INVALID_ARGUMENT", 3},
        RefusedCase{"ARole", "options: {unsupportedRoles: [roles/pubsub.viewer]}\n", kNewHire,
                    "Role roles/pubsub.viewer is not supported", "INVALID_ARGUMENT", 2},
        RefusedCase{"ADomain", "options: {allowedMemberDomains: [example.com]}\n", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: new-hire}
spec: {name: projects/acme, role: roles/browser, member: "user:gone@example.net"}
)",
                    "constraints/iam.allowedPolicyMemberDomains", "FAILED_PRECONDITION", 2}),
    [](const auto& param) { return std::string(param.param.name); });

/// "user:m0@example.com" and so on, as flow sequence.
std::string MembersFrom(int first, int end) {
  std::string list = "[";
  for (int i = first; i < end; ++i) {
    list += (i == first ? "\"user:m" : ", \"user:m") + std::to_string(i) + "@example.com\"";
  }
  return list + "]";
}

TEST(RefusedGrants, InAFullPolicyANewMemberFollowsTheOneThatItReplaces) {
  constexpr int kMost = 1500;
  World world(
      "iamPolicies:\n  //cloudresourcemanager.googleapis.com/projects/acme:\n"
      "    bindings: [{role: roles/browser, members: " +
      MembersFrom(0, kMost) + "}]\n");
  world.Configure(kRefusedSettings);
  const auto declare = [&](int first) {
    world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: browsers}
spec:
  name: projects/acme
  role: roles/browser
  members: )" + MembersFrom(first, first + kMost) +
                                              "\n");
  };
  declare(0);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("browsers"); });
  declare(1);
  world.Eventually("replaced", [&] {
    const std::string policy = world.Cloud("POST", "/v3/projects/acme:getIamPolicy", "{}").body;
    return policy.find("user:m0@example.com") == std::string::npos &&
           policy.find("user:m1500@example.com") != std::string::npos;
  });
}

TEST(RefusedPrincipals, OfDatadogHoldUpNoOther) {
  World world(R"(
roles: [{id: 7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001, name: Readers}]
teams: [{id: 2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001, handle: sre}]
options: {checkPrincipals: true}
)");
  world.Configure("reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: dashboard:abc-def-ghi
  bindings:
    - relation: editor
      principals:
        - role:7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001
        - team:00000000-6d0f-4c3c-8a0e-4a1c9a52e001
        - team:2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001
)");
  world.StartDaemon();
  world.Eventually("refused", [&] { return world.Reason("board") == "INVALID_ARGUMENT"; });
  EXPECT_THAT(StringMember(world.Status("board"), "message"),
              AllOf(HasSubstr("do not exist in organization"),
                    HasSubstr("editor for team:00000000-6d0f-4c3c-8a0e-4a1c9a52e001")));
  const HttpResult policy = world.Cloud("GET", "/api/v2/restriction_policy/dashboard:abc-def-ghi");
  const Json bindings = ParseJson(policy.body)->at("data").at("attributes").at("bindings");
  ASSERT_EQ(bindings.size(), 1U);
  EXPECT_THAT(bindings.at(0).at("principals"),
              ElementsAre("role:7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001",
                          "team:2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001"));
}

}  // namespace
}  // namespace bindery::testing
