// The blast radius of a bad checkout is bounded.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Users(int count) {
  std::string list = "[";
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ", ") + std::string("user:u") + std::to_string(i) + "@example.com";
  }
  return list + "]";
}

TEST(Guard, RemovalsOverTheLimitWaitForApprovalAndAdditionsDoNot) {
  World world(kSeed, "guard: {maxRemovedGrants: 3}\n");
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", Users(8)));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer",
                                                "[user:u0@example.com, user:new@example.com]"));
  world.Eventually("held", [&] { return world.Reason("viewers") == "GuardHeld"; });
  EXPECT_EQ(world.Members(kPayments, "roles/viewer").size(), 9U);

  const Outcome shown = world.Run({"guard"});
  EXPECT_THAT(shown.out, HasSubstr("user:u7@example.com"));
  const Json holds = world.RunJson({"guard"}).at("holds");
  ASSERT_EQ(holds.size(), 1U);
  EXPECT_EQ(world.Run({"guard", "approve", "0123456789ab"}).exit_code, 2);
  EXPECT_EQ(world.RunJson({"drift"}).at("summary").at("held"), 7);

  const Outcome approved = world.Run({"guard", "approve", StringMember(holds.at(0), "digest")});
  EXPECT_EQ(approved.exit_code, 0) << approved.err;
  world.Eventually("removed", [&] { return world.Members(kPayments, "roles/viewer").size() == 2; });
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_TRUE(world.RunJson({"guard"}).at("holds").empty());
}

TEST(Guard, ManifestsThatComeBackWithdrawTheHold) {
  World world(kSeed, "guard: {maxRemovedGrants: 3}\n");
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", Users(8)));
  world.dir().Write("manifests/b.yaml", Binding("editors", "roles/editor", "[user:e@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers") && world.IsReady("editors"); });
  world.dir().Remove("manifests/a.yaml");
  world.Eventually("held", [&] { return world.Reason("viewers") == "GuardHeld"; });
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", Users(8)));
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Members(kPayments, "roles/viewer").size(), 8U);
  EXPECT_TRUE(world.RunJson({"guard"}).at("holds").empty());
}

TEST(Guard, ARollbackBringsTheForeignPolicyBackAndSuspends) {
  World world(kSeed, "reconcile: {interval: 1s}\n");
  world.SetPolicy(kPayments, Holders("roles/editor", {"user:old@example.com"}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  const Json revisions = world.RunJson({"history", "viewers"}).at("revisions");
  const std::string foreign = revisions.at(0).at("id").dump();
  const Outcome rolled = world.Run({"rollback", "viewers", foreign, "--yes"});
  EXPECT_EQ(rolled.exit_code, 0) << rolled.err;
  EXPECT_THAT(rolled.out, HasSubstr("bindery resume viewers"));
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:old@example.com"));
  EXPECT_EQ(world.Reason("viewers"), "Suspended");
  const Json after = world.RunJson({"history", "viewers"}).at("revisions");
  EXPECT_EQ(after.at(after.size() - 1).at("origin"), "rollback");
  EXPECT_EQ(world.Run({"resume", "viewers"}).exit_code, 0);
  world.Eventually("enforced", [&] { return world.Members(kPayments, "roles/editor").empty(); });
}

}  // namespace
}  // namespace bindery::testing
