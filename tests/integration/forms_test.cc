// What the service makes of what it is asked for: other names of principals, and deleted principals
// that are left in policies.

#include <filesystem>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kAcme = "projects/acme";
constexpr const char* kPublishing = "roles/pubsub.publisher";
constexpr const char* kSubscribing = "roles/pubsub.subscriber";
constexpr const char* kApp = "serviceAccount:app@acme.iam.gserviceaccount.com";
constexpr const char* kDeletedApp =
    "deleted:serviceAccount:app@acme.iam.gserviceaccount.com?uid=111";
constexpr const char* kSetPolicy = "cloudresourcemanager.setIamPolicy";
constexpr const char* kGetPolicy = "cloudresourcemanager.getIamPolicy";

/// Where the account was deleted and created anew; `principals`: a section of the seed.
std::string SeedWithTombstone(const std::string& tombstone = kDeletedApp,
                              const std::string& principals = "") {
  return std::string(R"(
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - {role: roles/owner, members: ["user:root@example.com"]}
      - {role: roles/pubsub.publisher, members: [")") +
         tombstone + R"(", "user:ana@example.com"]}
serviceAccounts:
  - {email: app@acme.iam.gserviceaccount.com, project: acme, uniqueId: "222222222222222222222"}
)" + principals;
}

std::string Project(const std::string& shape, const std::string& name, const std::string& fields) {
  return "apiVersion: cloudnative:cloudresourcemanager/v3\nkind: Project" + shape +
         "\nmetadata: {name: " + name + "}\nspec: {name: projects/acme, " + fields + "}\n";
}

std::string Publishers(const std::string& members) {
  return Project("IamBinding", "publishers",
                 "role: roles/pubsub.publisher, members: [" + members + "]");
}

std::string Subscriber(const std::string& member, const std::string& name = "subscriber") {
  return Project("IamMember", name, "role: roles/pubsub.subscriber, member: \"" + member + "\"");
}

class FormsWorld : public World {
 public:
  explicit FormsWorld(const std::string& seed)
      : World(seed, "reconcile: {interval: 1s}\nguard: {holdSeverity: none}\n") {}

  [[nodiscard]] std::vector<std::string> Holders(const std::string& role) const {
    std::vector<std::string> members;
    const Json seed = *ParseJson(Cloud("GET", "/_emulator/seed").body);
    const Json& policy =
        seed.at("iamPolicies").at("//cloudresourcemanager.googleapis.com/projects/acme");
    for (const Json& binding : policy.at("bindings")) {
      if (binding.at("role") != role) continue;
      for (const Json& member : binding.at("members")) members.push_back(member);
    }
    std::sort(members.begin(), members.end());
    return members;
  }
  [[nodiscard]] std::string Message(const std::string& name) const {
    return StringMember(Status(name), "message");
  }
  /// Some checks later, nothing more was written.
  void ExpectNoMoreWrites() const {
    const std::int64_t writes = Count(kSetPolicy);
    const std::int64_t reads = Count(kGetPolicy);
    Eventually("checked again", [&] { return Count(kGetPolicy) > reads + 2; });
    EXPECT_EQ(Count(kSetPolicy), writes);
  }
  [[nodiscard]] std::string EventReasons() const {
    std::string reasons;
    const Json all = RunJson({"events"});
    for (const Json& event : all.at("events")) {
      reasons += StringMember(event, "reason") + " ";
    }
    return reasons;
  }
};

TEST(Forms, AnAccountThatWasCreatedAnewGetsItsRolesBack) {
  FormsWorld world(SeedWithTombstone());
  world.dir().Write("manifests/a.yaml",
                    Publishers("\"" + std::string(kApp) + "\", \"user:ana@example.com\"") +
                        "---\n" + Subscriber(kApp));
  world.StartDaemon();
  world.Eventually("both are in force",
                   [&] { return world.IsReady("publishers") && world.IsReady("subscriber"); });
  EXPECT_THAT(world.Holders(kPublishing), ElementsAre(kApp, "user:ana@example.com"));
  EXPECT_THAT(world.Holders(kSubscribing), ElementsAre(kApp));
  EXPECT_EQ(world.Count(kSetPolicy), 1);
  EXPECT_EQ(world.Run({"drift"}).exit_code, 0);
  world.ExpectNoMoreWrites();
}

