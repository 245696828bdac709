#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;
using testing::HttpResult;

constexpr const char* kDashboardPath = "/api/v2/restriction_policy/dashboard:abc-def-ghi";

class RestrictionPolicyTest : public EmulatorTest {
 protected:
  static std::string Body(const Json& bindings, const std::string& id = "dashboard:abc-def-ghi") {
    return Json{
        {"data",
         {{"id", id}, {"type", "restriction_policy"}, {"attributes", {{"bindings", bindings}}}}}}
        .dump();
  }
  static Json Bind(const char* relation, const std::vector<std::string>& principals) {
    return Json{{"relation", relation}, {"principals", principals}};
  }
  Json Post(const Json& bindings, int status = 200, const std::string& path = kDashboardPath) {
    return Call("POST", path, status, Body(bindings));
  }
};

TEST_F(RestrictionPolicyTest, WhatNobodyRestrictedHasNoBindings) {
  const HttpResult result = Send("GET", kDashboardPath);
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(result.body,
            "{\"data\":{\"type\":\"restriction_policy\",\"id\":\"dashboard:abc-def-ghi\","
            "\"attributes\":{\"bindings\":[]}}}\n");
  EXPECT_EQ(result.Header("Content-Type"), "application/json");
}

TEST_F(RestrictionPolicyTest, PrincipalsAreSortedOnWriteAndBindingsKeepTheirOrder) {
  const HttpResult result =
      Send("POST", kDashboardPath, {},
           Body(Json::array({Bind("viewer", {"org:1"}),
                             Bind("editor", {"user:1", "team:1", "role:2", "role:1", "role:1"})})));
  EXPECT_EQ(result.body,
            "{\"data\":{\"type\":\"restriction_policy\",\"id\":\"dashboard:abc-def-ghi\","
            "\"attributes\":{\"bindings\":[{\"relation\":\"viewer\",\"principals\":[\"org:1\"]},"
            "{\"relation\":\"editor\",\"principals\":[\"role:1\",\"role:2\",\"team:1\","
            "\"user:1\"]}]}}}\n");
  EXPECT_EQ(Send("GET", kDashboardPath).body, result.body);
}

TEST_F(RestrictionPolicyTest, PrincipalsHaveToExistWhereTheyAreChecked) {
  Run(std::string(kSeed) + R"(
roles: [{id: r1, name: Readers}]
teams: [{id: t1, handle: sre}]
users: [{id: u1, handle: ana@example.com}]
options: {checkPrincipals: true}
)");
  Post(Json::array({Bind("editor", {"org:1", "role:r1", "team:t1", "user:u1"})}));
  for (const char* unknown : {"role:t1", "team:gone", "user:gone"}) {
    EXPECT_THAT(Post(Json::array({Bind("editor", {"org:1", unknown})}), 400).dump(),
                HasSubstr("one or more roles/users/teams do not exist in organization"))
        << unknown;
  }
}

TEST_F(RestrictionPolicyTest, AnEncodedColonIsAColon) {
  Post(Json::array({Bind("editor", {"org:1"})}), 200,
       "/api/v2/restriction_policy/dashboard%3Aabc-def-ghi");
  EXPECT_EQ(Call("GET", kDashboardPath, 200).at("data").at("attributes").at("bindings").size(), 1U);
}

TEST_F(RestrictionPolicyTest, OnlyTheFirstColonSplits) {
  const std::string path = "/api/v2/restriction_policy/synthetics-private-location:pl:abc";
  EXPECT_EQ(Post(Json::array({Bind("editor", {"org:1"})}), 200, path).at("data").at("id"),
            "synthetics-private-location:pl:abc");
}

TEST_F(RestrictionPolicyTest, DeleteIsAlways204WithATypeAndNoBody) {
  Post(Json::array({Bind("editor", {"org:1"})}));
  for (int i = 0; i < 2; ++i) {
    const HttpResult result = Send("DELETE", kDashboardPath);
    EXPECT_EQ(result.status, 204);
    EXPECT_EQ(result.Header("Content-Type"), "application/json");
    EXPECT_EQ(result.body, "");
  }
  EXPECT_TRUE(Call("GET", kDashboardPath, 200).at("data").at("attributes").at("bindings").empty());
}

TEST_F(RestrictionPolicyTest, MalformedIdsAreRefusedEverywhere) {
  const std::string path = "/api/v2/restriction_policy/malformed";
  const std::string text =
      R"({"errors":["Invalid resource: 'malformed' is not in a valid format"]})";
  EXPECT_EQ(Call("GET", path, 400).dump(), text);
  EXPECT_EQ(Call("DELETE", path, 400).dump(), text);
  EXPECT_EQ(Post(Json::array({Bind("editor", {"org:1"})}), 400, path).dump(), text);
}

