// Taking over an organization: imports of scans and exports.

#include "integration/adopt.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// More policies than are read before the first file is written.
class AdoptMany : public Adopt {
 protected:
  static constexpr int kEach = 60;
  AdoptMany() : Adopt(kEach) {}
};

TEST_F(Adopt, AScannedOrganizationIsImportedWithOneReadAPolicyAndAnEmptyPlan) {
  EXPECT_THAT(world.Run({"import", "--scope", kOrganization}).err,
              HasSubstr("bindery scan --scope organizations/100000000001"));
  Scan();
  EXPECT_THAT(world.Run({"import", "--scope", "folders/20"}).err,
              HasSubstr("bindery scan --scope folders/20"));
  world.ResetRequests();
  const Json made = world.RunJson({"import", "--scope", kOrganization});
  EXPECT_EQ(made.at("policies"), kPolicies);
  EXPECT_EQ(made.at("files"), kPolicies);
  EXPECT_EQ(made.at("leftOut"), Json::array()) << made.dump(1);
  const Json& classes = made.at("classes");
  EXPECT_EQ(classes.at("serviceAgents"), kProjects);
  EXPECT_EQ(classes.at("tombstones"), kProjects);
  EXPECT_EQ(classes.at("justInTime"), kProjects);
  EXPECT_EQ(classes.at("imported"), 1 + kProjects * (4 + 2 * kTopics));
  std::int64_t sum = 0;
  for (const auto& [name, count] : classes.items()) sum += count.get<std::int64_t>();
  EXPECT_EQ(sum, made.at("grants").get<std::int64_t>());
  std::int64_t reads = 0;
  const Json requests = world.Requests();
  for (const auto& [name, count] : requests.at("operations").items()) {
    if (name.ends_with(".getIamPolicy")) reads += count.get<std::int64_t>();
  }
  EXPECT_EQ(reads, kPolicies) << requests.dump(1);
  const auto files = Files();
  EXPECT_TRUE(files.contains("p-100/cloudresourcemanager-project/p-100.yaml"));
  EXPECT_TRUE(files.contains("p-101/pubsub-topic/t1.yaml"));
  EXPECT_TRUE(
      files.contains("organization-100000000001/cloudresourcemanager-organization/"
                     "100000000001.yaml"));
  EXPECT_THAT(world.dir().Read("manifests/p-101/pubsub-topic/t1.yaml"),
              HasSubstr("name: p-101-topic-t1-pubsub-publisher\n"));
  ExpectEmptyPlan();
  EXPECT_THAT(world.Run({"plan", "--base", world.dir() / "manifests"}).out,
              HasSubstr("\nNo changes. " + std::to_string(kPolicies) + " targets are as declared"))
      << "those with a note about just-in-time access too";
  const Json again = world.RunJson({"import", "--scope", kOrganization});
  EXPECT_EQ(again.at("files"), 0);
  EXPECT_EQ(again.at("classes").at("declared"), classes.at("imported"));
  EXPECT_EQ(Files(), files);
}

TEST_F(Adopt, AnExportNeedsNoReadsAndEachShapeLeavesThePlanEmpty) {
  WriteAssets();
  for (const std::string shape : {"binding", "member", "policy"}) {
    SCOPED_TRACE(shape);
    fs::remove_all(world.dir() / "manifests");
    fs::create_directory(world.dir() / "manifests");
    world.ResetRequests();
    const Outcome made = world.Run(
        {"import", "--assets", world.dir() / "assets.json", "--as", shape, "--layout", "project"});
    EXPECT_EQ(made.exit_code, 1) << made.out << made.err;
    EXPECT_THAT(made.out, HasSubstr("of 3 grants only the form was compared"));
    EXPECT_EQ(world.Requests().at("operations"), Json::object());
    EXPECT_EQ(Files(), (std::set<std::string>{"organization-100000000001.yaml", "p-100.yaml",
                                              "p-101.yaml", "p-102.yaml"}));
    ExpectEmptyPlan();
  }
}

TEST_F(Adopt, ARoleUnderTwoConditionsIsImportedByTheConfiguredKey) {
  WriteAssets();
  Configure("reconcile: {bindingKey: roleAndCondition}\n");
  const Outcome made = world.Run({"import", "--assets", world.dir() / "assets.json", "--kind",
                                  "ProjectIam*", "--layout", "project"});
  EXPECT_EQ(made.exit_code, 1) << made.err;
  EXPECT_EQ(Files().size(), std::size_t{kProjects});
  EXPECT_THAT(world.dir().Read("manifests/p-100.yaml"),
              HasSubstr("name: p-100-project-pubsub-editor\n"));
  EXPECT_THAT(world.dir().Read("manifests/p-100.yaml"), Not(HasSubstr("ProjectIamMember")));
  ExpectEmptyPlan();
}

