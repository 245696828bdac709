// The examples of one topic each do what their page says.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kViewerRole = "roles/networksecurity.viewer";

std::string ReadExample(const std::string& name) {
  std::ifstream in(std::filesystem::path(BINDERY_SOURCE) / "config/examples" / name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The examples, on a cloud of the test's own: one provider stands for both.
class Topics : public ::testing::Test {
 protected:
  Topics() : world_(ReadExample("embedded-cloud.yaml")) {
    std::filesystem::copy(std::filesystem::path(BINDERY_SOURCE) / "config/examples/manifests",
                          world_.dir().path() / "manifests",
                          std::filesystem::copy_options::recursive);
    std::string text = world_.dir().Read("bindery.yaml");
    const std::string project = "project: acme";
    text.replace(text.find(project), project.size(), "project: example-project");
    const std::string providers = "providers:\n";
    text.replace(text.find(providers), providers.size(),
                 "providers:\n  second: {type: cloudnative, project: example-project, credentials: "
                 "{type: none}, endpoints: {networksecurity: \"" +
                     world_.CloudUrl() + "\"}}\n");
    world_.dir().Write("bindery.yaml", text);
    world_.StartDaemon();
    for (const char* name :
         {"me", "host-inventory", "team-board", "team-notebook", "backup-auditors", "depends-on",
          "protect", "retain-on-delete", "ignore-changes", "aliases", "provider", "custom-timeouts",
          "interval"}) {
      world_.Eventually(name, [&] { return world_.IsReady(name); });
    }
    world_.Eventually("observed", [&] { return world_.Reason("mode") == "DriftObserved"; });
    world_.Eventually("suspended", [&] { return world_.Reason("suspend") == "Suspended"; });
  }

  [[nodiscard]] std::vector<std::string> HoldersOf(const std::string& topic) const {
    return world_.Members(
        "projects/example-project/locations/global/authorizationPolicies/" + topic, kViewerRole);
  }

  World world_;
};

TEST_F(Topics, EachDoesWhatThePageSays) {
  const std::string sre = "group:sre@example.com";
  EXPECT_THAT(world_.Run({"get", "me"}).out, HasSubstr("4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001"));
  EXPECT_THAT(world_.Run({"get", "host-inventory"}).out, HasSubstr("ACTIVE"));
  const std::string notebook =
      world_.Cloud("GET", "/api/v2/restriction_policy/notebook%3A4711").body;
  EXPECT_THAT(notebook, HasSubstr("org:4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001"));
  EXPECT_THAT(notebook, HasSubstr("team:7c0e5a4e-3f5b-4f0e-9d6e-0b8f3f8f2a11"));
  EXPECT_EQ(world_.Count("backupdr.setIamPolicy"), 0) << "what is there is taken over";
  for (const char* topic : {"depends-on", "protect", "retain-on-delete", "aliases", "provider",
                            "custom-timeouts", "interval"}) {
    EXPECT_THAT(HoldersOf(topic), ElementsAre(sre)) << topic;
  }
  EXPECT_THAT(HoldersOf("ignore-changes"), ElementsAre("user:somebody@example.com"));
  EXPECT_THAT(HoldersOf("mode"), ElementsAre());
  EXPECT_THAT(HoldersOf("suspend"), ElementsAre());
  EXPECT_THAT(world_.Run({"drift"}).out, HasSubstr("mode"));
}

TEST_F(Topics, FilesThatGoLeaveWhatIsProtectedOrRetained) {
  world_.dir().Remove("manifests/protect.yaml");
  world_.dir().Remove("manifests/depends-on.yaml");
  world_.dir().Remove("manifests/retain-on-delete.yaml");
  world_.Eventually("protected", [&] { return world_.Reason("protect") == "Protected"; });
  world_.Eventually("forgotten", [&] { return world_.Status("retain-on-delete").empty(); });
  world_.Eventually("removed", [&] { return HoldersOf("depends-on").empty(); });
  EXPECT_THAT(HoldersOf("protect"), ElementsAre("group:sre@example.com"));
  EXPECT_THAT(HoldersOf("retain-on-delete"), ElementsAre("group:sre@example.com"));
}

TEST(TopicsPage, NamesEveryFileAndTheConfigurationIsValid) {
  World world(kSeed);
  const std::string page = ReadExample("README.md");
  const std::filesystem::path folder = std::filesystem::path(BINDERY_SOURCE) / "config/examples";
  for (const auto& file : std::filesystem::directory_iterator(folder / "manifests")) {
    EXPECT_THAT(page, HasSubstr("(manifests/" + file.path().filename().string() + ")"));
  }
  const Outcome validated = world.Run({"validate", "-c", (folder / "bindery.yaml").string()});
  EXPECT_EQ(validated.exit_code, 0) << validated.out << validated.err;
}

}  // namespace
}  // namespace bindery::testing
