// Kinds that users add in a file: a service that is newer than the program.

#include "config/kind_files.h"
#include "integration/world.h"
#include "providers/registry/providers.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRows = R"(kinds:
  - service: vectorsearch
    kind: Index
    versions: [v1, v1beta]
    names: ["projects/{project}/locations/{location}/indexes/{index}"]
    auditConfigs: true
    permission: vectorsearch.indexes
)";
constexpr const char* kFullName =
    "//vectorsearch.googleapis.com/projects/acme/locations/eu/indexes/docs";
constexpr const char* kReaders = R"(
apiVersion: cloudnative:vectorsearch/v1beta
kind: IndexIamBinding
metadata: {name: readers}
spec: {name: locations/eu/indexes/docs, role: roles/vectorsearch.reader, members: ["user:ana@example.com"]}
)";

/// The embedded cloud is in this process, and the program under test in its own: both read the
/// file.
std::string SeedWithRows() {
  const TempDir folder;
  folder.Write("kinds.yaml", kRows);
  const config::KindFiles read = config::ReadKindFiles({folder.path() / "kinds.yaml"});
  if (!read.problems.empty()) throw std::runtime_error(read.problems.front().Text());
  if (!providers::KindsOfFiles().Install(read.rows))
    throw std::runtime_error("other rows are in force");
  return Json{
      {"iamPolicies",
       {{kFullName,
         {{"bindings", {{{"role", "roles/viewer"}, {"members", {"user:kept@example.com"}}}}}}}}}}
      .dump();
}

class UserKinds : public ::testing::Test {
 protected:
  void Configure(const std::string& rows, const std::string& kinds = "kinds: [kinds.yaml]\n") {
    world.dir().Write("kinds.yaml", rows);
    world.dir().Write("bindery.yaml",
                      R"(
manifests: {directory: manifests, rescanInterval: 1s, debounce: 50ms, settle: 0s}
store: {url: "sqlite:state/bindery.db"}
server: {listen: "127.0.0.1:0", socket: bindery.sock}
guard: {maxRemovedGrants: 100000, maxRemovedFraction: 1, holdSeverity: none}
reconcile: {interval: 1s}
)" + kinds +
                          "providers: {cloudnative: {type: cloudnative, project: acme, "
                          "credentials: {type: none}, endpoints: {pubsub: \"" +
                          world.CloudUrl() + "/pubsub.googleapis.com\"" + Endpoint() + "}}}\n");
  }
  [[nodiscard]] std::string Endpoint() const {
    return with_endpoint
               ? ", vectorsearch: \"" + world.CloudUrl() + "/vectorsearch.googleapis.com\""
               : "";
  }
  [[nodiscard]] std::string Policy() const {
    return ParseJson(world.Cloud("GET", "/_emulator/seed").body)
        ->at("iamPolicies")
        .at(kFullName)
        .dump();
  }

  bool with_endpoint = true;
  World world{SeedWithRows()};
};

