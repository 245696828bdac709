// Manifests that know of each other, and resource options, with the program and files.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kSeedWithUser = R"(
authorizationPolicies:
  - projects/acme/locations/global/authorizationPolicies/payments
  - projects/acme/locations/global/authorizationPolicies/orders
managementServers: [projects/acme/locations/eu/managementServers/main]
users:
  - {id: 1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001, handle: ana@example.com,
     orgId: 4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001}
)";

constexpr const char* kOrders = "projects/acme/locations/global/authorizationPolicies/orders";

constexpr const char* kMe = R"(
apiVersion: monitoring
kind: getCurrentUser
metadata: {name: me}
)";

constexpr const char* kEveryone = R"(
apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: dashboard:abc-def-ghi
  bindings:
    - {relation: viewer, principals: ["org:${me.orgId}"]}
    - {relation: editor, principals: ["user:${me.id}"]}
)";

TEST(References, ALookupFeedsAPolicy) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/board.yaml", kEveryone);
  world.dir().Write("manifests/me.yaml", kMe);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const HttpResult stored = world.Cloud("GET", "/api/v2/restriction_policy/dashboard:abc-def-ghi");
  EXPECT_THAT(stored.body, AllOf(HasSubstr("org:4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001"),
                                 HasSubstr("user:1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001")));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST(References, WithoutALookupThatWorksThePolicyIsLeftAlone) {
  World world(kSeedWithUser, "reconcile: {interval: 1s}\n");
  world.SetFaults(*ParseJson(R"([{"operation": "*urrent*ser*", "status": 403}])"));
  world.dir().Write("manifests/board.yaml", kEveryone);
  world.dir().Write("manifests/me.yaml", kMe);
  world.StartDaemon();
  world.Eventually("it waits", [&] { return world.Reason("board") == "DependencyNotReady"; });
  const Json plan = world.RunJson({"plan"});
  EXPECT_EQ(plan.at("waiting").at(0).at("resource"), "board");
  world.SetFaults(Json::array());
  world.Eventually("both ready", [&] { return world.IsReady("me") && world.IsReady("board"); });
}

TEST(References, AFirstPlanReadsWhatTheyNeed) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/board.yaml", kEveryone);
  world.dir().Write("manifests/me.yaml", kMe);
  // It waits for one that waits itself.
  world.dir().Write(
      "manifests/same.yaml",
      "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: same}\n"
      "spec: {resourceId: \"dashboard:xyz-xyz-xyz\", bindings: \"${board.bindings}\"}\n");
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 1) << plan.err;
  EXPECT_THAT(plan.out, AllOf(HasSubstr("org:4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001 gains viewer on "
                                        "dashboard:abc-def-ghi"),
                              HasSubstr("gains viewer on dashboard:xyz-xyz-xyz"),
                              HasSubstr("Plan: 4 grants to add, 0 to remove, on 2 targets.\n")));
  const Json alone = world.RunJson({"plan", "board"});
  EXPECT_EQ(alone.at("summary").at("adds"), 2);
  EXPECT_EQ(alone.at("changes").size(), 1U);
  world.SetFaults(*ParseJson(R"([{"operation": "*urrent*ser*", "status": 403}])"));
  const Outcome waiting = world.Run({"plan"});
  EXPECT_EQ(waiting.exit_code, 2);
  EXPECT_THAT(waiting.out, AllOf(HasSubstr("Nothing could be read.\n2 manifests wait for values "
                                           "that are not known yet.\n1 target could not be read."),
                                 Not(HasSubstr("No changes"))));
}

