// Adopting what exists: manifests whose next plan is empty.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kIam = "cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding";
constexpr const char* kServer = "cloudnative:backupdr/v1:ManagementServerIamBinding";
constexpr const char* kPolicy = "monitoring:index/restrictionPolicy:RestrictionPolicy";
constexpr const char* kEscapedBoard = "/api/v2/restriction_policy/dashboard%3Aabc-def-ghi";

class Import : public ::testing::Test {
 protected:
  Import() {
    world.SetPolicy(kPayments,
                    Json::array({{{"role", "roles/b.viewer"},
                                  {"members", {"user:Zoe@x.org", "group:sre@x.org"}},
                                  {"condition",
                                   {{"title", "\"quoted\": ${x} # \xC3\xA9"},
                                    {"expression", "request.time < timestamp(\"2027-06-01\")"},
                                    {"description", "yes"}}}},
                                 {{"role", "roles/owner"}, {"members", {"user:bob@x.org"}}}}));
    world.SetPolicy(kBackup, Holders("roles/backupdr.user", {"domain:x.org"}));
    const Json board = {
        {"data",
         {{"type", "restriction_policy"},
          {"id", "dashboard:abc-def-ghi"},
          {"attributes",
           {{"bindings", {{{"relation", "editor"}, {"principals", {"role:r2", "role:r1"}}}}}}}}}};
    EXPECT_EQ(world.Cloud("POST", kEscapedBoard, board.dump()).status, 200);
  }
  /// As if what was imported had been in force for long.
  [[nodiscard]] Outcome Plan() const {
    return world.Run({"plan", "--base", world.dir() / "manifests"});
  }
  [[nodiscard]] std::ptrdiff_t Files() const {
    return std::distance(std::filesystem::directory_iterator(world.dir() / "manifests"), {});
  }

  World world{kSeed};
};

TEST_F(Import, OfEveryKindLeavesThePlanEmpty) {
  EXPECT_EQ(world.Run({"import", kPolicy, "my-policy", "dashboard:abc-def-ghi"}).exit_code, 0);
  EXPECT_EQ(world.Run({"import", kServer, "backup", std::string(kBackup) + " roles/backupdr.user"})
                .exit_code,
            0);
  const Outcome iam = world.Run({"import", kIam, "payments", kPayments, "--protect"});
  EXPECT_EQ(iam.exit_code, 0) << iam.err;
  EXPECT_THAT(iam.out, HasSubstr("payments.yaml: 2 manifests\n"));
  EXPECT_THAT(iam.out, HasSubstr("payments-b-viewer: "));
  const Outcome plan = Plan();
  EXPECT_EQ(plan.exit_code, 0) << plan.out << plan.err
                               << world.dir().Read("manifests/payments.yaml");
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 1) << "only the test's own";
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 1);
  EXPECT_EQ(world.Count("restrictionPolicy.post"), 1);
  EXPECT_EQ(world.dir().Read("manifests/my-policy.yaml"),
            "# Imported: dashboard:abc-def-ghi\n"
            "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata:\n  name: my-policy\n"
            "spec:\n  resourceId: dashboard:abc-def-ghi\n  bindings:\n    - relation: editor\n"
            "      principals:\n        - role:r1\n        - role:r2\n");
}