TEST(Forms, AnAccountThatDoesNotExistHoldsUpNothingElse) {
  const std::string zoe = "user:zoe@example.com";
  const std::string deleted = "deleted:" + zoe + "?uid=111";
  FormsWorld world(
      SeedWithTombstone(deleted, "principals: [{member: \"" + zoe + "\", state: unknown}]\n"));
  world.dir().Write("manifests/a.yaml",
                    Publishers("\"" + zoe + "\", user:ana@example.com, user:bob@example.com") +
                        "---\n" + Subscriber("user:bob@example.com"));
  world.StartDaemon();
  world.Eventually("the other one is in force", [&] { return world.IsReady("subscriber"); });
  world.Eventually("a person is told",
                   [&] { return world.Reason("publishers") == "PrincipalDeleted"; });
  EXPECT_THAT(world.Message("publishers"), HasSubstr("take it out of the manifest, or restore it"));
  EXPECT_THAT(world.Holders(kPublishing),
              ElementsAre(deleted, "user:ana@example.com", "user:bob@example.com"));
  // It is created anew.
  Json seed = *ParseJson(world.Cloud("GET", "/_emulator/seed").body);
  seed.erase("principals");
  ASSERT_EQ(world.Cloud("PUT", "/_emulator/seed", seed.dump()).status, 200);
  EXPECT_EQ(world.Run({"reconcile", "--now", "publishers"}).exit_code, 0);
  world.Eventually("it has its role back", [&] { return world.IsReady("publishers"); });
  EXPECT_THAT(world.Holders(kPublishing),
              ElementsAre("user:ana@example.com", "user:bob@example.com", zoe));
}

TEST(Forms, ATombstoneIsShownApartAndNoDrift) {
  FormsWorld world(SeedWithTombstone());
  world.dir().Write("manifests/a.yaml", Publishers("\"user:ana@example.com\""));
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("No changes"));
  world.StartDaemon();
  world.Eventually("in force", [&] { return world.IsReady("publishers"); });
  world.ExpectNoMoreWrites();
  EXPECT_EQ(world.Count(kSetPolicy), 0);
  EXPECT_THAT(world.Message("publishers"), HasSubstr("1 deleted principal is left in it"));
  const Json drift = world.RunJson({"drift"});
  EXPECT_THAT(drift.at("items"), IsEmpty());
  EXPECT_EQ(drift.at("summary").at("open"), 0);
  EXPECT_EQ(drift.at("summary").at("notes"), 1);
  ASSERT_EQ(drift.at("notes").size(), 1U);
  EXPECT_EQ(drift.at("notes").at(0).at("class"), "tombstone");
  EXPECT_EQ(drift.at("notes").at(0).at("grant").at("member"), kDeletedApp);
  const Outcome text = world.Run({"drift"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("1 deleted principal is left in policies (no drift)"));
  EXPECT_THAT(world.Run({"drift", "--all"}).out, HasSubstr(kDeletedApp));
  // A write of its role takes it along.
  world.dir().Write("manifests/a.yaml",
                    Publishers("\"user:ana@example.com\", \"user:bob@example.com\""));
  world.Eventually("written", [&] { return world.Count(kSetPolicy) == 1; });
  world.Eventually("in force", [&] { return world.IsReady("publishers"); });
  EXPECT_THAT(world.Holders(kPublishing),
              ElementsAre("user:ana@example.com", "user:bob@example.com"));
  EXPECT_EQ(world.RunJson({"drift"}).at("summary").at("notes"), 0);
}

TEST(Forms, ImportsOfEveryShapeLeaveTombstonesAside) {
  FormsWorld world(SeedWithTombstone());
  const std::string kind = "cloudnative:cloudresourcemanager/v3:Project";
  for (const std::string shape : {"IamBinding", "IamMember", "IamPolicy"}) {
    const Outcome made = world.Run({"import", kind + shape, "all", kAcme});
    EXPECT_EQ(made.exit_code, 0) << shape << made.err;
    EXPECT_THAT(made.err, HasSubstr("1 deleted principal (deleted:…) is left aside")) << shape;
    EXPECT_THAT(world.dir().Read("manifests/all.yaml"), Not(HasSubstr("deleted:")));
    EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("No changes")) << shape;
    std::filesystem::remove(world.dir() / "manifests/all.yaml");
  }
  const Outcome seen =
      world.Run({"lookup", kind + "IamBinding", std::string(kAcme) + " " + kPublishing});
  EXPECT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_THAT(seen.err, HasSubstr("1 deleted principal (deleted:…) is left aside"));
  EXPECT_THAT(seen.out, Not(HasSubstr("deleted:")));
}