TEST(References, AFirstPlanTellsOfWhatNobodyDeclaresOnceAllIsResolved) {
  World world(kSeedWithUser);
  world.SetPolicy(kPayments, Holders("roles/owner", {"user:eve@example.com"}));
  world.dir().Write("manifests/plain.yaml",
                    Binding("plain", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("manifests/me.yaml", kMe);
  // Until the lookup is read nobody knows whether this is about the owner as well.
  world.dir().Write("manifests/own.yaml",
                    "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: own}\n"
                    "spec:\n  resourceId: \"notebook:${me.id}\"\n"
                    "  bindings: [{relation: editor, principals: [\"user:${me.id}\"]}]\n");
  const Outcome plan = world.Run({"plan"});
  EXPECT_THAT(plan.out, AllOf(HasSubstr("user:eve@example.com loses roles/owner"),
                              HasSubstr("Plan: 2 grants to add, 1 to remove, on 2 targets.\n")))
      << plan.err;
}

TEST(References, WhatDoesNotFitIsToldAtItsPlaceOnce) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/me.yaml", kMe);
  world.dir().Write("manifests/a.yaml", Binding("a", "\"${me.handle}\"", "[user:a@example.com]"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0) << "only the value tells";
  const Outcome plan = world.Run({"plan"});
  EXPECT_THAT(plan.err, HasSubstr("a.yaml:6:10: spec.role: \"ana@example.com\" is not a role"));
  EXPECT_THAT(plan.err, Not(HasSubstr("a.yaml:1:1")));
}

TEST(References, OfOneFileAreJudgedWithTheRestOfTheDirectory) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/me.yaml", kMe);
  world.dir().Write("manifests/teams/board.yaml", kEveryone);
  world.dir().Write("manifests/bad.yaml", Binding("bad", "roles/viewer", "[\"user:${mee.id}\"]"));
  const std::string file = world.dir() / "manifests/teams/board.yaml";
  const Outcome one = world.Run({"validate", file});
  EXPECT_EQ(one.exit_code, 0) << one.out;
  EXPECT_EQ(world.RunJson({"validate", file}).at("manifests"), 1);
  EXPECT_EQ(world.Run({"validate", world.dir() / "manifests/teams"}).exit_code, 0);
  EXPECT_EQ(world.Run({"validate", world.dir() / "manifests"}).exit_code, 1);
  const Json bad = world.RunJson({"validate", world.dir() / "manifests/bad.yaml", file});
  ASSERT_EQ(bad.at("problems").size(), 1U) << bad.dump(2);
  EXPECT_THAT(StringMember(bad.at("problems").at(0), "message"), HasSubstr("did you mean \"me\"?"));
  world.dir().Write("elsewhere.yaml", kEveryone);
  EXPECT_EQ(world.Run({"validate", world.dir() / "elsewhere.yaml"}).exit_code, 1);
}

TEST(Options, AProviderThatDoesNotServeIsToldAtItsPlace) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/me.yaml", std::string(kMe) + "options: {provider: nowhere}\n");
  world.dir().Write("manifests/a.yaml", Binding("a", "roles/viewer", "[\"user:${me.handle}\"]",
                                                "options:\n  provider: monitoring\n"));
  const Outcome validated = world.Run({"validate"});
  EXPECT_EQ(validated.exit_code, 1);
  EXPECT_THAT(validated.out, AllOf(HasSubstr("me.yaml:5:21: options.provider: the configuration "
                                             "has no provider \"nowhere\""),
                                   HasSubstr("a.yaml:9:13: options.provider: provider "
                                             "\"monitoring\" is of type monitoring")));
}

TEST(References, WhatCannotBeIsSaidWithPlaceAndSpelling) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/me.yaml", kMe);
  world.dir().Write("manifests/a.yaml", Binding("a", "roles/viewer", "[\"user:${mee.handle}\"]"));
  world.dir().Write("manifests/b.yaml", Binding("b", "roles/editor", "[\"user:${me.handel}\"]"));
  world.dir().Write("manifests/c.yaml", Binding("c", "roles/owner", "[\"user:${d.etag}\"]"));
  world.dir().Write("manifests/d.yaml", Binding("d", "roles/browser", "[user:ana@example.com]",
                                                "options: {dependsOn: [c]}\n"));
  const Outcome validated = world.Run({"validate"});
  EXPECT_EQ(validated.exit_code, 1);
  EXPECT_THAT(validated.out, AllOf(HasSubstr("a.yaml:7:"), HasSubstr("did you mean \"me\"?"),
                                   HasSubstr("b.yaml:7:"), HasSubstr("did you mean \"handle\"?"),
                                   HasSubstr("c -> d -> c")));
}

TEST(References, AreAllCheckedWhereAnotherTextIsBroken) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/me.yaml", kMe);
  world.dir().Write("manifests/a.yaml",
                    Binding("a", "\"${viewers.members}\"",
                            "[\"${}\", \"user:${me.handel}\", \"user:${viewers.members[1]}\"]"));
  world.dir().Write("manifests/v.yaml",
                    Binding("viewers", "roles/editor", "[user:ana@example.com]"));
  EXPECT_THAT(world.Run({"validate"}).out,
              AllOf(HasSubstr("a.yaml:6:10: spec.role: ${viewers.members} is a list: expected a "
                              "string"),
                    HasSubstr("a.yaml:7:14: spec.members[0]: the reference is empty"),
                    HasSubstr("a.yaml:7:26: spec.members[1]: ${me.handel}: unknown field"),
                    HasSubstr("\"viewers\" (v.yaml:1) does not declare \"members[1]\": there is 1 "
                              "item")));
}

