// One binding per role: two manifests for one role on one target are never both written.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RoleConflict, WithoutAnIncumbentNeitherIsWrittenAndEachNamesTheOther) {
  World world(kSeed);
  world.SetPolicy(kPayments, Holders("roles/viewer", {"user:old@example.com"}));
  world.dir().Write("manifests/one.yaml", Binding("one", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("manifests/two.yaml",
                    "# moved down\n" + Binding("two", "roles/viewer", "[user:bob@example.com]"));
  world.ResetRequests();
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 2);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:old@example.com"));
  const Json resources = world.RunJson({"get"}).at("resources");
  ASSERT_EQ(resources.size(), 2U);
  EXPECT_EQ(resources.at(0).at("status").at("reason"), "RoleConflict");
  EXPECT_EQ(resources.at(1).at("status").at("reason"), "RoleConflict");
  EXPECT_THAT(StringMember(resources.at(0).at("status"), "message"), HasSubstr("two.yaml:2"));
  EXPECT_THAT(StringMember(resources.at(1).at("status"), "message"), HasSubstr("one.yaml:1"));
}

TEST(RoleConflict, TheIncumbentStaysInForce) {
  World world(kSeed, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/one.yaml", Binding("one", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("one"); });
  world.dir().Write("manifests/two.yaml", Binding("two", "roles/viewer", "[user:bob@example.com]"));
  world.Eventually("both stalled", [&] {
    return world.Reason("one") == "RoleConflict" && world.Reason("two") == "RoleConflict";
  });
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  // In force means enforced: what somebody changes is still repaired.
  world.SetPolicy(kPayments, Json::array());
  world.Eventually("repaired",
                   [&] { return world.Members(kPayments, "roles/viewer").size() == 1; });
  world.dir().Remove("manifests/two.yaml");
  world.Eventually("resolved", [&] { return world.IsReady("one"); });
}

TEST(RoleConflict, ValidateFindsItOffline) {
  World world(kSeed);
  world.dir().Write("manifests/one.yaml", Binding("one", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("manifests/two.yaml", Binding("two", "roles/viewer", "[user:bob@example.com]"));
  const Outcome validated = world.Run({"validate"});
  EXPECT_EQ(validated.exit_code, 1);
  EXPECT_THAT(validated.out, HasSubstr("one.yaml:1:1: role \"roles/viewer\" on"));
  EXPECT_THAT(validated.out, HasSubstr("is also declared by \"two\" (two.yaml:1)"));
  const Json report = world.RunJson({"validate"});
  EXPECT_EQ(report.at("valid"), false);
  EXPECT_EQ(report.at("problems").at(0).at("code"), "RoleConflict");
  EXPECT_EQ(world.Requests().at("total"), 0);
}

}  // namespace
}  // namespace bindery::testing
