// The adoption of single differences.

#include "integration/adopt.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHandWritten = R"(# The viewers of the shop.
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: viewers}
spec:
  role: roles/viewer   # reads everything
  name: projects/p-100
  members:
    - group:all@example.com   # all of us
    # Ana left the group.
    - user:ana@example.com
    - user:gone@example.com   # moved to p-102
# The end.
)";

TEST_F(Adopt, ADifferenceIsPutIntoTheHandWrittenFile) {
  Configure("reconcile: {mode: observe}\n");
  world.dir().Write("manifests/viewers.yaml", kHandWritten);
  world.SetPolicy(
      "projects/p-100",
      Json::array({{{"role", "roles/viewer"},
                    {"members",
                     {"group:all@example.com", "user:ana@example.com", "user:eve@example.com"}}}}));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  EXPECT_EQ(world.Run({"adopt", "4711"}).exit_code, 2);
  const Outcome added = world.Run({"adopt", MakeItem("undeclared", "user:eve@example.com")});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("viewers.yaml"));
  const Outcome removed = world.Run({"adopt", MakeItem("missing", "user:gone@example.com")});
  EXPECT_EQ(removed.exit_code, 0) << removed.err;
  std::string wanted = kHandWritten;
  const std::string gone = "    - user:gone@example.com   # moved to p-102\n";
  wanted.replace(wanted.find(gone), gone.size(), "    - user:eve@example.com\n");
  EXPECT_EQ(world.dir().Read("manifests/viewers.yaml"), wanted);
  const Outcome twice = world.Run({"adopt", MakeItem("undeclared", "user:eve@example.com")});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("ALREADY_EXISTS"));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST_F(Adopt, AnItemThatWasCorrectedIsAdoptedAndAccepted) {
  world.dir().Write("manifests/viewers.yaml", kHandWritten);
  const Outcome first = world.Run({"run", "--once"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  world.SetPolicy("projects/p-100",
                  Json::array({{{"role", "roles/viewer"},
                                {"members",
                                 {"group:all@example.com", "user:ana@example.com",
                                  "user:gone@example.com", "user:eve@example.com"}}}}));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const std::string item = MakeItem("undeclared", "user:eve@example.com");
  const Outcome accepted =
      world.Run({"drift", "accept", item, "--reason", "r", "--owner", "o", "--stdout"});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  const Outcome adopted = world.Run({"adopt", item});
  EXPECT_EQ(adopted.exit_code, 0) << adopted.err;
  EXPECT_THAT(adopted.out, HasSubstr("the next pass grants it again"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
  EXPECT_THAT(world.Cloud("POST", "/v3/projects/p-100:getIamPolicy").body,
              HasSubstr("user:eve@example.com"));
}

TEST_F(Adopt, AGrantOfAnUndeclaredRoleGetsItsOwnManifest) {
  Configure("reconcile: {mode: observe, undeclaredRoles: report}\n");
  world.dir().Write("manifests/shop/viewers.yaml", kHandWritten);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Outcome made = world.Run({"adopt", MakeItem("undeclared", "user:bob@example.com")});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(world.Run({"adopt", MakeItem("just-in-time", "user:oncall@example.com")}).err,
              HasSubstr("is just-in-time access, which ends by itself"));
  const std::string file = "manifests/shop/p-100-project-pubsub-editor-user-bob-example-com.yaml";
  EXPECT_THAT(world.dir().Read(file), HasSubstr("kind: ProjectIamMember\n"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
}

TEST_F(Adopt, AManifestOfAMissingGrantAloneIsRemovedAndSoIsAFileOfNothingElse) {
  Configure("reconcile: {mode: observe}\n");
  const std::string rest = std::string("---\n") + kHandWritten;
  const std::string gone = R"(# Access for the move.

# Gone will be back.
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: gone}
spec: {role: roles/browser, name: projects/p-100, members: ["user:gone@example.com"]}
)";
  world.dir().Write("manifests/viewers.yaml", gone + rest);
  world.dir().Write("manifests/single.yaml", R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: single}
spec: {role: roles/editor, name: projects/p-100, member: "user:single@example.com"}
)");
  world.dir().Write("manifests/kept.yaml", R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: kept}
options: {protect: true}
spec: {role: roles/editor, name: projects/p-100, member: "user:kept@example.com"}
)");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Outcome of_several = world.Run({"adopt", MakeItem("missing", "user:gone@example.com")});
  EXPECT_EQ(of_several.exit_code, 0) << of_several.err;
  EXPECT_THAT(of_several.out, HasSubstr("the manifest gone is removed\n"));
  EXPECT_EQ(world.dir().Read("manifests/viewers.yaml"), "# Access for the move.\n\n" + rest);
  const Json alone = world.RunJson({"adopt", MakeItem("missing", "user:single@example.com")});
  EXPECT_EQ(alone.at("isRemoved"), true);
  EXPECT_EQ(alone.at("fileIsRemoved"), true);
  EXPECT_FALSE(fs::exists(world.dir() / "manifests/single.yaml"));
  const Outcome kept = world.Run({"adopt", MakeItem("missing", "user:kept@example.com")});
  EXPECT_EQ(kept.exit_code, 2);
  EXPECT_THAT(kept.err, HasSubstr("is protected"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  EXPECT_THAT(world.Run({"plan"}).out, Not(HasSubstr("user:single@example.com")));
}

TEST_F(Adopt, AManifestIsNotRemovedWhereMoreThanTheGrantWouldGo) {
  Configure("reconcile: {mode: observe}\n");
  const auto member = [](const std::string& name, const std::string& options = "{}") {
    return "apiVersion: cloudnative:cloudresourcemanager/v3\nkind: ProjectIamMember\n"
           "metadata: {name: " +
           name + "}\noptions: " + options +
           "\nspec: {role: roles/editor, name: projects/p-100, member: \"user:" + name +
           "@example.com\"}\n";
  };
  const struct {
    std::string name;
    std::string text;
    std::string why;
  } cases[] = {
      {"stays", member("stays", "{retainOnDelete: true}"), "options.retainOnDelete"},
      {"beside", member("beside") + "---\n# kind: ProjectIamMember, until the audit is over\n",
       "comments beside the manifest"},
      {"named",
       member("named") +
           "---\napiVersion: cloudnative:cloudresourcemanager/v3\n"
           "kind: ProjectIamMember\nmetadata: {name: names}\noptions: {mode: observe}\n"
           "spec: {role: \"${named.role}\", name: projects/p-100, member: "
           "\"user:ana@example.com\"}\n",
       "names it"},
  };
  for (const auto& test : cases) world.dir().Write("manifests/" + test.name + ".yaml", test.text);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  for (const auto& test : cases) {
    const Outcome kept =
        world.Run({"adopt", MakeItem("missing", "user:" + test.name + "@example.com")});
    EXPECT_EQ(kept.exit_code, 2) << test.name;
    EXPECT_THAT(kept.err, HasSubstr(test.why));
    EXPECT_EQ(world.dir().Read("manifests/" + test.name + ".yaml"), test.text);
  }
}

TEST_F(Adopt, AListThatAnotherManifestRefersToIsNotEdited) {
  Configure("reconcile: {mode: observe}\n");
  const std::string shared = R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: shared}
spec: {role: roles/browser, name: projects/p-100, members: ["user:gone@example.com", "user:ana@example.com"]}
---
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: borrows}
spec: {role: roles/editor, name: projects/p-100, member: "${shared.members[1]}"}
)";
  world.dir().Write("manifests/shared.yaml", shared);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Outcome kept = world.Run({"adopt", MakeItem("missing", "user:gone@example.com")});
  EXPECT_EQ(kept.exit_code, 2);
  EXPECT_THAT(kept.err, HasSubstr("refers to"));
  EXPECT_EQ(world.dir().Read("manifests/shared.yaml"), shared);
}

TEST_F(Adopt, TheLastManifestOfTheDirectoryIsNotRemoved) {
  Configure("reconcile: {mode: observe}\n");
  for (const auto& entry : fs::directory_iterator(world.dir() / "manifests")) {
    fs::remove_all(entry.path());
  }
  world.dir().Write("manifests/single.yaml", R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: single}
spec: {role: roles/editor, name: projects/p-100, member: "user:single@example.com"}
)");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Outcome kept = world.Run({"adopt", MakeItem("missing", "user:single@example.com")});
  EXPECT_EQ(kept.exit_code, 2);
  EXPECT_THAT(kept.err, HasSubstr("the last of the directory"));
  EXPECT_TRUE(fs::exists(world.dir() / "manifests/single.yaml"));
}