TEST_F(RestrictionPolicyTest, WritesAreRefusedInTheRecordedWords) {
  EXPECT_EQ(Post(Json::array(), 400, "/api/v2/restriction_policy/security_rule:x").dump(),
            R"({"errors":["Invalid resource type: 'security_rule' does not support restriction )"
            R"(policies"]})");
  EXPECT_EQ(Post(Json::array({Bind("editor", {"foo:1"})}), 400).at("errors").at(0),
            "Invalid request: [PrincipalTypeInvalidForRelation] principal \"foo:1\" is not "
            "supported by \"editor\" relation, supported types: \"org, role, team, user\"");
  EXPECT_THAT(Post(Json::array({Bind("owner", {"org:1"})}), 400).dump(), HasSubstr("owner"));
}

TEST_F(RestrictionPolicyTest, BodiesMustBePolicyDocuments) {
  for (
      const char* bad :
      {"", "{", "[]", "{}", R"({"data": {}})", R"({"data": {"type": "x", "id": "a:b"}})",
       R"({"data": {"type": "restriction_policy", "id": "a:b", "attributes": {}}})",
       R"({"data": {"type": "restriction_policy", "id": "a:b", "attributes": {"bindings": null}}})",
       R"({"data": {"type": "restriction_policy", "id": "a:b",
            "attributes": {"bindings": [{"relation": "editor"}]}}})"}) {
    EXPECT_THAT(Call("POST", kDashboardPath, 400, bad).dump(),
                HasSubstr("{\"errors\":[\"Invalid request: "))
        << bad;
  }
}

TEST_F(RestrictionPolicyTest, AnEmptyIdIsARedirectInHtml) {
  const HttpResult result = Send("POST", "/api/v2/restriction_policy/", {}, "{}");
  EXPECT_EQ(result.status, 308);
  EXPECT_EQ(result.Header("Content-Type"), "text/html; charset=utf-8");
}

TEST_F(RestrictionPolicyTest, LoweringOnesOwnAccessNeedsToBeAllowed) {
  Run(std::string(kSeed) + "users: [{id: me, handle: me@example.com, org: {id: acme}}]\n");
  Post(Json::array({Bind("editor", {"user:me"})}));
  const Json lower = Json::array({Bind("editor", {"user:other"}), Bind("viewer", {"user:me"})});
  EXPECT_EQ(Post(lower, 400).at("errors").at(0),
            "Invalid request: users cannot decrease their own level of access (from editor to "
            "viewer)");
  Call("POST", std::string(kDashboardPath) + "?allow_self_lockout=false", 400, Body(lower));
  EXPECT_THAT(
      Call("POST", std::string(kDashboardPath) + "?allow_self_lockout=1", 400, Body(lower)).dump(),
      HasSubstr("must be true or false"));
  Call("POST", std::string(kDashboardPath) + "?allow_self_lockout=true", 200, Body(lower));
}

TEST_F(RestrictionPolicyTest, TheGuardDoesNotGuessAboutRolesAndTeams) {
  Run(std::string(kSeed) + "users: [{id: me, handle: me@example.com, org: {id: acme}}]\n");
  Post(Json::array({Bind("editor", {"user:me"})}));
  Post(Json::array({Bind("editor", {"team:x"})}));
  Post(Json::array({Bind("editor", {"org:acme"})}));
  Post(Json::array());
}

TEST_F(RestrictionPolicyTest, TheCurrentUserComesWithOrgRolesAndPermissions) {
  Run(std::string(kSeed) + R"(
users:
  - id: 11111111-1111-4111-8111-111111111111
    handle: ana@example.com
    name: Ana
    org: {id: 99999999-9999-4999-8999-999999999999, publicId: abc123, name: Acme}
)");
  const HttpResult result = Send("GET", "/api/v2/current_user");
  const auto parsed = ParseJson(result.body);
  ASSERT_TRUE(parsed.has_value());
  const Json& data = parsed->at("data");
  EXPECT_EQ(data.at("type"), "users");
  EXPECT_EQ(data.at("id"), "11111111-1111-4111-8111-111111111111");
  EXPECT_EQ(data.at("attributes").at("handle"), "ana@example.com");
  EXPECT_EQ(data.at("relationships").at("org").at("data").dump(),
            R"({"type":"orgs","id":"99999999-9999-4999-8999-999999999999"})");
  const Json& included = parsed->at("included");
  EXPECT_EQ(included.at(0).at("attributes").at("public_id"), "abc123");
  EXPECT_EQ(included.at(1).at("type"), "roles");
  EXPECT_GT(included.size(), 400U);
  EXPECT_GT(result.body.size(), 60'000U) << "readers must cope with the size of the real answer";
}

TEST_F(RestrictionPolicyTest, WithoutSeededUsersThereIsStillSomeone) {
  const Json user = Call("GET", "/api/v2/current_user", 200);
  EXPECT_EQ(user, Call("GET", "/api/v2/current_user", 200));
  EXPECT_EQ(user.at("data").at("attributes").at("handle"), "admin@example.com");
  EXPECT_EQ(
      user.at("data").at("relationships").at("org").at("data").at("id").get<std::string>().size(),
      36U);
}

TEST_F(RestrictionPolicyTest, UnknownApiPathsAreJson) {
  EXPECT_EQ(Call("GET", "/api/v2/dashboards", 404).dump(), R"({"errors":["Not found"]})");
  Call("PUT", kDashboardPath, 404);
}

}  // namespace
}  // namespace bindery::emulator
