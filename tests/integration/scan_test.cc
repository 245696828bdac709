// Scans of a cloud and the coverage of what they found: alone, beside a daemon, and cut off.

#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kProjects = 30;
constexpr int kTopicsOfEach = 39;
constexpr const char* kOrganization = "organizations/100000000001";

/// Of each project its own policy and those of its topics: 30 * 40 policies, three pages.
std::string LargeSeed() {
  std::string seed = R"(
authorizationPolicies: [projects/acme/locations/global/authorizationPolicies/payments]
folders:
  - {name: folders/20}
  - {name: folders/21, parent: folders/20}
iamPolicies:
  //cloudresourcemanager.googleapis.com/organizations/100000000001:
)";
  std::string projects = "projects:\n";
  for (int i = 0; i < kProjects; ++i) {
    const std::string project = "p-" + std::to_string(100 + i);
    projects += "  - {id: " + project + ", number: \"" + std::to_string(415104041000 + i) +
                "\", parent: folders/2" + std::to_string(i % 2) + "}\n";
    seed += "  //cloudresourcemanager.googleapis.com/projects/" + project +
            ":\n    bindings: [{role: roles/viewer, members: [\"group:all@example.com\", "
            "\"user:ana@example.com\"]}]\n";
    for (int j = 0; j < kTopicsOfEach; ++j) {
      seed += "  //pubsub.googleapis.com/projects/" + project + "/topics/t" + std::to_string(j) +
              ":\n    bindings: [{role: roles/pubsub.publisher, members: "
              "[\"user:ana@example.com\", \"user:bob@example.com\"]}]\n";
    }
  }
  return seed + projects;
}

/// The classes add up to all grants, and so do the groups.
void ExpectSums(const Json& coverage) {
  std::int64_t sum = 0;
  for (const auto& [name, count] : coverage.at("classes").items()) sum += count.get<std::int64_t>();
  EXPECT_EQ(sum, coverage.at("grants").get<std::int64_t>());
  if (!coverage.contains("groups")) return;
  sum = 0;
  for (const Json& group : coverage.at("groups")) sum += group.at("grants").get<std::int64_t>();
  EXPECT_EQ(sum, coverage.at("grants").get<std::int64_t>());
}

TEST(Scan, AnEmptyFolderLearnsWhatThereIsInAnOrganization) {
  World world(LargeSeed());
  EXPECT_THAT(world.Run({"coverage"}).err, HasSubstr("no scan is finished: bindery scan"));
  world.ResetRequests();
  const Json scan = world.RunJson({"scan", "--scope", kOrganization});
  EXPECT_EQ(StringMember(scan, "state"), "done");
  EXPECT_EQ(scan.at("policies"), kProjects * (kTopicsOfEach + 1));
  EXPECT_EQ(world.Count("cloudasset.searchAllIamPolicies"), 3);
  EXPECT_EQ(world.Count("cloudasset.searchAllResources"), 1);

  world.ResetRequests();
  for (const std::string by : {"project", "folder", "kind", "role", "principal", "severity"}) {
    const Json coverage = world.RunJson({"coverage", "--by", by});
    ExpectSums(coverage);
    EXPECT_EQ(StringMember(coverage, "scope"), kOrganization);
    EXPECT_EQ(coverage.at("classes").at("unmanaged"), kProjects * (2 * kTopicsOfEach + 2));
    EXPECT_FALSE(coverage.at("notLookedAt").empty());
    EXPECT_NE(StringMember(coverage, "asOf"), "");
    if (by == "project") {
      EXPECT_EQ(coverage.at("groups").size(), std::size_t{kProjects});
    }
    if (by == "folder") {
      EXPECT_EQ(coverage.at("groups").size(), 2U);
    }
  }
  EXPECT_EQ(world.Requests().at("operations"), Json::object()) << "coverage asks no cloud";
  EXPECT_THAT(world.Run({"coverage"}).out, HasSubstr("Not looked at:\n- deny policies"));
  EXPECT_EQ(world.Run({"coverage", "--by", "colour"}).exit_code, 2);
  EXPECT_EQ(world.Run({"scan", "--scope", "acme"}).exit_code, 2);
}