TEST_F(UserKinds, AreEnforcedRepairedAndTakenAwayLikeBuiltInOnes) {
  Configure(kRows);
  world.dir().Write("manifests/a.yaml", kReaders);
  EXPECT_THAT(world.Run({"kinds", "vectorsearch"}).out,
              AllOf(HasSubstr("cloudnative:vectorsearch/v1:IndexIamMember"),
                    HasSubstr("projects/{project}/locations/{location}/indexes/{index}")));
  EXPECT_THAT(world.Run({"schema"}).out, HasSubstr("IndexIamAuditConfig"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  world.StartDaemon();
  world.Eventually("granted", [&] { return Policy().find("ana@") != std::string::npos; });
  EXPECT_THAT(Policy(), HasSubstr("kept@example.com"));
  world.Eventually("ready", [&] { return world.IsReady("readers"); });
  EXPECT_THAT(world
                  .Run({"access", "who-can", "roles/vectorsearch.reader",
                        "projects/acme/locations/eu/indexes/docs"})
                  .out,
              HasSubstr("user:ana@example.com"));

  const std::string body =
      R"({"policy": {"bindings": [{"role": "roles/viewer", "members": ["user:kept@example.com"]}]}})";
  ASSERT_EQ(world
                .Cloud("POST",
                       "/vectorsearch.googleapis.com/v1/projects/acme/locations/eu/indexes/"
                       "docs:setIamPolicy",
                       body)
                .status,
            200);
  world.Eventually("repaired", [&] { return Policy().find("ana@") != std::string::npos; });

  world.dir().Write("manifests/b.yaml",
                    R"(
apiVersion: cloudnative:iam
kind: IamMember
metadata: {name: writer}
spec: {name: )" + std::string(kFullName) +
                        R"(, role: roles/vectorsearch.writer, member: "user:ben@example.com"}
)");
  world.Eventually("granted by full name",
                   [&] { return Policy().find("ben@") != std::string::npos; });
  world.dir().Remove("manifests/a.yaml");
  world.Eventually("taken away", [&] { return Policy().find("ana@") == std::string::npos; });
  EXPECT_THAT(Policy(), AllOf(HasSubstr("ben@"), HasSubstr("kept@")));
}

TEST_F(UserKinds, WhoseRowIsGoneKeepTheirAccess) {
  Configure(kRows);
  world.dir().Write("manifests/a.yaml", kReaders);
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  ASSERT_THAT(Policy(), HasSubstr("ana@"));
  with_endpoint = false;
  Configure("kinds: []\n");
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_NE(once.exit_code, 0);
  EXPECT_THAT(once.err, HasSubstr("unknown apiVersion \"cloudnative:vectorsearch/v1beta\""));
  EXPECT_THAT(Policy(), HasSubstr("ana@"));
  world.dir().Remove("manifests/a.yaml");
  world.dir().Write("manifests/c.yaml", R"(
apiVersion: cloudnative:pubsub/v1
kind: TopicIamMember
metadata: {name: other}
spec: {name: projects/acme/topics/t, role: roles/pubsub.viewer, member: "user:ana@example.com"}
)");
  std::ignore = world.Run({"run", "--once"});
  EXPECT_THAT(Policy(), HasSubstr("ana@")) << "nobody can take away what nobody can write";

  with_endpoint = true;
  Configure(kRows);
  world.dir().Write("manifests/a.yaml", kReaders);
  const Outcome plan = world.Run({"plan"});
  EXPECT_THAT(plan.out, Not(HasSubstr("indexes/docs"))) << "it is back, as it was";
}

TEST_F(UserKinds, AFaultyFileStopsTheStartAndAReloadKeepsWhatIsInForce) {
  Configure("kinds: [{service: vectorsearch, knd: Index}]\n");
  const Outcome start = world.Run({"run", "--once"});
  EXPECT_EQ(start.exit_code, 2);
  EXPECT_THAT(start.err, AllOf(HasSubstr("kinds[0].knd: unknown key: did you mean "
                                         "\"kind\"?"),
                               HasSubstr("kinds[0].names")));

  Configure(kRows);
  world.dir().Write("manifests/a.yaml", kReaders);
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("readers"); });
  world.dir().Write("kinds.yaml", "kinds: 3\n");
  world.Signal(SIGHUP);
  world.Eventually("refused", [&] {
    return world.DaemonLog().find("the one before stays in force") != std::string::npos;
  });
  world.dir().Write("kinds.yaml", "kinds: []\n");
  with_endpoint = false;
  Configure("kinds: []\n");
  world.Signal(SIGHUP);
  world.Eventually("noted", [&] {
    return world.DaemonLog().find("changed kinds take effect at the next start") !=
           std::string::npos;
  });
  EXPECT_THAT(Policy(), HasSubstr("ana@"));
  EXPECT_THAT(world.DaemonLog(), Not(HasSubstr("unknown kind")));
}

/// What docs/kinds.md says of the types that only the configurations of services know.
TEST_F(UserKinds, MayBeTypesThatHaveNoDescription) {
  const auto listed = [&] {
    return world.RunJson({"kinds", "networkservices/v1:*"}).at("withoutDescription").dump();
  };
  Configure(kRows);
  EXPECT_THAT(listed(), HasSubstr("networkservices/v1:MeshIamBinding"));
  const Json all = world.RunJson({"kinds"}).at("withoutDescription");
  EXPECT_EQ(all.size(), 24U);
  EXPECT_THAT(world.Run({"kinds", "mesh"}).out,
              HasSubstr("projects/{project}/locations/{location}/meshes/{mesh}"));
  std::string rows = "kinds:\n";
  for (const Json& type : all) {
    const std::string token = type.at("token");
    const std::size_t slash = token.find('/');
    const std::size_t colon = token.rfind(':');
    const std::size_t service = token.find(':') + 1;
    rows += "  - {service: " + token.substr(service, slash - service) +
            ", kind: " + token.substr(colon + 1, token.rfind("IamBinding") - colon - 1) +
            ", versions: [" + token.substr(slash + 1, colon - slash - 1) +
            "], names: " + type.at("names").dump() + ", updateMask: true" +
            (token.find(":bigquery/") == std::string::npos
                 ? "}\n"
                 : ", path: bigquery/v2/, get: POST, policyVersion: body}\n");
  }
  with_endpoint = false;
  Configure(rows);
  EXPECT_EQ(world.Run({"kinds", "--check", world.dir().path() / "kinds.yaml"}).out,
            "24 kinds: ok\n");
  EXPECT_EQ(listed(), "[]");
  EXPECT_THAT(world.RunJson({"kinds", "mesh"}).at("kinds").dump(), HasSubstr("MeshIamBinding"));
}

TEST_F(UserKinds, AreCheckedByThemselves) {
  Configure(kRows);
  const Outcome fine = world.Run({"kinds", "--check", world.dir().path() / "kinds.yaml"});
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_EQ(fine.out, "1 kind: ok\n");
  world.dir().Write("bad.yaml",
                    "kinds: [{service: pubsub, kind: Topic, versions: [v1], names: [x]}]");
  const Json report = world.RunJson({"kinds", "--check", world.dir().path() / "bad.yaml"});
  EXPECT_EQ(report.at("valid"), false);
  EXPECT_EQ(report.at("problems").size(), 2U) << report.dump(2);
}

}  // namespace
}  // namespace bindery::testing
