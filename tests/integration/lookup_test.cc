// Lookups: as manifests that are kept up to date, and from the command line.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kToken = "cloudnative:migrationcenter/v1:getImportDataFile";
constexpr const char* kHosts =
    "projects/acme/locations/eu/importJobs/inventory/importDataFiles/hosts";

/// A cloud with one import data file, whose upload URL and headers are secrets.
std::string SeedWith(const std::string& state, const std::string& expires = "2026-12-01") {
  return std::string("importDataFiles:\n  - name: ") + kHosts + "\n    state: " + state +
         "\n    uploadFileInfo:\n      signedUri: https://storage.example.com/SECRET-" + state +
         "\n      headers: {x-signed: SECRET-header}\n      uriExpirationTime: \"" + expires +
         "T00:00:00Z\"\n" + R"(
users:
  - {id: 1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001, handle: ana@example.com,
     org: {id: 4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001, publicId: abc123}}
)";
}

std::string FileLookup(const std::string& name, const std::string& job = "inventory") {
  return "apiVersion: cloudnative:migrationcenter/v1\nkind: getImportDataFile\nmetadata: {name: " +
         name + "}\nspec: {importDataFileId: hosts, importJobId: " + job + ", location: eu}\n";
}

const std::vector<std::string> kInvoke = {
    "invoke", kToken, "--importDataFileId=hosts", "--location", "eu", "--importJobId", "inventory"};

Json GetOutputs(const World& world, const std::string& name) {
  const Json resources = world.RunJson({"get", name}).at("resources");
  return resources.at(0).at("outputs");
}

