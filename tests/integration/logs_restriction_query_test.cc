// Restriction queries of logs, from the manifest to the service and back.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kSupport = "7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001";
constexpr const char* kOthers = "7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1002";
constexpr const char* kQueriesUrl = "/api/v2/logs/config/restriction_queries";

constexpr const char* kSupportManifest = R"(apiVersion: monitoring
kind: getRole
metadata: {name: support}
spec: {name: Support}
)";

std::string SeedWithRoles(const std::string& more = "") {
  return std::string(kSeed) + "roles: [{id: " + kSupport + ", name: Support}, {id: " + kOthers +
         ", name: Others}]\n" + more;
}

std::string QueryManifest(const std::string& roles) {
  return "apiVersion: monitoring\nkind: LogsRestrictionQuery\nmetadata: {name: support-logs}\n"
         "spec:\n  restrictionQuery: \"team:support OR service:web\"\n  roleIds: " +
         roles + "\n";
}

Json MakeList(const World& world, const std::string& path) {
  return ParseJson(world.Cloud("GET", path).body)->at("data");
}

/// The roles of the only query; "N queries" where there is another number.
std::string RolesThere(const World& world) {
  const Json queries = MakeList(world, kQueriesUrl);
  if (queries.size() != 1) return std::to_string(queries.size()) + " queries";
  std::string roles;
  const std::string path = kQueriesUrl + ("/" + StringMember(queries.at(0), "id")) + "/roles";
  for (const Json& role : MakeList(world, path)) roles += StringMember(role, "id") + " ";
  return roles;
}

std::string PathOfRoles(const World& world) {
  return kQueriesUrl + ("/" + StringMember(MakeList(world, kQueriesUrl).at(0), "id")) + "/roles";
}

std::string RoleBody(const std::string& id) {
  return R"({"data":{"type":"roles","id":")" + id + "\"}}";
}

TEST(LogsRestrictionQuery, IsCreatedKeptAsDeclaredAndDeleted) {
  World world(SeedWithRoles(), "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml", QueryManifest("[\"${support.id}\"]"));
  world.dir().Write("manifests/support.yaml", kSupportManifest);
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr(std::string("role:") + kSupport));
  EXPECT_EQ(RolesThere(world), "0 queries");
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("support-logs"); });
  EXPECT_EQ(RolesThere(world), std::string(kSupport) + " ");
  EXPECT_EQ(world.Count("restrictionQuery.create"), 1);

  const std::string roles = PathOfRoles(world);
  ASSERT_EQ(world.Cloud("POST", roles, RoleBody(kOthers)).status, 204);
  ASSERT_EQ(world.Cloud("DELETE", roles, RoleBody(kSupport)).status, 204);
  world.Eventually("the declared role is back, which has nothing to wait for",
                   [&] { return RolesThere(world).find(kSupport) != std::string::npos; });
  EXPECT_THAT(world.Run({"events", "support-logs"}).out, HasSubstr("DriftFound"));
  EXPECT_EQ(world.Count("restrictionQuery.create"), 1) << "it is found by its text";

  world.Eventually("the other one is gone, which was there only since",
                   [&] { return RolesThere(world) == std::string(kSupport) + " "; });

  world.dir().Remove("manifests/a.yaml");
  Json holds;
  world.Eventually("held: it shows all logs to the role", [&] {
    holds = world.RunJson({"guard"}).at("holds");
    return !holds.empty();
  });
  EXPECT_EQ(RolesThere(world), std::string(kSupport) + " ");
  ASSERT_EQ(world.Run({"guard", "approve", StringMember(holds.at(0), "digest")}).exit_code, 0);
  world.Eventually("deleted", [&] { return MakeList(world, kQueriesUrl).empty(); });
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(LogsRestrictionQuery, ARoleThatIsNotThereLeavesNoSecondQuery) {
  World world(SeedWithRoles(), "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml",
                    QueryManifest("[" + std::string(kSupport) + ", no-such-role]"));
  world.StartDaemon();
  world.Eventually("it was tried again",
                   [&] { return world.Count("restrictionQuery.addRole") >= 3; });
  EXPECT_EQ(world.Count("restrictionQuery.create"), 1);
  EXPECT_EQ(RolesThere(world), std::string(kSupport) + " ");
  EXPECT_THAT(world.Run({"get", "support-logs", "-o", "json"}).out, HasSubstr("no-such-role"));
  world.dir().Write("manifests/a.yaml", QueryManifest("[" + std::string(kSupport) + "]"));
  world.Eventually("ready", [&] { return world.IsReady("support-logs"); });
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(LogsRestrictionQuery, IsImportedAsItIs) {
  World world(SeedWithRoles("restrictionQueries: [{query: \"team:old\", roles: [" +
                            std::string(kOthers) + "]}]\n"));
  const Outcome imported =
      world.Run({"import", "monitoring:LogsRestrictionQuery", "old", "team:old"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(world.dir().Read("manifests/old.yaml"),
              AllOf(HasSubstr("team:old"), HasSubstr(kOthers)));
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("No changes"));
}

}  // namespace
}  // namespace bindery::testing
