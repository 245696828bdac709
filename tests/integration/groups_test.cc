// Answers about access with the members of groups, as Cloud Identity tells them.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr int kManyMembers = 5'000;
constexpr const char* kTopic = "projects/acme/topics/orders";

/// Groups in a circle, one with members of a different domain, one of many pages, one that nobody
/// may see.
std::string GroupSeed() {
  std::string seed = R"(
authorizationPolicies: [projects/acme/locations/global/authorizationPolicies/payments]
projects:
  - {id: acme, number: "415104041262"}
groups:
  - {email: eng@example.com, members: ["user:ana@example.com", "group:leads@example.com"]}
  - {email: leads@example.com, members: ["user:lea@partner.test", "group:eng@example.com"]}
  - email: all@example.com
    members:
)";
  for (int i = 0; i < kManyMembers; ++i) {
    seed += "      - user:u" + std::to_string(i) + "@example.com\n";
  }
  return seed + R"(
iamPolicies:
  //pubsub.googleapis.com/projects/acme/topics/orders:
    bindings:
      - {role: roles/pubsub.viewer, members: ["group:Eng@example.com"]}
      - {role: roles/pubsub.publisher, members: ["group:secret@example.com"]}
      - {role: roles/pubsub.editor, members: ["group:all@example.com"]}
)";
}

void AskCloudIdentity(const World& world, const std::string& groups = "cloudidentity") {
  std::string text = world.dir().Read("bindery.yaml");
  const std::string project = "    project: acme\n";
  text.insert(text.find(project) + project.size(), "    groups: " + groups + "\n");
  const std::string endpoint = "{networksecurity:";
  text.insert(text.find(endpoint) + 1, "cloudidentity: \"" + world.CloudUrl() + "\", ");
  world.dir().Write("bindery.yaml", text);
}

/// "granted roles/pubsub.viewer"
std::vector<std::string> Lines(const Json& report) {
  std::vector<std::string> lines;
  for (const Json& answer : report.at("answers")) {
    lines.push_back(StringMember(answer, "verdict") + " " +
                    StringMember(answer.at("grant"), "role"));
  }
  return lines;
}

struct Groups : ::testing::Test {
  Groups() : world(GroupSeed()) {
    AskCloudIdentity(world);
    EXPECT_EQ(world.Run({"scan", "--scope", "projects/acme"}).exit_code, 0);
    world.ResetRequests();
  }
  World world;
};

TEST_F(Groups, MembersAlsoOfGroupsInsideHoldWhatTheGroupHolds) {
  const Json inside = world.RunJson({"access", "of", "user:lea@partner.test", kTopic});
  EXPECT_THAT(Lines(inside),
              ElementsAre("granted roles/pubsub.viewer", "depends roles/pubsub.publisher"));
  EXPECT_THAT(StringMember(inside.at("answers").at(0), "note"),
              HasSubstr("a member by Cloud Identity at 20"));
  EXPECT_THAT(inside.at("notConsidered").dump(),
              HasSubstr("members of group:secret@example.com: Cloud Identity: PERMISSION_DENIED"));
  EXPECT_THAT(inside.at("answers").at(1).dump(), HasSubstr("or it may not exist"));
  EXPECT_EQ(world.Count("cloudidentity.groups.lookup"), 4) << "each group once";

  const Json stranger = world.RunJson({"access", "of", "user:eve@example.com", kTopic});
  EXPECT_THAT(Lines(stranger), ElementsAre("depends roles/pubsub.publisher"));
  world.ResetRequests();
  std::ignore = world.RunJson({"access", "of", "user:eve@example.com", kTopic, "--direct"});
  EXPECT_EQ(world.Requests().at("operations"), Json::object()) << "nobody asked about groups";
}

TEST_F(Groups, AGroupOfManyMembersIsReadPageByPage) {
  const Json last = world.RunJson({"access", "of", "user:u4999@example.com", kTopic});
  EXPECT_THAT(Lines(last), Contains("granted roles/pubsub.editor"));
  // Ten pages of it, and one of each of the two other groups.
  EXPECT_EQ(world.Count("cloudidentity.groups.memberships.list"), 12);
  const Json holders = world.RunJson({"access", "who-can", "roles/pubsub.editor", kTopic});
  EXPECT_EQ(holders.at("answers").size(), std::size_t{kManyMembers + 1});
  EXPECT_EQ(StringMember(holders.at("answers").at(0), "principal"), "group:all@example.com");
}

TEST_F(Groups, AtAQuotaTheRestIsLeftOpenAndSaid) {
  world.SetFaults(
      Json::parse(R"([{"operation": "cloudidentity.groups.memberships.list", "status": 429}])"));
  const Json report = world.RunJson({"access", "of", "user:ana@example.com", kTopic});
  EXPECT_THAT(Lines(report),
              UnorderedElementsAre("depends roles/pubsub.viewer", "depends roles/pubsub.publisher",
                                   "depends roles/pubsub.editor"));
  EXPECT_THAT(report.at("notConsidered").dump(), HasSubstr("RESOURCE_EXHAUSTED"));
  EXPECT_EQ(world.Count("cloudidentity.groups.lookup"), 1) << "nothing is asked after a quota";
}

TEST_F(Groups, TheDaemonKeepsAnswersAndSaysHowOldTheyAre) {
  world.StartDaemon();
  const std::string path =
      std::string("/api/v1/access?principal=user:ana@example.com&target=") + kTopic;
  const auto ask = [&] {
    const HttpResult result = world.Ask("GET", path);
    EXPECT_EQ(result.status, 200) << result.body;
    return ParseJson(result.body).value_or(Json());
  };
  world.Eventually("the provider is connected",
                   [&] { return Lines(ask()).front() == "granted roles/pubsub.viewer"; });
  const Json first = ask();
  world.SetFaults(Json::parse(R"([{"operation": "cloudidentity.*", "status": 503}])"));
  const Json second = ask();
  EXPECT_EQ(first.at("answers"), second.at("answers")) << "with the time of the first answer";
  EXPECT_THAT(world.Ask("GET", std::string("/access?role=*&target=") + kTopic).body,
              HasSubstr("a member by Cloud Identity at"));
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST_F(Groups, ACheckNamesWhatIsNeeded) {
  const auto groups_check = [&] {
    const Json report = world.RunJson({"check"});
    for (const Json& check : report.at("checks")) {
      if (StringMember(check, "check") == "groups") return check;
    }
    return Json(Json::object());
  };
  EXPECT_THAT(StringMember(groups_check(), "message"), HasSubstr("no manifest names a group"));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[\"group:eng@example.com\"]"));
  EXPECT_EQ(StringMember(groups_check(), "state"), "ok");
  world.SetFaults(Json::parse(R"([{"operation": "cloudidentity.*", "status": 403}])"));
  const Json refused = groups_check();
  EXPECT_EQ(StringMember(refused, "state"), "warning");
  EXPECT_THAT(
      StringMember(refused, "action"),
      ::testing::AllOf(HasSubstr("Groups Reader"), HasSubstr("cloud-identity.groups.readonly")));
}

TEST_F(Groups, WithoutTheSettingNobodyIsAsked) {
  world.Configure("");
  const Json report = world.RunJson({"access", "of", "user:ana@example.com", kTopic});
  EXPECT_THAT(Lines(report), Not(Contains(HasSubstr("granted"))));
  EXPECT_EQ(world.Requests().at("operations"), Json::object());
  AskCloudIdentity(world, "ldap");
  EXPECT_THAT(world.Run({"access", "of", "user:ana@example.com"}).err, HasSubstr("groups.source"));
}

}  // namespace
}  // namespace bindery::testing
