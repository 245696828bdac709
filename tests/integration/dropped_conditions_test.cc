// A service that stores grants without their conditions gives more than is declared: that goes.

#include <filesystem>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct ShapeCase {
  const char* name;
  const char* manifest;
};

class DroppedConditionsTest : public ::testing::TestWithParam<ShapeCase> {
 protected:
  [[nodiscard]] std::string Policy() const {
    return ParseJson(world.Cloud("GET", "/_emulator/seed").body)
        ->at("iamPolicies")
        .at("//cloudresourcemanager.googleapis.com/projects/acme")
        .dump();
  }
  [[nodiscard]] std::size_t Events(const std::string& reason) {
    const Json events = world.RunJson({"events"});
    return static_cast<std::size_t>(
        std::count_if(events.at("events").begin(), events.at("events").end(),
                      [&](const Json& event) { return event.at("reason") == reason; }));
  }

  World world{
      "iamPolicies: {//cloudresourcemanager.googleapis.com/projects/acme: {bindings: "
      "[{role: roles/viewer, members: [\"user:kept@example.com\"]}]}}\n"};
};

TEST_P(DroppedConditionsTest, AGrantThatTheServiceStoresWithoutItsConditionIsTakenBack) {
  world.dir().Write("manifests/a.yaml", GetParam().manifest);
  world.Configure("reconcile: {interval: 1s}\n");
  world.SetFaults({{{"operation", "*"}, {"dropConditions", true}}});
  world.StartDaemon();
  world.Eventually("dropped", [&] { return world.Reason("a") == "ConditionDropped"; });
  world.Eventually("taken back", [&] { return Policy().find("ana@") == std::string::npos; });
  EXPECT_THAT(Policy(), HasSubstr("kept@example.com"));
  const std::int64_t writes = world.Count("cloudresourcemanager.setIamPolicy");
  EXPECT_EQ(writes, 2) << "granted, and taken back";
  const std::int64_t reads = world.Count("cloudresourcemanager.getIamPolicy");
  world.Eventually("checked again",
                   [&] { return world.Count("cloudresourcemanager.getIamPolicy") > reads + 2; });
  EXPECT_EQ(world.Count("cloudresourcemanager.setIamPolicy"), writes)
      << "it is not tried at each check";
  EXPECT_EQ(world.Reason("a"), "ConditionDropped");
  EXPECT_EQ(Events("ConditionDropped"), 1U);
  EXPECT_THAT(StringMember(world.Status("a"), "message"),
              AllOf(HasSubstr("roles/browser"), HasSubstr("user:ana@example.com"),
                    HasSubstr("without its condition")));

  // The service accepts conditions by now, and the manifest another one.
  world.SetFaults(Json::array());
  std::string other = GetParam().manifest;
  other.replace(other.find("2030"), 4, "2031");
  world.dir().Write("manifests/a.yaml", other);
  world.Eventually("ready", [&] { return world.IsReady("a"); });
  EXPECT_THAT(Policy(), AllOf(HasSubstr("ana@example.com"), HasSubstr("2031")));
}

TEST_P(DroppedConditionsTest, ItIsTakenBackAfterACrashThoughItsManifestIsGone) {
  world.dir().Write("manifests/a.yaml", GetParam().manifest);
  world.Configure("reconcile: {interval: 1s}\n");
  const std::string write = "cloudresourcemanager.setIamPolicy";
  world.SetFaults(
      {{{"operation", write}, {"times", 1}, {"dropConditions", true}, {"applyThenFail", true}},
       {{"operation", write}, {"status", 503}}});
  world.StartDaemon();
  world.Eventually("granted", [&] { return Policy().find("ana@") != std::string::npos; });
  world.Kill(SIGKILL);
  std::filesystem::remove(world.dir().path() / "manifests/a.yaml");
  world.dir().Write("manifests/broken.yaml", "kind: [\n");
  world.SetFaults(Json::array());
  world.StartDaemon();
  world.Eventually("taken back", [&] { return Policy().find("ana@") == std::string::npos; });
  EXPECT_THAT(Policy(), HasSubstr("kept@example.com"));
}

INSTANTIATE_TEST_SUITE_P(Shapes, DroppedConditionsTest,
                         ::testing::Values(ShapeCase{"Binding", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: a}
spec:
  name: projects/acme
  role: roles/browser
  members: ["user:ana@example.com"]
  condition: {title: soon, expression: 'request.time < timestamp("2030-01-01T00:00:00Z")'}
)"},
                                           ShapeCase{"Member", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: a}
spec:
  name: projects/acme
  role: roles/browser
  member: user:ana@example.com
  condition: {title: soon, expression: 'request.time < timestamp("2030-01-01T00:00:00Z")'}
)"}),
                         [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace bindery::testing