class AliasForms : public ::testing::Test {
 protected:
  [[nodiscard]] static std::string Seed() {
    return R"(
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings: [{role: roles/owner, members: ["user:root@example.com"]}]
principals:
  - {member: "user:alias@example.com", storedAs: "user:primary@example.com"}
  - {member: "user:a2@example.com", storedAs: "user:second@example.com"}
)";
  }
  FormsWorld world{Seed()};
};

TEST_F(AliasForms, AnAliasIsWrittenOnceAlsoAfterARestart) {
  world.dir().Write("manifests/a.yaml", Publishers("\"user:alias@example.com\"") + "---\n" +
                                            Subscriber("user:alias@example.com"));
  world.StartDaemon();
  const std::string told =
      "the service stores \"user:alias@example.com\" as \"user:primary@example.com\": write "
      "\"user:primary@example.com\"";
  for (const bool restarted : {false, true}) {
    for (const char* name : {"publishers", "subscriber"}) {
      world.Eventually("in force", [&] { return world.IsReady(name); });
      EXPECT_THAT(world.Message(name), HasSubstr(told)) << restarted;
    }
    world.ExpectNoMoreWrites();
    EXPECT_EQ(world.Count(kSetPolicy), 1);
    world.Kill(SIGKILL);
    world.StartDaemon();
  }
  EXPECT_THAT(world.EventReasons(), Not(HasSubstr("WriteContested")));
  EXPECT_THAT(world.EventReasons(), Not(HasSubstr("Oscillating")));
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << plan.out;
  const Json drift = world.RunJson({"drift"});
  EXPECT_EQ(drift.at("summary").at("open"), 0);
  EXPECT_EQ(drift.at("notes").size(), 2U);
  EXPECT_THAT(world.Run({"explain", "subscriber"}).out, HasSubstr("as user:primary@example.com"));
  // What its writes brought goes with the manifests.
  world.dir().Write("manifests/a.yaml",
                    Project("IamMember", "other", "role: roles/browser, member: \"user:b@x.com\""));
  world.Eventually("gone", [&] {
    return world.Holders(kPublishing).empty() && world.Holders(kSubscribing).empty();
  });
}

TEST_F(AliasForms, OneOfTwoAliasesGoesAlone) {
  world.dir().Write("manifests/a.yaml", Subscriber("user:alias@example.com", "one") + "---\n" +
                                            Subscriber("user:a2@example.com", "two"));
  world.StartDaemon();
  world.Eventually("in force", [&] { return world.IsReady("one") && world.IsReady("two"); });
  world.dir().Write("manifests/a.yaml", Subscriber("user:a2@example.com", "two"));
  world.Eventually("it went", [&] {
    return world.Holders(kSubscribing) == std::vector<std::string>{"user:second@example.com"};
  });
  world.Eventually("in force", [&] { return world.IsReady("two"); });
  world.ExpectNoMoreWrites();
}

TEST(Forms, ATemporaryGrantBesideABindingIsPossibleInTheWayThatTheRefusalNames) {
  FormsWorld world(SeedWithTombstone());
  const std::string week = Project(
      "IamMember", "week",
      "role: roles/pubsub.publisher, member: \"user:eve@example.com\", condition: {title: week, "
      "expression: 'request.time < timestamp(\"2090-01-01T00:00:00Z\")'}");
  world.dir().Write("manifests/a.yaml", Publishers("\"user:ana@example.com\"") + "---\n" + week);
  world.StartDaemon();
  world.Eventually("refused", [&] { return world.Reason("week") == "RoleConflict"; });
  EXPECT_THAT(world.Message("week"), HasSubstr("reconcile.bindingKey: roleAndCondition"));
  world.Configure(
      "reconcile: {interval: 1s, bindingKey: roleAndCondition}\n"
      "guard: {holdSeverity: none}\n");
  world.Signal(SIGHUP);
  world.Eventually("both are in force",
                   [&] { return world.IsReady("publishers") && world.IsReady("week"); });
}

}  // namespace
}  // namespace bindery::testing
