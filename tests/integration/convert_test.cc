// Programs of other tools as manifests that can be planned.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The code block of that language of the page, by its place among those.
std::string BlockOfPage(const std::string& language, std::size_t nth = 0) {
  std::ifstream in(BINDERY_SOURCE "/docs/convert.md");
  std::ostringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  const std::string opening = "```" + language + "\n";
  std::size_t at = text.find(opening);
  for (; nth > 0 && at != std::string::npos; --nth) at = text.find(opening, at + 1);
  if (at == std::string::npos) throw std::runtime_error("no such block: " + language);
  at += opening.size();
  return text.substr(at, text.find("```", at) - at);
}

TEST(Convert, ThePulumiProgramOfThePageBecomesTheManifestsOfThePage) {
  World world(kSeed);
  world.dir().Write("Pulumi.yaml", BlockOfPage("yaml"));
  const Outcome made = world.Run({"convert", world.dir() / "Pulumi.yaml"});
  EXPECT_EQ(made.out, BlockOfPage("yaml", 1));
  std::string remarks = made.err;
  const std::string folder = world.dir().path().string() + "/";
  for (auto at = remarks.find(folder); at != std::string::npos; at = remarks.find(folder)) {
    remarks.erase(at, folder.size());
  }
  EXPECT_EQ(remarks, BlockOfPage("text"));
  EXPECT_EQ(made.exit_code, 1);
}

TEST(Convert, WhatIsWrittenIsPlannedAndNeverOverwritten) {
  World world(std::string(kSeed) + "users: [{id: u1, handle: ana@example.com, orgId: o1}]\n");
  world.dir().Write("main.tf.json", BlockOfPage("json"));
  const std::string program = world.dir() / "main.tf.json";
  const std::string folder = world.dir() / "manifests";
  const Outcome made = world.Run({"convert", program, "-d", folder});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("payments-viewers.yaml: from resource."));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 1) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("user:ana@example.com gains roles/viewer"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);

  const Outcome again = world.Run({"convert", program, "-d", folder});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("nothing is written: name a folder without these files"));
}

TEST(Convert, ConflictsBetweenManifestsLeaveThemOut) {
  World world(kSeed);
  world.dir().Write("p.yaml", R"(
resources:
  a: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:aaa-bbb-ccc", bindings: []}}
  b: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:aaa-bbb-ccc", bindings: []}}
  c: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:ccc-bbb-ccc", bindings: []}, options: {dependsOn: ["${d}"]}}
  d: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:ddd-bbb-ccc", bindings: "${c.bindings}"}}
  e: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:eee-bbb-ccc", bindings: []}}
)");
  const Json report = world.RunJson({"convert", world.dir() / "p.yaml"});
  // The value of "c" is written out in "d", which therefore does not depend on "c" any more.
  ASSERT_EQ(report.at("manifests").size(), 3U) << report.dump(2);
  EXPECT_EQ(report.at("manifests").at(0).at("name"), "c");
  EXPECT_EQ(report.at("manifests").at(1).at("name"), "d");
  EXPECT_EQ(report.at("manifests").at(2).at("name"), "e");
  EXPECT_EQ(report.at("manifests").at(0).at("manifest").at("kind"), "RestrictionPolicy");
  EXPECT_GE(report.at("leftOut").size(), 2U);
}

/// The names of the manifests, and what counts as left out.
std::vector<std::string> ListNames(const Json& report) {
  std::vector<std::string> names;
  for (const Json& manifest : report.at("manifests")) {
    names.push_back(manifest.at("name").get<std::string>());
  }
  return names;
}

/// A binding of a project for the tests below.
std::string DeclaredBinding(const std::string& name, const std::string& role,
                            const std::string& members, const std::string& more = "") {
  return "\"" + name + R"(": {"project": "acme", "role": ")" + role + R"(", "members": [)" +
         members + "]" + more + "}";
}

TEST(Convert, NothingTakesAccessFromWhatIsLeftOut) {
  const std::string viewer = "roles/pubsub.viewer";
  const std::string bob = "\"user:bob@example.com\"";
  const std::string condition = R"json(, "condition": {"title": "t",
      "expression": "request.time < timestamp(\"2027-01-01T00:00:00Z\")"})json";
  const std::string rival = DeclaredBinding("rival", viewer, bob, condition);
  const std::string other = DeclaredBinding("other", "roles/browser", bob);
  const std::pair<const char*, std::string> left_out[] = {
      {"its members are not known", DeclaredBinding("all", viewer, "\"${var.team}\"")},
      {"its role is not known", DeclaredBinding("all", "${var.role}", bob)},
      {"it is repeated", DeclaredBinding("all", viewer, bob, R"(, "count": "${var.on ? 1 : 0}")")},
      {"its members are wrong", DeclaredBinding("all", viewer, "\"ana\"")},
  };
  for (const auto& [why, all] : left_out) {
    World world(kSeed);
    world.dir().Write("main.tf.json", R"({"resource": {"google_project_iam_binding": {)" + all +
                                          ", " + rival + ", " + other + "}}}");
    const Outcome made = world.Run({"convert", world.dir() / "main.tf.json", "-o", "json"});
    EXPECT_EQ(made.exit_code, 1) << why;
    EXPECT_THAT(made.err, HasSubstr("rival: left out: the whole resource: it would take access"))
        << why;
    const std::vector<std::string> names = ListNames(Json::parse(made.out));
    EXPECT_EQ(std::count(names.begin(), names.end(), "rival"), 0) << why;
  }
}

