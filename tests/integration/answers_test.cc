// A cloud that answers wrongly for seconds, and what the program makes of it.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kKeeping =
    "reconcile: {interval: 1s, jitter: 0, undeclaredRoles: keep, fullReadEvery: 1}\n";

/// One role is declared; another one is held by somebody of whom no manifest speaks.
class Answers : public ::testing::Test {
 protected:
  Answers() {
    world.SetPolicy(kPayments, Holders("roles/editor", {"user:boss@example.com"}));
    world.dir().Write("manifests/a.yaml",
                      Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world.StartDaemon();
    world.Eventually("ready", [&] { return world.IsReady("viewers"); });
    world.ResetRequests();
  }
  void AwaitReadings(int count) {
    const std::int64_t before = world.Count("networksecurity.getIamPolicy");
    world.Eventually("readings",
                     [&] { return world.Count("networksecurity.getIamPolicy") >= before + count; });
  }
  World world{kSeed, kKeeping};
};

TEST_F(Answers, WhatIsNoPolicyIsNeverWrittenOver) {
  for (const Json& answer :
       {Json::object(), Json{{"version", 1}}, Json{{"bindings", Json::array()}}, Json{{"etag", ""}},
        Json("<html></html>"), Json(R"({"etag":"BwX=","bindings":[],"etag":"BwX="})")}) {
    SCOPED_TRACE(answer.dump());
    world.SetFaults({{{"operation", "*.getIamPolicy"}, {"answer", answer}}});
    AwaitReadings(2);
    world.SetFaults(Json::array());
    world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  }
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:boss@example.com"));
}

TEST_F(Answers, AnEmptyPolicyWithTheRightEtagIsNotBelievedForSeconds) {
  const std::string etag = StringMember(world.Policy(kPayments), "etag");
  world.SetFaults({{{"operation", "*.getIamPolicy"}, {"answer", {{"etag", etag}}}}});
  AwaitReadings(2);
  world.SetFaults(Json::array());
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_THAT(world.Run({"events"}).out, HasSubstr("AnswerDoubted"));
}

TEST_F(Answers, AManifestThatGoesWhileItsTargetIsNotFoundIsStillCarriedOut) {
  world.SetFaults({{{"operation", "*.getIamPolicy"}, {"status", 404}}});
  world.dir().Write("manifests/b.yaml",
                    Binding("others", "roles/browser", "[user:bob@example.com]"));
  world.dir().Remove("manifests/a.yaml");
  world.Eventually("looked for", [&] { return world.Reason("viewers") == "TargetNotFound"; });
  AwaitReadings(3);
  EXPECT_THAT(world.Run({"events"}).out, Not(HasSubstr("so is what it granted")));
  world.SetFaults(Json::array());
  world.Eventually("taken away", [&] { return world.Members(kPayments, "roles/viewer").empty(); });
  world.Eventually("told", [&] {
    return world.Run({"events"}).out.find("so is what it granted") != std::string::npos;
  });
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:boss@example.com"));
}

TEST_F(Answers, ARetryAfterOfDaysIsToldAndBounded) {
  world.SetFaults(
      {{{"operation", "*.getIamPolicy"}, {"times", 1}, {"status", 503}, {"retryAfter", "4d"}}});
  world.Eventually("told", [&] {
    return StringMember(world.Status("viewers"), "message")
               .find("it asks to wait for 4d, and is asked again after 5m") != std::string::npos;
  });
}

TEST_F(Answers, ARefusalForQuotaPausesItsOwnServiceAlone) {
  world.SetFaults({{{"operation", "run.*"}, {"status", 429}, {"retryAfter", "1h"}}});
  world.dir().Write("manifests/run.yaml",
                    "apiVersion: cloudnative:run/v2\nkind: ServiceIamBinding\n"
                    "metadata: {name: web}\nspec: {name: projects/acme/locations/eu/services/web, "
                    "role: roles/run.invoker, members: [\"user:ana@example.com\"]}\n");
  world.Eventually("refused", [&] {
    return StringMember(world.Status("web"), "message").find("RESOURCE_EXHAUSTED") !=
           std::string::npos;
  });
  world.SetPolicy(kPayments, Holders("roles/viewer", {"user:eve@example.com"}));
  world.Eventually("repaired", [&] {
    return world.Members(kPayments, "roles/viewer") == std::vector<std::string>{kAna};
  });
  EXPECT_EQ(world.Count("run.getIamPolicy"), 1);
}

constexpr const char* kRoleAndBoard = R"(apiVersion: monitoring
kind: getRole
metadata: {name: viewers}
spec: {name: Viewers}
---
apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: dashboard:abc-def-ghi
  bindings: [{relation: editor, principals: ["team:2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001"]}]
)";

TEST(NamedLimits, ABucketThatIsUsedUpPausesTheApisThatAreCountedThereAlone) {
  constexpr const char* kDashboard = "/api/v2/restriction_policy/dashboard:abc-def-ghi";
  World world(std::string(kSeed) +
                  "roles: [{id: 7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001, name: "
                  "Viewers}]\n",
              "reconcile: {interval: 1s, jitter: 0}\nguard: {holdSeverity: none}\n");
  world.dir().Write("manifests/a.yaml", kRoleAndBoard);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("board") && world.IsReady("viewers"); });
  const std::string declared = world.Cloud("GET", kDashboard).body;
  world.SetFaults({{{"operation", "roles.list"},
                    {"rateLimit", {{"limit", 1}, {"period", "1h"}, {"name", "search"}}}}});
  const std::int64_t before = world.Count("roles.list");
  world.Eventually("used up", [&] { return world.Count("roles.list") > before; });
  ASSERT_EQ(world.Cloud("DELETE", kDashboard).status, 204);
  world.Eventually("repaired", [&] { return world.Cloud("GET", kDashboard).body == declared; });
  EXPECT_LE(world.Count("roles.list"), before + 2);
}

}  // namespace
}  // namespace bindery::testing
