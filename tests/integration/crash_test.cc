// kill -9 at any moment, then restart: nothing is lost, nothing is written twice with another
// content, and every state explains itself.

#include <random>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

TEST(Crash, AKilledDaemonGoesOnWhereItWas) {
  constexpr int kTargets = 12;
  constexpr int kRounds = 12;
  std::string seed = "authorizationPolicies:\n";
  const auto target = [](int t) {
    return "projects/acme/locations/global/authorizationPolicies/p" + std::to_string(t);
  };
  for (int t = 0; t < kTargets; ++t) seed += "  - " + target(t) + "\n";
  World world(seed, "guard: {maxRemovedGrants: 100000, maxRemovedFraction: 1.0}\n");
  // Slow enough that a kill finds calls under way; some writes land without an answer.
  world.SetFaults({{{"operation", "*.setIamPolicy"}, {"delay", "15ms"}, {"times", 100000}}});
  std::mt19937 random(20261121);  // NOLINT(cert-msc51-cpp,cert-msc32-c): the same kills every time
  const auto declare = [&](int round) {
    for (int t = 0; t < kTargets; ++t) {
      world.dir().Write("manifests/t" + std::to_string(t) + ".yaml",
                        "apiVersion: cloudnative:networksecurity/v1\n"
                        "kind: AuthorizationPolicyIamBinding\n"
                        "metadata: {name: b" +
                            std::to_string(t) +
                            "}\n"
                            "spec: {name: " +
                            target(t) +
                            ", role: roles/viewer, members: "
                            "[\"user:r" +
                            std::to_string(round) + "@example.com\"]}\n");
    }
  };
  for (int round = 0; round < kRounds; ++round) {
    declare(round);
    world.StartDaemon();
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 350));
    world.Kill(SIGKILL);
  }
  declare(kRounds);
  const Outcome settled = world.Run({"run", "--once"});
  EXPECT_EQ(settled.exit_code, 0) << settled.err;
  const std::vector<std::string> wanted = {"user:r" + std::to_string(kRounds) + "@example.com"};
  for (int t = 0; t < kTargets; ++t) {
    EXPECT_EQ(world.Members(target(t), "roles/viewer"), wanted) << t;
    // Every policy in the cloud is one that is on record as written, found or observed.
    const Json revisions = world.RunJson({"history", "b" + std::to_string(t)}).at("revisions");
    const Json& last = revisions.at(revisions.size() - 1);
    EXPECT_EQ(last.at("etag"), world.Policy(target(t)).at("etag"));
    // No content was written twice in a row: a write that landed is recognised.
    for (std::size_t i = 1; i < revisions.size(); ++i) {
      EXPECT_FALSE(revisions.at(i).at("digest") == revisions.at(i - 1).at("digest") &&
                   revisions.at(i).at("origin") == "written")
          << revisions.dump(2);
    }
  }
  // Nothing is left open or unexplained.
  world.ResetRequests();
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  const Outcome integrity = [&] {
    Outcome outcome;
    outcome.exit_code = std::system(("sqlite3 " + (world.dir() / "state/bindery.db") +
                                     " 'pragma integrity_check' | grep -qx ok")
                                        .c_str());
    return outcome;
  }();
  EXPECT_EQ(integrity.exit_code, 0);
}

}  // namespace
}  // namespace bindery::testing