TEST(Scan, DriftShowsUnmanagedGrantsApartAndCountsThemIfAsked) {
  World world(LargeSeed());
  ASSERT_EQ(world.Run({"scan", "--scope", kOrganization}).exit_code, 0);
  const Json drift = world.RunJson({"drift"});
  const Json& unmanaged = drift.at("unmanaged");
  EXPECT_EQ(unmanaged.at("grants"), world.RunJson({"coverage"}).at("classes").at("unmanaged"));
  EXPECT_EQ(unmanaged.at("targets"), kProjects * (kTopicsOfEach + 1));
  EXPECT_EQ(unmanaged.at("roles").size(), 100U) << "a report stays small";
  EXPECT_EQ(unmanaged.at("moreRoles"), kProjects * (kTopicsOfEach + 1) - 100);
  EXPECT_EQ(drift.at("summary").at("open"), 0);
  EXPECT_EQ(world.Run({"drift"}).exit_code, 0) << "no drift";
  const Outcome listed = world.Run({"drift", "--unmanaged"});
  EXPECT_EQ(listed.exit_code, 1);
  EXPECT_THAT(listed.out, HasSubstr("roles/viewer"));
  EXPECT_THAT(listed.out, HasSubstr("targets that nobody manages"));
}

TEST(Scan, AScanThatWasCutOffGoesOnAtItsPage) {
  World world(LargeSeed());
  world.SetFaults(Json::parse(R"([{"operation": "cloudasset.searchAllResources", "times": 1,
                                   "status": 429, "retryAfter": "1s"}])"));
  EXPECT_EQ(world.Run({"scan", "--scope", kOrganization}).exit_code, 0) << "a quota is waited out";
  world.SetFaults(
      Json::parse(R"([{"operation": "cloudasset.searchAllIamPolicies", "status": 403}])"));
  const Outcome refused = world.Run({"scan", "--scope", kOrganization});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("policies"));
  EXPECT_EQ(world.Run({"coverage"}).exit_code, 0) << "by the scan before";
  world.SetFaults(Json::array());
  world.ResetRequests();
  EXPECT_EQ(world.Run({"scan", "--scope", kOrganization}).exit_code, 0);
  EXPECT_EQ(world.Count("cloudasset.searchAllResources"), 0) << "the hierarchy was read before";
  EXPECT_EQ(world.Count("cloudasset.searchAllIamPolicies"), 3);
}

TEST(Scan, ARefusedHierarchyIsSaidAndTheRestIsRead) {
  World world(LargeSeed());
  world.SetFaults(
      Json::parse(R"([{"operation": "cloudasset.searchAllResources", "status": 403}])"));
  const Json scan = world.RunJson({"scan", "--scope", kOrganization});
  EXPECT_THAT(scan.at("unread").dump(), HasSubstr("the hierarchy: "));
  const Json coverage = world.RunJson({"coverage"});
  ExpectSums(coverage);
  EXPECT_THAT(coverage.at("notLookedAt").dump(),
              HasSubstr("refused by the service: the hierarchy"));
}