TEST_F(Adopt, ADifferenceOfAnAuditConfigurationIsPutIntoItsManifest) {
  Configure("reconcile: {mode: observe}\n");
  const std::string audit = R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamAuditConfig
metadata: {name: audit}
spec:
  name: projects/p-100
  service: allServices
  auditLogConfigs:
    - logType: ADMIN_READ   # asked for by the auditors
    - logType: DATA_WRITE
)";
  world.dir().Write("manifests/audit.yaml", audit);
  const Json policy = {
      {"bindings", Json::array()},
      {"auditConfigs",
       {{{"service", "allServices"},
         {"auditLogConfigs",
          {{{"logType", "ADMIN_READ"}, {"exemptedMembers", {"user:bot@example.com"}}}}}}}}};
  const HttpResult set =
      world.Cloud("POST", "/v3/projects/p-100:setIamPolicy",
                  Json{{"policy", policy}, {"updateMask", "bindings,auditConfigs"}}.dump());
  ASSERT_EQ(set.status, 200) << set.body;
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const std::string exempted = "ADMIN_READ exempts user:bot@example.com";
  const Outcome added = world.Run({"adopt", MakeItem("undeclared", exempted)});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  const Outcome removed = world.Run({"adopt", MakeItem("missing", "DATA_WRITE")});
  EXPECT_EQ(removed.exit_code, 0) << removed.err;
  std::string wanted = audit;
  const std::string writes = "    - logType: DATA_WRITE\n";
  wanted.replace(wanted.find(writes), writes.size(),
                 "      exemptedMembers: [user:bot@example.com]\n");
  EXPECT_EQ(world.dir().Read("manifests/audit.yaml"), wanted);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST_F(Adopt, ANewFileThatBinderyWouldNotReadIsRefused) {
  Configure("reconcile: {mode: observe, undeclaredRoles: report}\n");
  world.dir().Write("manifests/viewers.yaml", kHandWritten);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const std::string undeclared = MakeItem("undeclared", "user:bob@example.com");
  world.SetEnvironment("BINDERY_MANIFESTS_MAX_FILES", std::to_string(Files().size()));
  const Outcome refused = world.Run({"adopt", undeclared});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("more files than manifests.maxFiles"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0) << "nothing was written";
  world.SetEnvironment("BINDERY_MANIFESTS_MAX_FILES", std::to_string(Files().size() + 1));
  const Outcome made = world.Run({"adopt", undeclared});
  EXPECT_EQ(made.exit_code, 0) << made.err;
}

