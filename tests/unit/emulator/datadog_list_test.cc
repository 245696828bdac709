// Lists of roles, teams and users.

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kPrincipals = R"(
roles:
  - {id: 11111111-1111-4111-8111-111111111111, name: Payments Viewer, permissions: [logs_read]}
  - Viewer
teams:
  - {id: 22222222-2222-4222-8222-222222222222, handle: data-sre, name: Data SRE}
  - sre
users:
  - id: 33333333-3333-4333-8333-333333333333
    handle: ana@example.com
    name: Ana
    roles: [Payments Viewer]
  - {id: 44444444-4444-4444-8444-444444444444, handle: joana@example.com, disabled: true}
)";

class DatadogListTest : public EmulatorTest {
 protected:
  void SetUp() override { Run(kPrincipals); }

  /// That attribute of all entries of the answer.
  std::vector<std::string> Listed(const std::string& path, const std::string& attribute) {
    std::vector<std::string> values;
    const Json answer = Call("GET", path, 200);
    for (const Json& entry : answer.at("data")) {
      values.push_back(entry.at("attributes").at(attribute).get<std::string>());
    }
    return values;
  }
};

TEST_F(DatadogListTest, TheFilterIsASearchForAPartInAnyCase) {
  EXPECT_THAT(Listed("/api/v2/roles?filter=viewer&sort=name", "name"),
              ElementsAre("Payments Viewer", "Viewer"));
  EXPECT_THAT(Listed("/api/v2/roles?filter=viewer&sort=-name", "name"),
              ElementsAre("Viewer", "Payments Viewer"));
  EXPECT_THAT(Listed("/api/v2/roles?filter=none", "name"), IsEmpty());
  EXPECT_THAT(Listed("/api/v2/team?filter%5Bkeyword%5D=SRE", "handle"),
              ElementsAre("data-sre", "sre"));
  EXPECT_THAT(Listed("/api/v2/users?filter=ana%40example.com", "email"),
              ElementsAre("ana@example.com", "joana@example.com"));
}

TEST_F(DatadogListTest, EntriesHaveTheShapeOfTheService) {
  const Json roles = Call("GET", "/api/v2/roles?filter=Payments", 200);
  EXPECT_EQ(roles.at("data").at(0).at("type"), "roles");
  EXPECT_EQ(roles.at("data").at(0).at("id"), "11111111-1111-4111-8111-111111111111");
  EXPECT_EQ(roles.at("data").at(0).at("relationships").at("permissions").at("data").size(), 1U);
  EXPECT_EQ(roles.at("meta").at("page").at("total_filtered_count"), 1);
  EXPECT_EQ(roles.at("meta").at("page").at("total_count"), 3) << "with the default role of Joana";
  const Json teams = Call("GET", "/api/v2/team?filter[keyword]=data", 200);
  EXPECT_EQ(teams.at("data").at(0).at("type"), "team");
  EXPECT_EQ(teams.at("data").at(0).at("attributes").at("name"), "Data SRE");
  EXPECT_EQ(teams.at("meta").at("pagination").at("total"), 1);
  EXPECT_EQ(teams.at("links").at("next"), nullptr);
  const Json users = Call("GET", "/api/v2/users?filter=joana", 200);
  EXPECT_EQ(users.at("data").at(0).at("attributes").at("disabled"), true);
  EXPECT_EQ(users.at("data").at(0).at("attributes").at("service_account"), false);
}

TEST_F(DatadogListTest, AUserHasTheSeededRoleThatItNames) {
  const Json user = Call("GET", "/api/v2/current_user", 200);
  EXPECT_EQ(user.at("data").at("relationships").at("roles").at("data").at(0).at("id"),
            "11111111-1111-4111-8111-111111111111");
}

TEST_F(DatadogListTest, PagesAreOfTenUnlessMoreIsAskedForAndOfAHundredAtMost) {
  std::string seed = "roles:\n";
  for (int i = 100; i < 350; ++i) seed += "  - role " + std::to_string(i) + "\n";
  RunAfresh(seed);
  EXPECT_THAT(Listed("/api/v2/roles?filter=role+", "name"), ::testing::SizeIs(10));
  EXPECT_THAT(Listed("/api/v2/roles?filter=role+&page[size]=100&page[number]=2", "name"),
              ::testing::SizeIs(50));
  EXPECT_THAT(Listed("/api/v2/roles?filter=role+&page[size]=100&page[number]=3", "name"),
              IsEmpty());
  for (const char* query :
       {"page[size]=101", "page[size]=0", "page[size]=x", "page[number]=-1", "sort=age"}) {
    EXPECT_THAT(Call("GET", std::string("/api/v2/roles?") + query, 400).at("errors").at(0),
                HasSubstr("Invalid request"))
        << query;
  }
}

TEST_F(DatadogListTest, WithoutASeedThereIsAnAdministrator) {
  RunAfresh("{}");
  EXPECT_THAT(Listed("/api/v2/roles", "name"), ElementsAre("Datadog Admin Role"));
  EXPECT_THAT(Listed("/api/v2/users", "email"), ElementsAre("admin@example.com"));
  EXPECT_THAT(Listed("/api/v2/team", "handle"), IsEmpty());
}

TEST_F(DatadogListTest, OnlyReadersWithThePermissionSeeThem) {
  RunAfresh(std::string(kPrincipals) +
            "credentials:\n  - {apiKey: api, appKey: app, permissions: [\"roles.list\"]}\n");
  const testing::HttpHeaders keys = {{"DD-API-KEY", "api"}, {"DD-APPLICATION-KEY", "app"}};
  Call("GET", "/api/v2/roles", 200, "", keys);
  EXPECT_EQ(Call("GET", "/api/v2/team", 403, "", keys).dump(), R"({"errors":["Forbidden"]})");
  EXPECT_EQ(Call("GET", "/api/v2/users", 403).dump(), R"({"errors":["API key required"]})");
  Call("POST", "/api/v2/roles", 404, "{}", keys);
}

TEST_F(DatadogListTest, TheSeedComesBackAsItWasAndSaysWhatIsWrongWithIt) {
  const Json seed = Call("GET", "/_emulator/seed", 200);
  EXPECT_EQ(seed.at("roles").at(1).dump(), R"({"name":"Viewer"})");
  EXPECT_EQ(seed.at("teams").at(0).at("handle"), "data-sre");
  Call("PUT", "/_emulator/seed", 200, seed.dump());
  EXPECT_EQ(Call("GET", "/_emulator/seed", 200), seed);
  EXPECT_THAT(Listed("/api/v2/team", "handle"), ElementsAre("data-sre", "sre"));
  for (const auto& [text, said] : {std::pair("teams: [{name: SRE}]", "missing handle"),
                                   std::pair("roles: [{name: a, handle: b}]", "handle"),
                                   std::pair("roles: [a, a]", "\"a\" is listed twice")}) {
    EXPECT_THAT(Call("PUT", "/_emulator/seed", 400, text).at("error").get<std::string>(),
                HasSubstr(said));
  }
}

}  // namespace
}  // namespace bindery::emulator
