// Single members, whole policies and audit configurations, with the program and files.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kViewer = "roles/networksecurity.viewer";
constexpr const char* kProject = "projects/acme";
constexpr const char* kOpen =
    "reconcile: {interval: 1s, undeclaredRoles: keep, confirmEmptied: 0s}\n"
    "guard: {holdSeverity: none, maxRemovedFraction: 1}\n";

std::string Shape(const std::string& shape, const std::string& name, const std::string& fields,
                  const std::string& options = "") {
  return "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicy" + shape +
         "\nmetadata: {name: " + name + "}\nspec: {name: " + kPayments + ", " + fields + "}\n" +
         options;
}

std::string Member(const std::string& name, const std::string& member,
                   const std::string& rest = "") {
  return Shape("IamMember", name,
               "role: " + std::string(kViewer) + ", member: \"" + member + "\"" + rest);
}

TEST(Shapes, AMemberIsGrantedBesideOthersAndTakesOnlyItsOwnGrant) {
  World world(kSeed, kOpen);
  world.SetPolicy(kPayments, Holders(kViewer, {"user:eve@x.com"}));
  world.dir().Write("manifests/ana.yaml", Member("ana", "user:ana@x.com"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("ana"); });
  EXPECT_THAT(world.Members(kPayments, kViewer), ElementsAre("user:ana@x.com", "user:eve@x.com"));
  world.SetPolicy(kPayments, Holders(kViewer, {"user:eve@x.com"}));
  world.Eventually("it is granted again",
                   [&] { return world.Members(kPayments, kViewer).size() == 2; });
  world.dir().Write("manifests/other.yaml", Binding("other", "roles/editor", "[\"user:b@x.com\"]"));
  std::filesystem::remove(world.dir() / "manifests/ana.yaml");
  world.Eventually("its grant is gone", [&] {
    return world.Members(kPayments, kViewer) == std::vector<std::string>{"user:eve@x.com"};
  });
}

TEST(Shapes, AnAbsentMemberLosesTheRoleAndNobodyElseDoes) {
  World world(kSeed, kOpen);
  world.SetPolicy(kPayments, Holders(kViewer, {"user:bob@x.com", "user:eve@x.com"}));
  world.dir().Write("manifests/eve.yaml", Member("eve", "user:eve@x.com", ", absent: true"));
  world.StartDaemon();
  world.Eventually("she lost it", [&] {
    return world.Members(kPayments, kViewer) == std::vector<std::string>{"user:bob@x.com"};
  });
  world.Eventually("that is as declared", [&] { return world.IsReady("eve"); });
  world.SetPolicy(kPayments, Holders(kViewer, {"user:bob@x.com", "user:eve@x.com"}));
  world.Eventually("she lost it again", [&] {
    return world.Members(kPayments, kViewer) == std::vector<std::string>{"user:bob@x.com"};
  });
}

TEST(Shapes, AWholePolicyIsHeldAndStaysWhenItsManifestGoes) {
  World world(kSeed, kOpen);
  world.SetPolicy(kPayments, Holders(kViewer, {"user:eve@x.com"}));
  const std::string other = Binding("keeps", "roles/editor", "[\"user:b@x.com\"]");
  world.dir().Write(
      "manifests/backup.yaml",
      std::string(other).replace(other.find(kPayments), std::string(kPayments).size(),
                                 "projects/acme/locations/global/authorizationPolicies/x"));
  world.dir().Write(
      "manifests/all.yaml",
      Shape("IamPolicy", "all", "bindings: [{role: roles/editor, members: [\"user:ana@x.com\"]}]"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("all"); });
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:ana@x.com"));
  EXPECT_THAT(world.Members(kPayments, kViewer), IsEmpty());
  std::filesystem::remove(world.dir() / "manifests/all.yaml");
  world.Eventually("it is let go", [&] { return world.Status("all").empty(); });
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:ana@x.com"));
}

TEST(Shapes, AWholePolicyGoesWhereItsManifestSaidSo) {
  World world(kSeed, kOpen);
  world.dir().Write("manifests/ana.yaml", Binding("stays", "roles/viewer", "[\"user:b@x.com\"]"));
  world.dir().Write(
      "manifests/ana.yaml",
      Shape("IamPolicy", "all", "bindings: [{role: roles/editor, members: [\"user:ana@x.com\"]}]",
            "options: {retainOnDelete: false}\n"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("all"); });
  world.dir().Write("manifests/ana.yaml", Member("one", "user:one@x.com"));
  world.Eventually("what it declared is gone", [&] {
    return world.Members(kPayments, "roles/editor").empty() && world.IsReady("one");
  });
}