TEST(Convert, WhatIsOfAnotherTargetOrRoleStays) {
  World world(kSeed);
  world.dir().Write("main.tf.json",
                    R"({"resource": {"google_project_iam_binding": {)" +
                        DeclaredBinding("all", "roles/pubsub.viewer", "\"${var.team}\"") + ", " +
                        DeclaredBinding("other", "roles/browser", "\"user:bob@example.com\"") +
                        R"(}, "google_project_iam_member": {"beside": {"project": "acme",
              "role": "roles/pubsub.viewer", "member": "user:bob@example.com"}}}})");
  const Outcome made = world.Run({"convert", world.dir() / "main.tf.json", "-o", "json"});
  EXPECT_EQ(ListNames(Json::parse(made.out)), (std::vector<std::string>{"other", "beside"}));
}

TEST(Convert, AProjectIsThatOfTheDefaultProviderOrNone) {
  constexpr const char* kOne = "providers: {cloudnative: {type: cloudnative, project: acme}}\n";
  constexpr const char* kTwo =
      "providers: {another: {type: cloudnative, project: two},"
      " cloudnative: {type: cloudnative, project: acme}}\n";
  constexpr const char* kUnnamed = "providers: {cloudnative: {type: cloudnative}}\n";
  const std::pair<const char*, const char*> cases[] = {
      {"", ""}, {kOne, "name: projects/acme"}, {kTwo, "name: projects/acme"}, {kUnnamed, ""}};
  constexpr const char* kOnProject =
      R"("google_project_iam_member": {"a": {"role": "roles/viewer", "member": "user:a@example.com"}})";
  for (const auto& [config, name] : cases) {
    World world(kSeed);
    world.dir().Write("bare/main.tf.json", R"({"resource": {)" + std::string(kOnProject) + "}}");
    if (config[0] != 0) world.dir().Write("bare/bindery.yaml", config);
    const std::string command =
        "cd '" + std::string(world.dir() / "bare") +
        "' && env -u BINDERY_CONFIG '" BINDERY_PROGRAM "' convert main.tf.json" +
        (config[0] == 0 ? "" : " -c bindery.yaml") + " > out.txt 2> err.txt";
    const int status = std::system(command.c_str());
    const std::string err = world.dir().Read("bare/err.txt");
    EXPECT_EQ(WEXITSTATUS(status), name[0] == 0 ? 1 : 0) << config << err;
    if (name[0] == 0) {
      EXPECT_EQ(world.dir().Read("bare/out.txt"), "") << config;
      EXPECT_THAT(err, HasSubstr("nor the project of bindery.yaml (-c)")) << config;
    } else {
      EXPECT_THAT(world.dir().Read("bare/out.txt"), HasSubstr(name)) << config;
    }
  }
}

TEST(Convert, AStateIsPlannedWithoutAChangeWhereTheCloudIsAsItSays) {
  World world(kSeed);
  const std::string policy = "projects/acme/locations/global/authorizationPolicies/payments";
  world.dir().Write("terraform.tfstate", R"({"version": 4, "terraform_version": "1.11.4",
    "serial": 1, "lineage": "x", "outputs": {}, "resources": [{"mode": "managed",
    "type": "google_network_security_authorization_policy_iam_binding", "name": "viewers",
    "provider": "provider[\"registry.terraform.io/hashicorp/google\"]", "instances": [
      {"schema_version": 0, "attributes": {"condition": [], "etag": "BwY=", "id": "x",
       "location": "global", "name": ")" + policy +
                                             R"(", "project": "acme",
       "members": ["user:ana@example.com"], "role": "roles/viewer"}}]}]})");
  const Outcome made =
      world.Run({"convert", world.dir() / "terraform.tfstate", "-d", world.dir() / "manifests"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST(Convert, WhatCannotBeUsedIsRefused) {
  World world(kSeed);
  for (const char* name : {"none.yaml", "manifests", "bindery.yaml"}) {
    const Outcome made = world.Run({"convert", world.dir() / name});
    EXPECT_EQ(made.exit_code, 2) << name;
    EXPECT_THAT(made.out, IsEmpty());
  }
  world.dir().Write("large.yaml", std::string(2U << 20U, 'x'));
  EXPECT_THAT(world.Run({"convert", world.dir() / "large.yaml"}).err, HasSubstr("is larger than"));
  world.dir().Write("large.json", std::string((64U << 20U) + 1, ' '));
  EXPECT_THAT(world.Run({"convert", world.dir() / "large.json"}).err,
              HasSubstr("larger than 64 MiB"));
}

}  // namespace
}  // namespace bindery::testing