TEST(Lookup, ResultsAreOutputsThatFollowTheCloud) {
  World world(SeedWith("CREATING"), "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml", FileLookup("hosts") + "---\n" + FileLookup("same") +
                                            "---\napiVersion: monitoring\nkind: getCurrentUser\n"
                                            "metadata: {name: me}\n");
  world.StartDaemon();
  for (const char* name : {"hosts", "same", "me"}) {
    world.Eventually(name, [&] { return world.IsReady(name); });
  }
  EXPECT_EQ(GetOutputs(world, "hosts").at("state"), "CREATING");
  EXPECT_EQ(GetOutputs(world, "hosts").at("uploadFileInfo").at("signedUri"), "[secret]");
  EXPECT_EQ(GetOutputs(world, "same"), GetOutputs(world, "hosts"));
  EXPECT_EQ(GetOutputs(world, "me").dump(),
            R"({"id":"1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001",)"
            R"("orgId":"4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001","orgPublicId":"abc123",)"
            R"("handle":"ana@example.com"})");

  ASSERT_LT(world.Cloud("PUT", "/_emulator/seed", SeedWith("ACTIVE", "2027-01-01")).status, 300);
  world.Eventually("the change is seen",
                   [&] { return GetOutputs(world, "same").at("state") == "ACTIVE"; });
  EXPECT_THAT(world.Run({"events", "hosts"}).out, HasSubstr("LookupChanged"));
  const Json drift = world.RunJson({"drift"});
  EXPECT_EQ(drift.at("summary").at("open"), 0);
  int changes = 0;
  for (const Json& item : drift.at("items")) {
    if (item.at("field") != "state" || item.at("resource") != "hosts") continue;
    ++changes;
    EXPECT_EQ(item.at("class"), "lookup-changed");
    EXPECT_EQ(item.at("state"), "corrected");
    EXPECT_EQ(item.at("grant"), nullptr);
    EXPECT_EQ(item.at("desired"), "CREATING");
    EXPECT_EQ(item.at("observed"), "ACTIVE");
  }
  EXPECT_EQ(changes, 1) << drift.dump(2);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
  EXPECT_EQ(world.Run({"drift"}).exit_code, 0);

  // Every form in which the daemon tells of it, besides what it wrote down, which World looks at.
  for (const char* path : {"/metrics", "/api/v1/resources", "/api/v1/events", "/api/v1/drift",
                           "/api/v1/plan", "/api/v1/history/hosts", "/"}) {
    EXPECT_THAT(world.Ask("GET", path).body, Not(HasSubstr("SECRET"))) << path;
  }
  EXPECT_THAT(world.RunJson({"history", "hosts"}).at("revisions"), IsEmpty());
  EXPECT_THAT(world.Run({"history", "hosts"}).out, HasSubstr("no revisions are kept"));
  EXPECT_THAT(world.Run({"rollback", "hosts", "1"}).err, HasSubstr("is a lookup"));
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(Lookup, AnAbsentParentIsNotFoundWithWhatWasLookedFor) {
  World world(SeedWith("ACTIVE"));
  world.dir().Write("manifests/a.yaml", FileLookup("lost", "nowhere"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 2);
  const Json status = world.RunJson({"get", "lost"}).at("resources").at(0).at("status");
  EXPECT_EQ(status.at("state"), "Stalled");
  EXPECT_EQ(status.at("reason"), "NOT_FOUND");
  EXPECT_THAT(
      status.at("message").get<std::string>(),
      HasSubstr("import data file \"hosts\" of import job \"nowhere\" in location \"eu\" of "
                "project \"acme\"; the import job itself may be what is absent"));
  EXPECT_EQ(world.RunJson({"drift"}).at("items").at(0).at("class"), "target-missing");
}

TEST(Lookup, APermissionThatIsMissingStallsIt) {
  World world(SeedWith("ACTIVE"));
  world.SetFaults({{{"operation", "migrationcenter.get"}, {"status", 403}}});
  world.dir().Write("manifests/a.yaml", FileLookup("hosts"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 2);
  EXPECT_EQ(world.RunJson({"get", "hosts"}).at("resources").at(0).at("status").at("reason"),
            "PERMISSION_DENIED");
  EXPECT_EQ(world.Count("migrationcenter.get"), 1);
}

TEST(Lookup, InvokePrintsTheResultAndSecretsOnlyWhenAsked) {
  const World world(SeedWith("ACTIVE"));
  const Json file = world.RunJson(kInvoke);
  EXPECT_EQ(file.at("name"), kHosts);
  EXPECT_EQ(file.at("uploadFileInfo").at("headers"), "[secret]");
  EXPECT_EQ(file.at("uploadFileInfo").at("uriExpirationTime"), "2026-12-01T00:00:00Z");
  EXPECT_EQ(world.RunJson({"invoke", "monitoring:index/getCurrentUser:getCurrentUser"}).at("orgId"),
            "4a1c9a52-6d0f-4c3c-8a0e-2f6b6a1de001");
  EXPECT_THAT(world.Run({"invoke", "getCurrentUser", "-o", "yaml"}).out,
              HasSubstr("handle: ana@example.com\n"));
}

TEST(Lookup, SecretsAreShownToWhoeverAsksForThemByAFreshRead) {
  // Not marked as a secret of the tests, which must never be seen.
  World world(std::string("importDataFiles: [{name: ") + kHosts +
              ", uploadFileInfo: {signedUri: \"https://storage.example.com/hidden\"}}]\n");
  world.dir().Write("manifests/a.yaml", FileLookup("hosts"));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const std::string hidden = "https://storage.example.com/hidden";
  EXPECT_THAT(world.Run({"get", "hosts"}).out, HasSubstr("uploadFileInfo.signedUri: [secret]\n"));
  EXPECT_THAT(world.Run({"get", "hosts", "--show-secrets"}).out,
              HasSubstr("uploadFileInfo.signedUri: " + hidden + "\n"));
  std::vector<std::string> invoke = kInvoke;
  EXPECT_THAT(world.Run(invoke).out, Not(HasSubstr(hidden)));
  invoke.emplace_back("--show-secrets");
  EXPECT_THAT(world.Run(invoke).out, HasSubstr(hidden));
  EXPECT_THAT(world.Run({"lookup", kToken, kHosts}).out, Not(HasSubstr(hidden)));
  EXPECT_THAT(world.Run({"lookup", kToken, kHosts, "--show-secrets"}).out, HasSubstr(hidden));
}

TEST(Lookup, InvokeExplainsWhatItTakes) {
  const World world(SeedWith("ACTIVE"));
  const Outcome wrong =
      world.Run({"invoke", kToken, "--import_job_id", "inventory", "--location", "e u"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("unknown field \"import_job_id\", did you mean --importJobId?"));
  EXPECT_THAT(wrong.err, HasSubstr("--importDataFileId is missing"));
  EXPECT_THAT(wrong.err, HasSubstr("--location: \"e u\" is not one part of a resource name"));
  EXPECT_THAT(wrong.err, HasSubstr("--importJobId (string, required): The id of its import job."));
  EXPECT_THAT(world.Run({"invoke", "getCurrentUser", "--location", "eu"}).err,
              HasSubstr("monitoring:getCurrentUser takes no fields"));
  EXPECT_THAT(world.Run({"invoke", "monitoring:RestrictionPolicy"}).err,
              HasSubstr("bindery lookup monitoring:RestrictionPolicy ID"));
  EXPECT_THAT(world.Run({"invoke", "getImportDatafiles"}).err,
              HasSubstr("did you mean \"getImportDataFile\"?"));
  EXPECT_THAT(world.Run({"invoke", "getCurrentUser", "--provider", "monitorin"}).err,
              HasSubstr("did you mean \"monitoring\"?"));
  EXPECT_THAT(world.Run({"invoke", "getCurrentUser", "--provider", "cloudnative"}).err,
              HasSubstr("needs one of type monitoring"));
}

TEST(Lookup, AResourceIsShownByItsIdWithoutBeingManaged) {
  World world(kSeed);
  world.SetPolicy(kPayments, Json::array({{{"role", "roles/viewer"}, {"members", {"user:a@x.org"}}},
                                          {{"role", "roles/b"}, {"members", {"user:b@x.org"}}}}));
  const std::string kind = "cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding";
  const Json found = world.RunJson({"lookup", kind, std::string(kPayments) + " roles/b"});
  EXPECT_EQ(found.at("inputs").at("members").dump(), R"(["user:b@x.org"])");
  EXPECT_EQ(found.at("outputs").at("project"), "acme");
  EXPECT_EQ(found.at("outputs").at("role"), "roles/b") << "inputs are outputs too";
  EXPECT_EQ(found.at("outputs").at("id"), std::string(kPayments) + " roles/b");
  EXPECT_EQ(found.at("id"), std::string(kPayments) + " roles/b");
  const Outcome both = world.Run({"lookup", kind, kPayments});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("has 2 roles"));
  EXPECT_EQ(world
                .RunJson({"lookup", kind, "locations/global/authorizationPolicies/payments",
                          "--state", "project=acme", "--state", "role=roles/viewer"})
                .at("id"),
            std::string(kPayments) + " roles/viewer");
  EXPECT_THAT(world
                  .Run({"lookup", kind, std::string(kPayments) + " roles/b", "--state",
                        "role=roles/viewer"})
                  .err,
              HasSubstr("NOT_FOUND: what is there has role \"roles/b\", not \"roles/viewer\""));
  EXPECT_THAT(world.Run({"lookup", kind, kPayments, "--state", "rolle=x"}).err,
              HasSubstr("did you mean \"role\"?"));
  const Outcome open =
      world.Run({"lookup", "monitoring:RestrictionPolicy", "dashboard:abc-def-ghi"});
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_THAT(open.err, HasSubstr("NOT_FOUND: dashboard:abc-def-ghi has no restriction policy: it "
                                  "is open to everyone in the organization"));
  EXPECT_FALSE(std::filesystem::exists(world.dir() / "state/bindery.db"));
}

TEST(Lookup, ForgettingAsksForTheManifestToBeRemovedFirst) {
  World world(SeedWith("ACTIVE") + std::string(kSeed));
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", "[user:ana@example.com]",
                                                "options: {protect: true}\n"));
  world.dir().Write("manifests/b.yaml", FileLookup("hosts"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  const Outcome early = world.Run({"forget", "viewers"});
  EXPECT_EQ(early.exit_code, 2);
  EXPECT_THAT(early.err, HasSubstr("(a.yaml:1): remove it first"));
  std::filesystem::remove(world.dir() / "manifests/a.yaml");
  world.Eventually("protected", [&] { return world.Reason("viewers") == "Protected"; });
  EXPECT_EQ(world.Run({"forget", "viewers"}).exit_code, 0);
  EXPECT_EQ(world.Run({"get", "viewers"}).exit_code, 2);
  EXPECT_EQ(world.Members(kPayments, "roles/viewer").size(), 1U) << "the cloud stays as it is";
  EXPECT_EQ(world.Run({"forget", "viewers"}).exit_code, 2);
}

}  // namespace
}  // namespace bindery::testing