TEST(Shapes, AMemberAndABindingOfOneRoleAreAConflict) {
  World world(kSeed, kOpen);
  world.dir().Write("manifests/a.yaml", Member("ana", "user:ana@x.com"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("ana"); });
  world.dir().Write("manifests/b.yaml", Binding("team", kViewer, "[\"user:bob@x.com\"]"));
  world.Eventually("both say so", [&] {
    return world.Reason("ana") == "RoleConflict" && world.Reason("team") == "RoleConflict";
  });
  EXPECT_THAT(StringMember(world.Status("team"), "message"),
              HasSubstr("is also declared by \"ana\" (a.yaml:1) as member \"user:ana@x.com\""));
  EXPECT_THAT(world.Members(kPayments, kViewer), ElementsAre("user:ana@x.com"));
}

TEST(Shapes, ABindingThatBecomesMembersNeverTakesTheirGrantsAway) {
  World world(kSeed, kOpen);
  world.dir().Write("manifests/team.yaml",
                    Binding("team", kViewer, "[\"user:ana@x.com\", \"user:bob@x.com\"]"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("team"); });
  world.dir().Write("manifests/team.yaml", Member("ana", "user:ana@x.com"));
  world.Eventually("the member took over", [&] { return world.IsReady("ana"); });
  world.Eventually("the rest is gone", [&] {
    return world.Members(kPayments, kViewer) == std::vector<std::string>{"user:ana@x.com"};
  });
  const Json history = world.RunJson({"history", "ana"});
  const Json& revisions = history.at("revisions");
  EXPECT_GE(revisions.size(), 3U);
  for (const Json& entry : revisions) {
    if (entry.at("origin") == "foreign") {
      EXPECT_EQ(entry.at("policy"), Json::object()) << "as it was found";
    } else {
      EXPECT_THAT(entry.dump(), HasSubstr("user:ana@x.com"));
    }
  }
}

TEST(Shapes, EachConditionOfARoleMayHaveItsBinding) {
  World world(kSeed, "reconcile: {interval: 1s, bindingKey: roleAndCondition}\n");
  const char* until = "request.time < timestamp(\\\"2090-01-01T00:00:00Z\\\")";
  const auto under = [&](const std::string& title) {
    return "  condition: {title: " + title + ", expression: \"" + until + "\"}\n";
  };
  world.dir().Write("manifests/a.yaml",
                    Binding("always", kViewer, "[\"user:ana@x.com\"]") + "---\n" +
                        Binding("later", kViewer, "[\"user:bob@x.com\"]", under("later")));
  world.StartDaemon();
  world.Eventually("both are in force",
                   [&] { return world.IsReady("always") && world.IsReady("later"); });
  EXPECT_THAT(world.Members(kPayments, kViewer), ElementsAre("user:ana@x.com", "user:bob@x.com"));
  world.dir().Write("manifests/b.yaml",
                    Binding("twice", kViewer, "[\"user:eve@x.com\"]", under("later")));
  world.Eventually("the same condition is a conflict",
                   [&] { return world.Reason("twice") == "RoleConflict"; });
  EXPECT_TRUE(world.IsReady("always"));
}

TEST(Shapes, AGenericKindIsTheKindOfTheResourceItNames) {
  World world(kSeed, kOpen);
  const std::string full = "//networksecurity.googleapis.com/" + std::string(kPayments);
  const auto generic = [&](const std::string& name, const std::string& resource) {
    return "apiVersion: cloudnative:iam\nkind: IamMember\nmetadata: {name: " + name +
           "}\nspec: {name: \"" + resource + "\", role: " + kViewer +
           ", member: \"user:ana@x.com\"}\n";
  };
  world.dir().Write("manifests/a.yaml", generic("a", full));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("a"); });
  EXPECT_THAT(world.Members(kPayments, kViewer), ElementsAre("user:ana@x.com"));
  world.dir().Write("manifests/b.yaml", Member("b", "user:Ana@x.com"));
  world.Eventually("both spellings are one grant",
                   [&] { return world.Reason("b") == "RoleConflict"; });
  world.dir().Write("manifests/b.yaml", generic("b", kPayments));
  const Outcome outcome = world.Run({"validate"});
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("b.yaml:4:14: spec.name: \"" + std::string(kPayments) +
                        "\" is not the full name of a resource"));
}