TEST(Scan, BesideADaemonItGoesThroughItsSocketAndDeclaredGrantsAreTold) {
  World world(LargeSeed());
  world.dir().Write("manifests/a.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: viewers}
spec:
  name: projects/p-100
  role: roles/viewer
  members: ["user:ana@example.com"]
options: {mode: observe}
)");
  world.StartDaemon();
  world.Eventually("read", [&] { return world.Reason("viewers") != ""; });
  EXPECT_EQ(world.Ask("GET", "/api/v1/coverage").status, 404);
  const Outcome scan = world.Run({"scan", "--scope", kOrganization});
  EXPECT_EQ(scan.exit_code, 0) << scan.err;
  EXPECT_THAT(scan.out, HasSubstr("1200 policies"));
  const Json coverage = *ParseJson(world.Ask("GET", "/api/v1/coverage?by=kind").body);
  ExpectSums(coverage);
  EXPECT_EQ(coverage.at("classes").at("declared"), 1);
  EXPECT_EQ(coverage.at("classes").at("undeclared"), 1);
  EXPECT_EQ(world.RunJson({"coverage", "--by", "kind"}).at("classes"), coverage.at("classes"));
  const Json drift = *ParseJson(world.Ask("GET", "/api/v1/drift").body);
  EXPECT_EQ(drift.at("unmanaged").at("grants"), coverage.at("classes").at("unmanaged"));
  EXPECT_THAT(world.Ask("GET", "/drift").body, HasSubstr("targets that nobody manages"));
  const Json scans = *ParseJson(world.Ask("GET", "/api/v1/scans").body);
  EXPECT_EQ(StringMember(scans.at("scans").at(0), "state"), "done");
  EXPECT_THAT(world.Ask("GET", "/coverage?by=folder").body, HasSubstr("folders/<wbr>21"));
  EXPECT_THAT(world.Ask("GET", "/metrics").body,
              HasSubstr("bindery_coverage_grants{class=\"undeclared\"} 1\n"));
  EXPECT_EQ(world.Ask("POST", "/api/v1/scans", R"({"scope": "acme"})").status, 400);
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

/// An organization with one project, in which one group has a role.
constexpr const char* kSmallSeed = R"(
projects: [{id: acme, number: "415104041262", parent: organizations/100000000001}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings: [{role: roles/browser, members: ["group:all@example.com"]}]
)";

TEST(Scan, AfterItThePlanKnowsThatNothingWasDeleted) {
  World world(kSmallSeed);
  ASSERT_EQ(world.Run({"scan", "--scope", kOrganization}).exit_code, 0);
  ASSERT_EQ(world.Run({"import", "--scope", kOrganization}).exit_code, 0);
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << plan.out << plan.err;
  EXPECT_THAT(plan.err, Not(HasSubstr("cannot be known")));
}

TEST(Scan, ASearchedExportDoesNotTellItsQueryAndTheImportSaysSo) {
  World world(kSmallSeed);
  const HttpResult answer =
      world.Cloud("GET", "/v1/" + std::string(kOrganization) + ":searchAllIamPolicies");
  world.dir().Write("assets.json", ParseJson(answer.body)->at("results").dump());
  const std::string assets = world.dir() / "assets.json";
  constexpr const char* kNotKnown =
      "not known: whether the search that made the export had a query";
  EXPECT_THAT(world.Run({"import", "--assets", assets, "--stdout"}).err, HasSubstr(kNotKnown));
  const std::string folder = world.dir() / "elsewhere";
  const Outcome made = world.Run({"import", "--assets", assets, "-d", folder});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr(kNotKnown));
  EXPECT_THAT(made.out, Not(HasSubstr("nothing changes")));
  EXPECT_EQ(world.Run({"plan", "--base", folder, "--manifests", folder}).exit_code, 0);
  EXPECT_THAT(world.Run({"validate", folder}).out, HasSubstr("1 manifest"));
  // A list has whole policies.
  world.dir().Write("listed.json",
                    R"([{"name": "//cloudresourcemanager.googleapis.com/projects/acme",
      "assetType": "cloudresourcemanager.googleapis.com/Project", "ancestors": ["projects/1"],
      "iamPolicy": {"bindings": [{"role": "roles/browser", "members": ["user:ana@example.com"]}]}}])");
  const Json listed = world.RunJson({"import", "--assets", world.dir() / "listed.json"});
  EXPECT_THAT(listed.at("notKnown"), ::testing::IsEmpty()) << listed.dump();
}

}  // namespace
}  // namespace bindery::testing
