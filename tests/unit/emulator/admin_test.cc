#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;

class AdminTest : public EmulatorTest {
 protected:
  Json Counts() { return Call("GET", "/_emulator/requests", 200); }
};

TEST_F(AdminTest, CountsCallsByOperationButNotItself) {
  Read();
  Read(kServerName);
  Read(kServerName);
  Write(Json::object());
  Call("POST", "/v1/" + std::string(kPolicyName) + ":testIamPermissions", 200, "{}");
  Call("GET", "/v1/" + std::string(kPolicyName), 200);
  Call("GET", "/v1/" + std::string(kFileName), 200);
  Call("GET", "/api/v2/current_user", 200);
  Call("GET", "/api/v2/restriction_policy/slo:1", 200);
  Call("DELETE", "/api/v2/restriction_policy/slo:1", 204);
  Call("POST", "/api/v2/restriction_policy/slo:1", 400);
  Call("GET", "/nothing", 404);
  const Json expected = {{"backupdr.getIamPolicy", 2},
                         {"currentUser.get", 1},
                         {"migrationcenter.get", 1},
                         {"networksecurity.get", 1},
                         {"networksecurity.getIamPolicy", 1},
                         {"networksecurity.setIamPolicy", 1},
                         {"networksecurity.testIamPermissions", 1},
                         {"restrictionPolicy.delete", 1},
                         {"restrictionPolicy.get", 1},
                         {"restrictionPolicy.post", 1},
                         {"unknown", 1}};
  EXPECT_EQ(Counts().at("total"), 12);
  EXPECT_EQ(Counts().at("operations"), expected);
  Call("DELETE", "/_emulator/requests", 200);
  EXPECT_EQ(Counts().dump(), R"({"total":0,"operations":{},"partial":{},"answeredBytes":0})");
}

TEST_F(AdminTest, CountsPartialAnswersAndTheirBytes) {
  const std::string path = "/v1/" + std::string(kPolicyName) + ":getIamPolicy";
  Call("GET", path, 200);
  const auto whole = Counts().at("answeredBytes").get<std::size_t>();
  EXPECT_EQ(whole, Send("GET", path).body.size());
  Call("DELETE", "/_emulator/requests", 200);
  const std::string etag = Send("GET", path + "?fields=etag&prettyPrint=false").body;
  EXPECT_EQ(etag, "{\"etag\":\"ACAB\"}\n");
  EXPECT_EQ(Counts().dump(),
            R"({"total":1,"operations":{"networksecurity.getIamPolicy":1},)"
            R"("partial":{"networksecurity.getIamPolicy?fields=etag":1},"answeredBytes":16})");
}

TEST_F(AdminTest, ABadSeedChangesNothing) {
  const Json answer = Call("PUT", "/_emulator/seed", 400, "users:\n  - 5\n");
  EXPECT_EQ(StringMember(answer, "error"), "seed:2:5: users: expected a map, found a integer");
  Read();
}

TEST_F(AdminTest, TheStateCanBeReadAsASeed) {
  Write(Json{{"bindings", {Binding("roles/x", {"user:a@example.com"})}}});
  const Json state = Call("GET", "/_emulator/seed", 200);
  const Json before = Read();
  Call("PUT", "/_emulator/seed", 200, "{}");
  Call("PUT", "/_emulator/seed", 200, state.dump());
  EXPECT_EQ(Read(), before);
  EXPECT_EQ(Call("GET", "/_emulator/seed", 200), state);
}

TEST_F(AdminTest, UnknownPathsAndMethodsAreToldSo) {
  EXPECT_THAT(Call("GET", "/_emulator/x", 404).dump(), HasSubstr("/_emulator/requests"));
  EXPECT_EQ(Send("POST", "/_emulator/requests").Header("Allow"), "GET, DELETE");
  EXPECT_EQ(Send("DELETE", "/_emulator/seed").status, 405);
  EXPECT_EQ(Send("POST", "/_emulator/faults").status, 405);
}

}  // namespace
}  // namespace bindery::emulator