TEST_F(Import, OverwritesNothingAndDeclaresNothingTwice) {
  ASSERT_EQ(world.Run({"import", kPolicy, "board", "dashboard:abc-def-ghi"}).exit_code, 0);
  const std::string text = world.dir().Read("manifests/board.yaml");
  struct Case {
    std::vector<std::string> arguments;
    const char* told;
  };
  const std::vector<Case> cases = {
      {{"import", kPolicy, "board", "dashboard:abc-def-ghi"}, "board.yaml\" exists already"},
      {{"import", kPolicy, "board", "dashboard:abc-def-ghi", "--file", "other.yaml"},
       "there is a manifest \"board\" (board.yaml:2)"},
      {{"import", kPolicy, "other", "dashboard:abc-def-ghi"},
       "dashboard:abc-def-ghi is declared by \"board\" (board.yaml:2)"},
      {{"import", kPolicy, "Bad_Name", "dashboard:x"}, "must consist of lower-case letters"},
      {{"import", kPolicy, "out", "dashboard:abc-def-ghi", "--file", "../out.yaml"},
       "is not in the manifests directory"},
      {{"import", kPolicy, "out", "dashboard:abc-def-ghi", "--file", "out.txt"}, "end it in .yaml"},
      {{"import", kPolicy, "open", "dashboard:zzz-zzz-zzz"},
       "open to everyone in the organization"},
      {{"import", kIam, "gone", "locations/global/authorizationPolicies/gone"}, "NOT_FOUND"},
      {{"import", kIam, "nobody", std::string(kPayments) + " roles/none"},
       "nobody holds roles/none"},
      // The next pass would take the other role away.
      {{"import", kIam, "half", std::string(kPayments) + " roles/owner"},
       "the next pass would remove roles/b.viewer from"},
      {{"import", kIam, "what", "what"}, "is not a resource name"},
      {{"import", "monitoring:Restriction", "a", "b"}, "no kind \"monitoring:Restriction\""},
      {{"import", kIam, "none"}, "name one ID"},
  };
  for (const Case& one : cases) {
    const Outcome refused = world.Run(one.arguments);
    EXPECT_EQ(refused.exit_code, 2) << one.told;
    EXPECT_THAT(refused.err, HasSubstr(one.told));
    EXPECT_EQ(refused.out, "");
  }
  EXPECT_EQ(world.dir().Read("manifests/board.yaml"), text);
  EXPECT_EQ(Files(), 1);
}

TEST_F(Import, OfAListIsAllOrNothing) {
  world.dir().Write("ids", "# a project's worth\n" + std::string(kPayments) +
                               "\n\nlocations/global/authorizationPolicies/gone\nnonsense\n");
  const Outcome failed = world.Run({"import", kIam, "all", "--all", world.dir() / "ids"});
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_THAT(failed.err, HasSubstr("authorizationPolicies/gone: NOT_FOUND"));
  EXPECT_THAT(failed.err, HasSubstr("nonsense: INVALID_ARGUMENT"));
  EXPECT_EQ(Files(), 0);
  world.dir().Write("ids", std::string(kPayments) + "\n" + kPayments + " roles/owner\n");
  const Json made = world.RunJson({"import", kIam, "all", "--all", world.dir() / "ids"});
  ASSERT_EQ(made.at("manifests").size(), 2U);
  EXPECT_EQ(made.at("manifests").at(0).at("name"), "all-payments-b-viewer");
  EXPECT_EQ(made.at("manifests").at(1).at("name"), "all-payments-owner");
  EXPECT_EQ(Plan().exit_code, 0);
}