TEST(Shapes, AnotherBindingKeyTakesEffectAtAReload) {
  World world(kSeed, "reconcile: {interval: 1s}\nguard: {holdSeverity: none}\n");
  const std::string later =
      "  condition: {title: later, expression: \"request.time < "
      "timestamp(\\\"2090-01-01T00:00:00Z\\\")\"}\n";
  world.dir().Write("manifests/a.yaml", Binding("always", kViewer, "[\"user:ana@x.com\"]"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("always"); });
  world.dir().Write("manifests/b.yaml", Binding("later", kViewer, "[\"user:bob@x.com\"]", later));
  world.Eventually("one binding per role", [&] { return world.Reason("later") == "RoleConflict"; });
  world.Configure(
      "reconcile: {interval: 1s, bindingKey: roleAndCondition}\nguard: {holdSeverity: none}\n");
  world.Signal(SIGHUP);
  world.Eventually("both are in force",
                   [&] { return world.IsReady("always") && world.IsReady("later"); });
  EXPECT_THAT(world.Members(kPayments, kViewer), ElementsAre("user:ana@x.com", "user:bob@x.com"));
}

TEST(Shapes, AConflictThatASettingBringsStaysOneAfterOtherEdits) {
  const std::string rest = "guard: {holdSeverity: none}\n";
  World world(kSeed, "reconcile: {interval: 1s, bindingKey: roleAndCondition}\n" + rest);
  const std::string later =
      "  condition: {title: later, expression: \"request.time < "
      "timestamp(\\\"2090-01-01T00:00:00Z\\\")\"}\n";
  world.dir().Write("manifests/a.yaml", Binding("always", kViewer, "[\"user:ana@x.com\"]"));
  world.dir().Write("manifests/b.yaml", Binding("later", kViewer, "[\"user:bob@x.com\"]", later));
  world.StartDaemon();
  world.Eventually("both are in force",
                   [&] { return world.IsReady("always") && world.IsReady("later"); });
  const auto in_conflict = [&] {
    return world.Reason("always") == "RoleConflict" && world.Reason("later") == "RoleConflict";
  };
  world.Configure("reconcile: {interval: 1s, bindingKey: role}\n" + rest);
  world.Signal(SIGHUP);
  world.Eventually("both are in conflict", in_conflict);
  world.dir().Write("manifests/c.yaml", Binding("c", "roles/editor", "[\"user:cleo@x.com\"]"));
  world.Eventually("another one is in force", [&] { return world.IsReady("c"); });
  EXPECT_TRUE(in_conflict()) << world.Status("always").dump() << world.Status("later").dump();
  EXPECT_THAT(world.Members(kPayments, kViewer), ElementsAre("user:ana@x.com", "user:bob@x.com"));
  std::filesystem::remove(world.dir() / "manifests/b.yaml");
  world.Eventually("who is alone is in force", [&] { return world.IsReady("always"); });
}

TEST(Shapes, ARetainedPolicyHidesNoLaterRemoval) {
  World world(kSeed, kOpen);
  const std::string all =
      Shape("IamPolicy", "all", "bindings: [{role: roles/editor, members: [\"user:ana@x.com\"]}]");
  const std::string keeper = Member("keeper", "user:keeper@x.com");
  world.dir().Write("manifests/all.yaml", all);
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("all"); });
  world.dir().Write("manifests/all.yaml", keeper);
  world.Eventually("the policy is retained", [&] { return world.Reason("all") == "Retained"; });
  world.Eventually("the member is in force", [&] { return world.IsReady("keeper"); });
  world.dir().Write("manifests/b.yaml", Binding("b", "roles/viewer", "[\"user:bob@x.com\"]"));
  world.Eventually("the binding is in force", [&] { return world.IsReady("b"); });
  std::filesystem::remove(world.dir() / "manifests/b.yaml");
  world.Eventually("its grant is gone",
                   [&] { return world.Members(kPayments, "roles/viewer").empty(); });
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:ana@x.com"));
}

TEST(Shapes, AnIgnoredListOfMembersIsThatOfItsOwnCondition) {
  World world(kSeed, kOpen);
  const Json temporary = {{"title", "temporary"},
                          {"expression", "request.time < timestamp(\"2090-01-01T00:00:00Z\")"}};
  world.SetPolicy(
      kPayments,
      Json::array({{{"role", kViewer}, {"members", {"user:temp@x.com"}}, {"condition", temporary}},
                   {{"role", kViewer}, {"members", {"user:ana@x.com"}}}}));
  const Json before = world.Policy(kPayments);
  world.dir().Write(
      "manifests/all.yaml",
      Json{{"apiVersion", "cloudnative:networksecurity/v1"},
           {"kind", "AuthorizationPolicyIamPolicy"},
           {"metadata", {{"name", "all"}}},
           {"spec",
            {{"name", kPayments},
             {"bindings",
              Json::array(
                  {{{"role", kViewer}, {"members", {"user:temp@x.com"}}, {"condition", temporary}},
                   {{"role", kViewer}, {"members", {"user:other@x.com"}}}})}}},
           {"options", {{"ignoreChanges", {"bindings[1].members"}}}}}
          .dump());
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("all"); });
  EXPECT_EQ(world.Policy(kPayments), before) << "nothing was written";
}