TEST_F(Adopt, AJsonManifestStaysJson) {
  Configure("reconcile: {mode: observe}\n");
  const std::string audit = R"({
  "apiVersion": "cloudnative:cloudresourcemanager/v3",
  "kind": "ProjectIamAuditConfig",
  "metadata": {"name": "audit"},
  "spec": {
    "name": "projects/p-100",
    "service": "allServices",
    "auditLogConfigs": [
      {
        "logType": "ADMIN_READ"
      }
    ]
  }
}
)";
  world.dir().Write("manifests/audit.json", audit);
  const Json logs = {{{"logType", "ADMIN_READ"}}, {{"logType", "DATA_READ"}}};
  const Json policy = {{"bindings", Json::array()},
                       {"auditConfigs", {{{"service", "allServices"}, {"auditLogConfigs", logs}}}}};
  const HttpResult set =
      world.Cloud("POST", "/v3/projects/p-100:setIamPolicy",
                  Json{{"policy", policy}, {"updateMask", "bindings,auditConfigs"}}.dump());
  ASSERT_EQ(set.status, 200) << set.body;
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Outcome added = world.Run({"adopt", MakeItem("undeclared", "DATA_READ")});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  std::string wanted = audit;
  const std::string end = "      }\n";
  wanted.replace(wanted.find(end), end.size(),
                 "      },\n      {\n        \"logType\": \"DATA_READ\"\n      }\n");
  EXPECT_EQ(world.dir().Read("manifests/audit.json"), wanted);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

}  // namespace
}  // namespace bindery::testing