TEST_F(Import, OfAListPassesOverWhereNobodyHoldsARole) {
  world.SetPolicy(kPayments, Json::array());
  world.dir().Write("ids", std::string(kPayments) + "\n");
  const Outcome nothing = world.Run({"import", kIam, "all", "--all", world.dir() / "ids"});
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_THAT(nothing.err, HasSubstr("is passed over: there is nothing to import"));
  EXPECT_EQ(Files(), 0);
  world.dir().Write("ids", "dashboard:zzz-zzz-zzz\ndashboard:abc-def-ghi\n");
  const Outcome one = world.Run({"import", kPolicy, "all", "--all", world.dir() / "ids"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.err, HasSubstr("note: dashboard:zzz-zzz-zzz is passed over"));
  EXPECT_THAT(one.out, HasSubstr("all.yaml: 1 manifest\n"));
}

TEST_F(Import, OfAListKeepsGoingWhenAsked) {
  world.dir().Write(
      "ids", "locations/global/authorizationPolicies/gone\n" + std::string(kPayments) + "\n");
  const Outcome made =
      world.Run({"import", kIam, "all", "--all", world.dir() / "ids", "--keep-going"});
  EXPECT_EQ(made.exit_code, 2);
  EXPECT_THAT(made.err, HasSubstr("authorizationPolicies/gone: NOT_FOUND"));
  EXPECT_THAT(made.out, HasSubstr("all.yaml: 2 manifests\n"));
  EXPECT_EQ(Plan().exit_code, 0);
}

TEST_F(Import, ThatKeepsGoingTakesOverATargetWhollyOrNotAtAll) {
  world.SetPolicy(kPayments,
                  Json::array({{{"role", "roles/b"}, {"members", {"user:a@x.org"}}},
                               {{"role", "roles/c"}, {"members", {"user:a@x.org"}}},
                               {{"role", "roles/c"},
                                {"members", {"user:b@x.org"}},
                                {"condition", {{"title", ""}, {"expression", "true"}}}}}));
  world.dir().Write("ids", std::string(kPayments) + "\n");
  const Outcome made =
      world.Run({"import", kIam, "all", "--all", world.dir() / "ids", "--keep-going"});
  EXPECT_EQ(made.exit_code, 2);
  EXPECT_THAT(made.err, HasSubstr("the next pass would remove roles/c from"));
  EXPECT_EQ(Files(), 0);
}

/// A role that is held without a condition and under one.
Json TwoConditions() {
  return Json::array({{{"role", "roles/c"}, {"members", {"user:a@x.org", "user:b@x.org"}}},
                      {{"role", "roles/c"},
                       {"members", {"user:b@x.org", "user:c@x.org"}},
                       {"condition",
                        {{"title", "week"},
                         {"expression", "request.time < timestamp(\"2090-01-01T00:00:00Z\")"}}}}});
}

TEST_F(Import, OfARoleUnderTwoConditionsIsAManifestForEachMember) {
  world.SetPolicy(kPayments, TwoConditions());
  for (const std::string& id : {std::string(kPayments), std::string(kPayments) + " roles/c"}) {
    const Outcome made = world.Run({"import", kIam, "all", id});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr("roles/c is held under several conditions: it is imported as 4 "
                                    "manifests of the kind AuthorizationPolicyIamMember"));
    EXPECT_THAT(made.err, HasSubstr("reconcile.bindingKey: roleAndCondition"));
    const Outcome plan = Plan();
    EXPECT_EQ(plan.exit_code, 0) << plan.out << world.dir().Read("manifests/all.yaml");
    std::filesystem::remove(world.dir() / "manifests/all.yaml");
  }
}

TEST_F(Import, OfARoleUnderTwoConditionsIsABindingForEachWhereTheKeyAllowsIt) {
  world.SetPolicy(kPayments, TwoConditions());
  world.Configure("reconcile: {bindingKey: roleAndCondition}\n");
  const Outcome made = world.Run({"import", kIam, "all", kPayments});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("all.yaml: 2 manifests\n"));
  const Outcome plan = Plan();
  EXPECT_EQ(plan.exit_code, 0) << plan.out << world.dir().Read("manifests/all.yaml");
}

TEST_F(Import, MakesTheFoldersItNeedsBelowTheDirectory) {
  ASSERT_EQ(world
                .Run({"import", kPolicy, "board", "dashboard:abc-def-ghi", "--file",
                      "teams/boards/b.yaml"})
                .exit_code,
            0);
  EXPECT_THAT(world.dir().Read("manifests/teams/boards/b.yaml"), HasSubstr("name: board"));
  std::filesystem::create_directory_symlink(world.dir().path(), world.dir() / "manifests/out");
  const Outcome out =
      world.Run({"import", kServer, "backup", kBackup, "--file", "out/backup.yaml"});
  EXPECT_EQ(out.exit_code, 2);
  EXPECT_THAT(out.err, HasSubstr("leads out of the manifests directory"));
}