TEST_F(Adopt, APolicyThatNamesNoTargetIsImportedForTheGivenOne) {
  world.dir().Write("policy.yaml",
                    "bindings:\n- members:\n  - user:ana@example.com\n  - user:bob@example.com\n"
                    "  role: roles/pubsub.publisher\netag: BwXhqDVbXXo=\nversion: 1\n");
  const std::string file = world.dir() / "policy.yaml";
  const Outcome nameless = world.Run({"import", "--policies", file});
  EXPECT_EQ(nameless.exit_code, 2);
  EXPECT_THAT(nameless.err, HasSubstr("write --policies //HOST/NAME=FILE"));
  EXPECT_THAT(world.Run({"import", "--policies", "projects/p-100=" + file}).err,
              HasSubstr("a resource is named in full: //"));
  const Outcome made = world.Run(
      {"import", "--policies", "//pubsub.googleapis.com/projects/p-100/topics/t0=" + file});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(Files(), std::set<std::string>{"p-100/pubsub-topic/t0.yaml"});
  ExpectEmptyPlan();
  world.dir().Write("flat.json", R"([{"resource": "//pubsub.googleapis.com/projects/p/topics/t",
      "policy": {"bindings": {"role": "roles/a", "members": "user:ana@example.com"}}}])");
  EXPECT_THAT(world.Run({"import", "--assets", world.dir() / "flat.json"}).err,
              HasSubstr("without --flatten"));
}

/// Imports a text, to standard output.
Outcome ImportText(const World& world, const std::string& text) {
  world.dir().Write("export", text);
  return world.Run({"import", "--assets", world.dir() / "export", "--stdout"});
}

TEST_F(Adopt, AnExportToABucketHasOneResourceALine) {
  const std::string topic =
      R"({"name": "//pubsub.googleapis.com/projects/p-100/topics/tN", "asset_type": )"
      R"("pubsub.googleapis.com/Topic", "ancestors": ["projects/300000000"], "iam_policy": )"
      R"({"etag": "BwX=", "bindings": [{"role": "roles/a", "members": ["user:ana@example.com"]}]}})";
  std::string other = topic;
  other.replace(other.find("tN"), 2, "tM");
  const Outcome made = ImportText(world, topic + "\n" + other + "\n");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("name: projects/p-100/topics/tM\n"));
  EXPECT_THAT(made.err, HasSubstr("2 manifests, of 2 policies with 2 grants:\n"));
  EXPECT_THAT(made.err, Not(HasSubstr("takes them up"))) << "no file is written";
  EXPECT_THAT(ImportText(world, topic + "\n{").err, HasSubstr("line 2: "));
}

TEST_F(Adopt, AnAnswerThatGoesOnIsNoExport) {
  const std::string pages[] = {R"({"results": [], "nextPageToken": "next"})", R"({"results": []})"};
  const Outcome first = ImportText(world, pages[0]);
  EXPECT_EQ(first.exit_code, 2);
  EXPECT_THAT(first.err, HasSubstr("put the answers of all pages into the file"));
  EXPECT_EQ(ImportText(world, pages[0] + "\n" + pages[1]).exit_code, 0);
}

TEST_F(Adopt, AResourceThatIsGoneSinceTheScanIsCounted) {
  Scan();
  world.SetFaults(Json::parse(R"([{"operation": "pubsub.getIamPolicy", "target": "*p-100*",
                                  "status": 404}])"));
  const Json made = world.RunJson({"import", "--scope", kOrganization});
  EXPECT_EQ(made.at("gone"), kTopics);
  EXPECT_EQ(made.at("files"), kPolicies - kTopics);
  EXPECT_EQ(made.at("leftOut"), Json::array());
}