TEST(Shapes, ARollbackLeavesTheAuditConfigurationAsItIs) {
  World world(R"(
projects: [{id: acme, number: "415104041262"}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings: [{role: roles/browser, members: ["user:root@x.com"]}]
)",
              kOpen);
  world.dir().Write("manifests/b.yaml", std::string(R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: b}
spec: {name: projects/acme, role: roles/viewer, members: ["user:ana@x.com"]}
)"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("b"); });
  const Json on = {
      {"policy",
       {{"auditConfigs",
         {{{"service", "allServices"}, {"auditLogConfigs", {{{"logType", "DATA_READ"}}}}}}}}},
      {"updateMask", "auditConfigs"}};
  EXPECT_EQ(world.Cloud("POST", "/v3/projects/acme:setIamPolicy", on.dump()).status, 200);
  const Outcome outcome = world.Run({"rollback", "b", "1", "--yes"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto policy = [&] {
    return *ParseJson(world.Cloud("POST", "/v3/projects/acme:getIamPolicy", "{}").body);
  };
  world.Eventually("the first policy is back", [&] {
    return policy().at("bindings").dump().find("user:ana@x.com") == std::string::npos;
  });
  EXPECT_TRUE(policy().contains("auditConfigs"));
}

TEST(Shapes, AnAuditConfigurationIsHeldAndTheGrantsStay) {
  World world(R"(
projects: [{id: acme, number: "415104041262"}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings: [{role: roles/owner, members: ["user:root@x.com"]}]
)",
              kOpen);
  const auto policy = [&] {
    return *ParseJson(world.Cloud("POST", "/v3/projects/acme:getIamPolicy", "{}").body);
  };
  world.dir().Write("manifests/audit.yaml", std::string(R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamAuditConfig
metadata: {name: audit}
spec:
  name: projects/acme
  service: allServices
  auditLogConfigs: [{logType: DATA_READ}, {logType: ADMIN_READ, exemptedMembers: ["user:ci@x.com"]}]
)"));
  world.StartDaemon();
  world.Eventually("it is in force", [&] { return world.IsReady("audit"); });
  const Json declared = policy().at("auditConfigs");
  EXPECT_EQ(declared, *ParseJson(R"([{"service":"allServices","auditLogConfigs":[
      {"logType":"DATA_READ"},{"logType":"ADMIN_READ","exemptedMembers":["user:ci@x.com"]}]}])"));
  const Json off = {{"policy", {{"auditConfigs", Json::array()}}}, {"updateMask", "auditConfigs"}};
  EXPECT_EQ(world.Cloud("POST", "/v3/projects/acme:setIamPolicy", off.dump()).status, 200);
  world.Eventually("logging is on again", [&] {
    const Json now = policy();
    return now.contains("auditConfigs") && now.at("auditConfigs") == declared;
  });
  EXPECT_THAT(policy().at("bindings").dump(), HasSubstr("user:root@x.com"));
}

TEST(Shapes, WhatIsThereIsImportedInEachShape) {
  World world(kSeed, kOpen);
  world.SetPolicy(kPayments, Holders(kViewer, {"user:ana@x.com", "user:bob@x.com"}));
  const std::pair<const char*, const char*> cases[] = {
      {"AuthorizationPolicyIamMember", "member: user:bob@x.com"},
      {"AuthorizationPolicyIamPolicy", "bindings:"},
  };
  for (const auto& [kind, line] : cases) {
    std::filesystem::remove(world.dir() / "manifests/it.yaml");
    const Outcome outcome =
        world.Run({"import", std::string("cloudnative:networksecurity/v1:") + kind, "it", kPayments,
                   "--stdout"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(line)) << kind;
    world.dir().Write("manifests/it.yaml", outcome.out);
    const Outcome plan = world.Run({"plan"});
    EXPECT_THAT(plan.out, HasSubstr("as declared")) << plan.out << plan.err;
  }
}

}  // namespace
}  // namespace bindery::testing