TEST_F(Import, ToStandardOutputIsJsonWhenAsked) {
  const Json made =
      world.RunJson({"import", kPolicy, "board", "dashboard:abc-def-ghi", "--stdout"});
  EXPECT_EQ(made.at("manifests").at(0).at("metadata").at("name"), "board");
  EXPECT_EQ(Files(), 0);
}

TEST_F(Import, ToStandardOutputSaysWhatTheManifestsReplace) {
  const Outcome printed = world.Run({"import", kServer, "backup", kBackup, "--stdout"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_THAT(printed.err, HasSubstr("note: each manifest of the kind"));
  EXPECT_THAT(printed.out, Not(HasSubstr("note: ")));
}

TEST_F(Import, TheNameOfAMemberTellsItsConditionOnlyIfItHasOne) {
  const Outcome printed =
      world.Run({"import", "cloudnative:networksecurity/v1:AuthorizationPolicyIamMember", "imp",
                 kPayments, "--stdout"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("  name: imp-owner-user-bob-x-org\n"));
  EXPECT_THAT(printed.out, HasSubstr("  name: imp-b-viewer-group-sre-x-org-if-quoted-x\n"));
}

TEST_F(Import, AGenericKindIsThatOfTheResourceThatIsNamedInFull) {
  const std::string full = "//networksecurity.googleapis.com/" + std::string(kPayments);
  const Outcome made = world.Run({"import", "cloudnative:iam:IamBinding", "payments", full});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("payments.yaml: 2 manifests\n"));
  EXPECT_EQ(
      world.RunJson({"lookup", "google-native:iam:IamBinding", full + " roles/owner"}).at("kind"),
      "AuthorizationPolicyIamBinding");
  EXPECT_EQ(world.RunJson({"schema", "cloudnative:iam:IamMember"}).at("title"), "IamMember");
  for (const char* id : {kPayments, "//example.com/projects/p/topics/t"}) {
    const Outcome refused = world.Run({"import", "cloudnative:iam:IamBinding", "other", id});
    EXPECT_EQ(refused.exit_code, 2) << id;
    EXPECT_THAT(refused.err, HasSubstr("begin the ID with //HOST/NAME"));
  }
}

TEST_F(Import, ToStandardOutputWritesNoFile) {
  const Outcome shown =
      world.Run({"import", kIam, "half", std::string(kPayments) + " roles/owner", "--stdout"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("role: roles/owner\n"));
  EXPECT_THAT(shown.err, HasSubstr("warning: the next pass would remove roles/b.viewer"));
  EXPECT_EQ(Files(), 0);
}

TEST_F(Import, ARoleAtATimeIsFineWhereOthersAreKept) {
  world.Configure("reconcile: {undeclaredRoles: keep}\n");
  EXPECT_EQ(world.Run({"import", kIam, "half", std::string(kPayments) + " roles/owner"}).exit_code,
            0);
  EXPECT_EQ(Plan().exit_code, 0);
}

TEST_F(Import, WhatNoManifestCanDeclareIsRefused) {
  world.SetPolicy(kPayments,
                  Json::array({{{"role", "roles/b"},
                                {"members", {"user:a@x.org"}},
                                {"condition", {{"title", ""}, {"expression", "true"}}}}}));
  const Outcome refused = world.Run({"import", kIam, "untitled", kPayments});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("FAILED_PRECONDITION: "));
  EXPECT_THAT(refused.err, HasSubstr("without a title"));
}

TEST_F(Import, RemovingAnImportedRestrictionPolicyIsSaidToOpenIt) {
  ASSERT_EQ(world.Run({"import", kPolicy, "board", "dashboard:abc-def-ghi"}).exit_code, 0);
  world.dir().Write("manifests/other.yaml", Binding("viewers", "roles/b.viewer", "[user:a@x.org]"));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const std::string opens = "this opens dashboard:abc-def-ghi to everyone in the organization";
  const auto warning = [&] {
    const Json plan = world.RunJson({"plan"});
    for (const Json& change : plan.at("changes")) {
      if (change.at("kind") == "RestrictionPolicy") return StringMember(change, "warning");
    }
    return std::string("no change");
  };
  EXPECT_EQ(warning(), "");
  world.dir().Write("manifests/board.yaml",
                    "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: board}\n"
                    "spec: {resourceId: \"dashboard:abc-def-ghi\", bindings: []}\n");
  EXPECT_EQ(warning(), opens);
  std::filesystem::remove(world.dir() / "manifests/board.yaml");
  EXPECT_EQ(warning(), opens);
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr(opens));
}

/// The arguments of an import in which all of the topics have the same policy.
std::vector<std::string> ImportOfTopics(const World& world, const std::vector<std::string>& names) {
  world.dir().Write("p.json",
                    R"({"bindings": [{"role": "roles/viewer", "members": ["user:a@x.org"]}]})");
  std::vector<std::string> arguments = {"import"};
  for (const std::string& name : names) {
    arguments.insert(arguments.end(), {"--policies", "//pubsub.googleapis.com/projects/" + name +
                                                         "=" + (world.dir() / "p.json")});
  }
  return arguments;
}

TEST_F(Import, OfARepeatedNumberOfAProjectLeavesTheNumberOut) {
  world.SetFaults(Json::parse(R"([{"operation": "cloudresourcemanager.get", "status": 403}])"));
  const std::string by_number = "999000999000/topics/t";
  const std::string by_id = "unknown/topics/t";
  for (const std::vector<std::string>& names :
       {std::vector{by_number, by_number, by_id}, std::vector{by_id, by_number, by_number},
        std::vector{by_number, by_id, by_number, by_id}}) {
    const Outcome made = world.Run(ImportOfTopics(world, names));
    EXPECT_EQ(made.exit_code, 1) << made.out << made.err;
    EXPECT_THAT(made.out, HasSubstr("1 manifest in 1 new file"));
    EXPECT_THAT(made.out, HasSubstr("left out of projects/999000999000/topics/t: may be the same "
                                    "policy as that of projects/unknown/topics/t"));
    EXPECT_THAT(world.dir().Read("manifests/unknown/pubsub-topic/t.yaml"),
                HasSubstr("name: projects/unknown/topics/t\n"));
    std::filesystem::remove_all(world.dir() / "manifests/unknown");
  }
}

TEST_F(Import, WritesAllThatFitsBesideTakenNamesAndElseNothing) {
  for (const char* taken : {"t0", "t1"}) {
    world.dir().Write("manifests/p/pubsub-topic/" + std::string(taken) + ".yaml", "# Taken.\n");
  }
  const auto files = [&] {
    return std::distance(
        std::filesystem::directory_iterator(world.dir() / "manifests/p/pubsub-topic"), {});
  };
  const auto import = [&](const char* most) {
    world.SetEnvironment("BINDERY_MANIFESTS_MAX_FILES", most);
    return world.Run(
        ImportOfTopics(world, {"p/topics/t0", "p/topics/t1", "p/topics/t2", "p/topics/t3"}));
  };
  const Outcome refused = import("5");
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("more files than manifests.maxFiles (5)"));
  EXPECT_EQ(files(), 2);
  const Outcome made = import("6");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("4 manifests in 4 new files"));
  EXPECT_EQ(files(), 6);
  EXPECT_EQ(world.dir().Read("manifests/p/pubsub-topic/t1.yaml"), "# Taken.\n");
  EXPECT_THAT(world.dir().Read("manifests/p/pubsub-topic/t1-2.yaml"),
              HasSubstr("name: projects/p/topics/t1\n"));
}

}  // namespace
}  // namespace bindery::testing
