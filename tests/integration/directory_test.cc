// What happens to the folder takes effect; what goes wrong with it never deletes anything.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DirectoryJob : public ::testing::Test {
 protected:
  DirectoryJob() : world_(kSeed, "guard: {maxRemovedFraction: 1.0}\n") {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world_.dir().Write("manifests/keep.yaml",
                       Binding("editors", "roles/editor", "[user:eve@example.com]"));
    world_.StartDaemon();
    world_.Eventually("ready",
                      [&] { return world_.IsReady("viewers") && world_.IsReady("editors"); });
  }

  void Viewers(const std::vector<std::string>& members) {
    world_.Eventually("the viewers are as declared",
                      [&] { return world_.Members(kPayments, "roles/viewer") == members; });
  }

  World world_;
};

TEST_F(DirectoryJob, AnEditTakesEffect) {
  world_.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer",
                                                 "[user:ana@example.com, user:bob@example.com]"));
  Viewers({"user:ana@example.com", "user:bob@example.com"});
  world_.Eventually("generation 2",
                    [&] { return world_.Status("viewers").at("observedGeneration") == 2; });
}

TEST_F(DirectoryJob, ANewFileTakesEffect) {
  world_.dir().Write("manifests/deep/er/b.yaml",
                     Binding("owners", "roles/owner", "[user:root@example.com]"));
  world_.Eventually("ready", [&] { return world_.IsReady("owners"); });
  EXPECT_THAT(world_.Members(kPayments, "roles/owner"), ElementsAre("user:root@example.com"));
}

TEST_F(DirectoryJob, ADeletedFileTakesItsGrantsAway) {
  world_.dir().Remove("manifests/a.yaml");
  Viewers({});
  world_.Eventually("forgotten", [&] { return world_.Status("viewers").empty(); });
  EXPECT_THAT(world_.Members(kPayments, "roles/editor"), ElementsAre("user:eve@example.com"));
}

TEST_F(DirectoryJob, ARenamedFileIsNotADeletion) {
  world_.ResetRequests();
  std::filesystem::rename(world_.dir() / "manifests/a.yaml", world_.dir() / "manifests/z.yaml");
  world_.Eventually("seen", [&] {
    const Json resources = world_.RunJson({"get", "viewers"}).at("resources");
    return resources.at(0).at("source").at("file") == "z.yaml";
  });
  EXPECT_EQ(world_.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_TRUE(world_.IsReady("viewers"));
}

TEST_F(DirectoryJob, ARenamedManifestTakesOverWithoutAGap) {
  world_.ResetRequests();
  world_.dir().Write("manifests/a.yaml",
                     Binding("watchers", "roles/viewer", "[user:ana@example.com]"));
  world_.Eventually("ready", [&] { return world_.IsReady("watchers"); });
  EXPECT_TRUE(world_.Status("viewers").empty());
  EXPECT_EQ(world_.Count("networksecurity.setIamPolicy"), 0);
}

TEST_F(DirectoryJob, ABrokenFileKeepsItsLastGoodManifestInForce) {
  world_.dir().Write("manifests/a.yaml", "apiVersion: [\n");
  world_.Eventually("stalled", [&] { return world_.Reason("viewers") == "ManifestInvalid"; });
  EXPECT_THAT(world_.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  world_.dir().Write("manifests/a.yaml",
                     Binding("viewers", "roles/viewer", "[user:bob@example.com]"));
  Viewers({"user:bob@example.com"});
}

TEST_F(DirectoryJob, AMissingOrEmptyDirectoryDeletesNothing) {
  std::filesystem::rename(world_.dir() / "manifests", world_.dir() / "elsewhere");
  world_.Eventually("not ready", [&] { return world_.Ask("GET", "/readyz").status == 500; });
  std::filesystem::create_directory(world_.dir() / "manifests");
  world_.Eventually("says why", [&] {
    return world_.Ask("GET", "/readyz?verbose").body.find("holds no manifest files") !=
           std::string::npos;
  });
  EXPECT_THAT(world_.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  EXPECT_TRUE(world_.IsReady("viewers"));
  std::filesystem::remove(world_.dir() / "manifests");
  std::filesystem::rename(world_.dir() / "elsewhere", world_.dir() / "manifests");
  world_.Eventually("ready again", [&] { return world_.Ask("GET", "/readyz").status == 200; });
}

TEST_F(DirectoryJob, AChangedRoleTakesTheOldGrantAway) {
  world_.dir().Write("manifests/a.yaml",
                     Binding("viewers", "roles/owner", "[user:ana@example.com]"));
  world_.Eventually("moved", [&] { return world_.Members(kPayments, "roles/owner").size() == 1; });
  EXPECT_THAT(world_.Members(kPayments, "roles/viewer"), IsEmpty());
}

TEST_F(DirectoryJob, AReloadedConfigurationTakesEffectAndABadOneDoesNot) {
  world_.Configure("reconcile: {mode: observe}\n");
  world_.Signal(SIGHUP);
  world_.Eventually("reloaded", [&] {
    return world_.DaemonLog().find("configuration reloaded") != std::string::npos;
  });
  world_.dir().Write("manifests/a.yaml",
                     Binding("viewers", "roles/viewer", "[user:bob@example.com]"));
  world_.Eventually("observed", [&] { return world_.Reason("viewers") == "DriftObserved"; });
  EXPECT_THAT(world_.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  world_.Configure("reconcil: {mode: enforce}\n");
  world_.Signal(SIGHUP);
  world_.Eventually("refused", [&] {
    return world_.DaemonLog().find("the one before stays in force") != std::string::npos;
  });
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("did you mean \"reconcile\"?"));
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr("bindery_config_last_reload_successful 0"));
}

}  // namespace
}  // namespace bindery::testing
