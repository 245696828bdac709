// Datasets of Datadog, from the manifest to the service and back.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kAdmins = "7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001";

constexpr const char* kDatasetManifest = R"(apiVersion: monitoring
kind: Dataset
metadata: {name: payments}
spec:
  name: Payments data
  principals: ["role:${admins.id}"]
  productFilters:
    - {product: logs, filters: ["@team:pay", "@team:card"]}
    - {product: apm, filters: ["service:pay"]}
)";

constexpr const char* kAdminsManifest = R"(apiVersion: monitoring
kind: getRole
metadata: {name: admins}
spec: {name: Payments Admins}
)";

std::string SeedWithAdmins() {
  return std::string(kSeed) + "roles: [{id: " + kAdmins + ", name: Payments Admins}]\n";
}

Json DatasetsIn(const World& world) {
  return ParseJson(world.Cloud("GET", "/api/v2/datasets").body)->at("data");
}

/// The principals and the filters of the only dataset.
std::string OnlyDataset(const World& world) {
  const Json datasets = DatasetsIn(world);
  if (datasets.size() != 1) return std::to_string(datasets.size()) + " datasets";
  const Json& attributes = datasets.at(0).at("attributes");
  return attributes.at("principals").dump() + attributes.at("product_filters").dump();
}

std::string Declared() {
  return R"(["role:)" + std::string(kAdmins) +
         R"("][{"product":"logs","filters":["@team:pay","@team:card"]},)"
         R"({"product":"apm","filters":["service:pay"]}])";
}

TEST(Dataset, IsCreatedKeptAsDeclaredAndDeleted) {
  World world(SeedWithAdmins(), "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml", kDatasetManifest);
  world.dir().Write("manifests/admins.yaml", kAdminsManifest);
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  EXPECT_THAT(world.Run({"plan"}).out,
              AllOf(HasSubstr(std::string("role:") + kAdmins), HasSubstr("logs @team:card")));
  EXPECT_EQ(DatasetsIn(world).size(), 0U);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("payments"); });
  EXPECT_EQ(OnlyDataset(world), Declared());
  EXPECT_EQ(world.Count("dataset.create"), 1);

  const std::string path =
      "/api/v2/datasets/" + DatasetsIn(world).at(0).at("id").get<std::string>();
  const std::string foreign =
      R"({"data":{"type":"dataset","attributes":{"name":"Payments data",)"
      R"("principals":["team:x"],"product_filters":[{"product":"logs","filters":["@team:pay"]}]}}})";
  ASSERT_EQ(world.Cloud("PUT", path, foreign).status, 200);
  world.Eventually("repaired",
                   [&] { return OnlyDataset(world).find("team:x") == std::string::npos; });
  world.Eventually("ready again", [&] { return world.IsReady("payments"); });
  const std::string repaired = OnlyDataset(world);
  EXPECT_THAT(repaired, AllOf(HasSubstr(kAdmins), HasSubstr("@team:pay"), HasSubstr("@team:card"),
                              HasSubstr("service:pay")));
  EXPECT_THAT(world.Run({"events", "payments"}).out, HasSubstr("DriftFound"));
  EXPECT_THAT(world.Run({"history", "payments", "3"}).out, HasSubstr("team:x"));

  world.dir().Remove("manifests/a.yaml");
  Json holds;
  world.Eventually("held: it opens the data to everyone", [&] {
    holds = world.RunJson({"guard"}).at("holds");
    return !holds.empty();
  });
  EXPECT_EQ(OnlyDataset(world), repaired);
  ASSERT_EQ(world.Run({"guard", "approve", StringMember(holds.at(0), "digest")}).exit_code, 0);
  world.Eventually("deleted", [&] { return DatasetsIn(world).empty(); });
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(Dataset, IsImportedAsItIs) {
  World world(SeedWithAdmins() +
              "datasets: [{name: Old data, principals: [\"team:t\"], productFilters: "
              "[{product: rum, filters: [\"service:old\"]}]}]\n");
  const Outcome imported = world.Run({"import", "monitoring:Dataset", "old", "Old data"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(world.dir().Read("manifests/old.yaml"), HasSubstr("service:old"));
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("No changes"));
}

}  // namespace
}  // namespace bindery::testing
