// What `plan` reads: the directory it is pointed at, as it is at that moment.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kOnlyAna = "[user:ana@example.com]";
constexpr const char* kBoth = "[user:ana@example.com, user:bob@example.com]";

TEST(Plan, ShowsAnEditThatTheDaemonHasNotTakenUp) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  ::setenv("BINDERY_MANIFESTS_DEBOUNCE", "1m", 1);
  ::setenv("BINDERY_MANIFESTS_RESCAN_INTERVAL", "1h", 1);
  world.StartDaemon();
  ::unsetenv("BINDERY_MANIFESTS_DEBOUNCE");
  ::unsetenv("BINDERY_MANIFESTS_RESCAN_INTERVAL");
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("user:bob@example.com gains roles/viewer"));
}

TEST(Plan, ReadsAnotherDirectoryWhenItIsTold) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.dir().Write("branch/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  const std::string branch = world.dir() / "branch";
  const Outcome preview = world.Run({"plan", "--manifests", branch});
  EXPECT_EQ(preview.exit_code, 1);
  EXPECT_THAT(preview.out, HasSubstr("user:bob@example.com gains roles/viewer"));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0) << "the configured directory is as it was";

  world.dir().Write("branch/broken.yaml", "{");
  const Outcome broken = world.Run({"plan", "--manifests", branch});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("broken.yaml:1:"));
  EXPECT_THAT(broken.err, Not(HasSubstr("branch/broken.yaml"))) << "relative to the branch";
  EXPECT_EQ(world.Run({"plan", "--manifests", branch + "-nowhere"}).exit_code, 2);
}

TEST(Plan, ReadsTheConfigurationsDirectoryWhateverDaemonAnswersOnItsSocket) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.dir().Write("branch/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  ::setenv("BINDERY_MANIFESTS_DIRECTORY", (world.dir() / "branch").c_str(), 1);
  const Outcome plan = world.Run({"plan"});
  ::unsetenv("BINDERY_MANIFESTS_DIRECTORY");
  EXPECT_THAT(plan.out, HasSubstr("user:bob@example.com gains roles/viewer"));
}

}  // namespace
}  // namespace bindery::testing