TEST(Options, ARenameWithAnAliasIsNoDeletion) {
  World world(kSeedWithUser);
  world.dir().Write("manifests/old.yaml", Binding("old", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("old"); });
  world.ResetRequests();
  world.dir().Remove("manifests/old.yaml");
  world.dir().Write("manifests/new.yaml", Binding("new", "roles/viewer", "[user:ana@example.com]",
                                                  "options: {aliases: [old]}\n"));
  world.Eventually("renamed", [&] { return world.IsReady("new"); });
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_EQ(world.Status("old"), Json::object());
  EXPECT_THAT(world.Run({"events", "new"}).out, HasSubstr("Renamed"));
}

TEST(Options, ImportTakesOverWhatIsThereAndNothingElse) {
  World world(kSeedWithUser);
  world.SetPolicy(kPayments, Holders("roles/viewer", {"user:ana@example.com"}));
  const std::string option = "options: {import: \"" + std::string(kPayments) + " roles/viewer\"}\n";
  world.dir().Write("manifests/m.yaml",
                    Binding("m", "roles/viewer", "[user:bob@example.com]", option));
  world.ResetRequests();
  world.StartDaemon();
  world.Eventually("refused", [&] { return world.Reason("m") == "ImportMismatch"; });
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  world.dir().Write("manifests/m.yaml",
                    Binding("m", "roles/viewer", "[user:ana@example.com]", option));
  world.Eventually("adopted", [&] { return world.IsReady("m"); });
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
}

TEST(Options, IgnoredMembersStayAsSomebodySetThem) {
  World world(kSeedWithUser, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/m.yaml", Binding("m", "roles/viewer", "[user:ana@example.com]",
                                                "options: {ignoreChanges: [members]}\n"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("m"); });
  world.SetPolicy(kPayments, Holders("roles/viewer", {"user:bob@example.com"}));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:bob@example.com"));
}

TEST(Options, AMoveToAnotherTargetGrantsThereBeforeItTakesAwayHere) {
  World world(kSeedWithUser, "reconcile: {interval: 1s}\n");
  const std::string here = Binding("m", "roles/viewer", "[user:ana@example.com]");
  world.dir().Write("manifests/m.yaml", here);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("m"); });
  world.SetFaults(*ParseJson(
      R"([{"operation": "networksecurity.setIamPolicy", "target": "*orders", "status": 403}])"));
  std::string there = here;
  there.replace(there.find(kPayments), std::string(kPayments).size(), kOrders);
  world.dir().Write("manifests/m.yaml", there);
  world.Eventually("refused", [&] { return world.Reason("m") == "PERMISSION_DENIED"; });
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  world.SetFaults(Json::array());
  world.Eventually("moved", [&] {
    return world.IsReady("m") && world.Members(kPayments, "roles/viewer").empty();
  });
  EXPECT_THAT(world.Members(kOrders, "roles/viewer"), ElementsAre("user:ana@example.com"));
}

TEST(Options, WhatOthersDependOnIsRemovedLast) {
  World world(kSeedWithUser, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/base.yaml",
                    Binding("base", "roles/viewer", "[user:ana@example.com]"));
  std::string top =
      Binding("top", "roles/viewer", "[user:bob@example.com]", "options: {dependsOn: [base]}\n");
  top.replace(top.find(kPayments), std::string(kPayments).size(), kOrders);
  world.dir().Write("manifests/top.yaml", top);
  world.dir().Write("manifests/stays.yaml",
                    Binding("stays", "roles/editor", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("base") && world.IsReady("top"); });
  world.SetFaults(*ParseJson(
      R"([{"operation": "networksecurity.setIamPolicy", "target": "*orders", "status": 403}])"));
  world.dir().Remove("manifests/base.yaml");
  world.dir().Remove("manifests/top.yaml");
  world.Eventually("refused", [&] { return world.Reason("top") == "PERMISSION_DENIED"; });
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  world.SetFaults(Json::array());
  world.Eventually("gone",
                   [&] { return world.Status("base").empty() && world.Status("top").empty(); });
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), IsEmpty());
}

}  // namespace
}  // namespace bindery::testing