TEST_F(Adopt, WhatIsDeclaredStaysAndTheRestJoinsAsMembers) {
  WriteAssets();
  world.dir().Write("manifests/own.yaml", R"(apiVersion: cloudnative:pubsub/v1
kind: TopicIamMember
metadata: {name: own}
spec: {name: projects/p-100/topics/t0, role: roles/pubsub.publisher, member: "user:ana@example.com"}
---
apiVersion: cloudnative:pubsub/v1
kind: TopicIamBinding
metadata: {name: narrow}
spec: {name: projects/p-100/topics/t1, role: roles/pubsub.publisher, members: ["user:ana@example.com"]}
)");
  const Json made = world.RunJson({"import", "--assets", world.dir() / "assets.json"});
  EXPECT_EQ(made.at("classes").at("declared"), 2);
  EXPECT_EQ(made.at("classes").at("leftOut"), 1);
  EXPECT_THAT(made.at("leftOut").dump(), HasSubstr("narrow"));
  EXPECT_THAT(world.dir().Read("manifests/p-100/pubsub-topic/t0.yaml"),
              HasSubstr("name: p-100-topic-t0-pubsub-publisher-user-bob-example-com\n"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
}

TEST_F(AdoptMany, AnImportThatWasKilledContinues) {
  constexpr std::size_t kAll = 1 + kProjects * (1 + kEach);
  Scan();
  world.SetFaults(Json::parse(R"([{"delay": "20ms"}])"));
  const ::pid_t import =
      world.Spawn({"import", "--scope", kOrganization}, world.dir() / "o", world.dir() / "e");
  world.Eventually("the first file", [&] { return !Files().empty(); });
  ::kill(import, SIGKILL);
  int status = 0;
  ::waitpid(import, &status, 0);
  EXPECT_LT(Files().size(), kAll);
  world.SetFaults(Json::array());
  EXPECT_EQ(world.Run({"import", "--scope", kOrganization}).exit_code, 1) << "just-in-time access";
  EXPECT_EQ(Files().size(), kAll);
  ExpectEmptyPlan();
}

TEST_F(Adopt, TheGenericTokenStandsForTheKindOfEachListedResource) {
  world.dir().Write("ids",
                    "//pubsub.googleapis.com/projects/p-100/topics/t0\n"
                    "//cloudresourcemanager.googleapis.com/projects/p-100\n"
                    "//pubsub.googleapis.com/projects/p-100/topics/t1\n");
  const Outcome made =
      world.Run({"import", "cloudnative:iam:IamBinding", "all", "--all", world.dir() / "ids"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(world.dir().Read("manifests/all.yaml"), HasSubstr("kind: TopicIamBinding\n"));
  EXPECT_THAT(world.dir().Read("manifests/all.yaml"), HasSubstr("kind: ProjectIamBinding\n"));
  ExpectEmptyPlan();
}

TEST_F(Adopt, NothingIsWrittenThatBinderyWouldNotRead) {
  Scan();
  world.SetEnvironment("BINDERY_MANIFESTS_MAX_FILES", "10");
  world.ResetRequests();
  const Outcome refused = world.Run({"import", "--scope", kOrganization});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("more files than manifests.maxFiles (10)"));
  EXPECT_THAT(refused.err, HasSubstr("--layout project"));
  EXPECT_EQ(Files(), std::set<std::string>{});
  EXPECT_EQ(world.Requests().at("operations"), Json::object()) << "before anything is read";
  EXPECT_EQ(world.Run({"import", "--scope", kOrganization, "--layout", "project"}).exit_code, 1)
      << "just-in-time access";
  ExpectEmptyPlan();
}

TEST_F(AdoptMany, AnImportThatMeetsTheLimitOfTheFolderSaysHowToGoOn) {
  constexpr std::size_t kAll = 1 + kProjects * (1 + kEach);
  Scan();
  const Outcome preview = world.Run({"import", "--scope", kOrganization, "--stdout", "--quiet"});
  world.SetEnvironment("BINDERY_MANIFESTS_MAX_BYTES", std::to_string(preview.out.size() + 1'000));
  // The policy of the last file grows after the scan.
  Json members = Json::array();
  for (int i = 0; i < 200; ++i) members.push_back("user:u" + std::to_string(i) + "@example.com");
  const Json policy = {{"bindings", {{{"role", "roles/pubsub.publisher"}, {"members", members}}}}};
  const HttpResult set =
      world.Cloud("POST", "/pubsub.googleapis.com/v1/projects/p-102/topics/t9:setIamPolicy",
                  Json{{"policy", policy}}.dump());
  ASSERT_EQ(set.status, 200) << set.body;
  const Outcome refused = world.Run({"import", "--scope", kOrganization});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("more bytes than manifests.maxBytes"));
  const std::size_t written = Files().size();
  EXPECT_GT(written, 0U);
  EXPECT_LT(written, kAll);
  EXPECT_THAT(refused.err, HasSubstr(std::to_string(written) +
                                     " files were written before and stay, each of them whole: "
                                     "repeat the command"));
  world.SetEnvironment("BINDERY_MANIFESTS_MAX_BYTES", "10000000");
  EXPECT_EQ(world.Run({"import", "--scope", kOrganization}).exit_code, 1) << "just-in-time access";
  EXPECT_EQ(Files().size(), kAll);
  ExpectEmptyPlan();
}

TEST_F(Adopt, APreviewNeedsNoRoomInTheFolder) {
  Scan();
  world.SetEnvironment("BINDERY_MANIFESTS_MAX_FILES", "1");
  const Outcome preview = world.Run({"import", "--scope", kOrganization, "--stdout"});
  EXPECT_EQ(preview.exit_code, 1) << preview.err;
  EXPECT_THAT(preview.out, HasSubstr("kind: TopicIamBinding"));
}

}  // namespace
}  // namespace bindery::testing
