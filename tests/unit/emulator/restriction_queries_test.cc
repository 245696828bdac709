// Restriction queries of logs on the embedded cloud.

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;

constexpr const char* kQueriesPath = "/api/v2/logs/config/restriction_queries";
constexpr const char* kRole = "7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001";
constexpr const char* kSeededQuery = R"(
roles: [{id: 7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001, name: Payments}, Readers]
users: [{id: u-1, email: ana@example.com, roles: [{id: 7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001, name: Payments}]}]
restrictionQueries:
  - {id: q-1, query: "team:pay", roles: [7f3d6a10-93c4-4f0e-8c55-0a3d3f7a1001]}
)";

class RestrictionQueriesTest : public EmulatorTest {
 protected:
  static std::string Document(const std::string& query) {
    return Json{
        {"data",
         {{"type", "logs_restriction_queries"}, {"attributes", {{"restriction_query", query}}}}}}
        .dump();
  }
  static std::string RoleDocument(const std::string& id) {
    return Json{{"data", {{"type", "roles"}, {"id", id}}}}.dump();
  }
};

TEST_F(RestrictionQueriesTest, OneIsCreatedChangedAndDeleted) {
  const Json created = Call("POST", kQueriesPath, 200, Document("team:pay")).at("data");
  EXPECT_EQ(created.at("type"), "logs_restriction_queries");
  EXPECT_EQ(created.at("attributes").at("restriction_query"), "team:pay");
  EXPECT_EQ(created.at("attributes").at("created_at"), "2026-11-21T00:00:00.000Z");
  const std::string path = std::string(kQueriesPath) + "/" + created.at("id").get<std::string>();
  clock_.Advance(std::chrono::hours(1));
  for (const char* method : {"PATCH", "PUT"}) {
    const Json changed = Call(method, path, 200, Document("team:card")).at("data");
    EXPECT_EQ(changed.at("attributes").at("restriction_query"), "team:card") << method;
    EXPECT_EQ(changed.at("attributes").at("created_at"), "2026-11-21T00:00:00.000Z");
    EXPECT_EQ(changed.at("attributes").at("modified_at"), "2026-11-21T01:00:00.000Z");
  }
  EXPECT_EQ(Send("DELETE", path).status, 204);
  for (const char* method : {"GET", "DELETE"}) {
    EXPECT_THAT(Call(method, path, 404).dump(), HasSubstr("no restriction query has the id"));
  }
  EXPECT_TRUE(Call("GET", kQueriesPath, 200).at("data").empty());
}

TEST_F(RestrictionQueriesTest, RolesComeAndGoOneByOne) {
  Run(std::string(kSeed) + kSeededQuery);
  const std::string roles = std::string(kQueriesPath) + "/q-1/roles";
  const Json listed = Call("GET", roles, 200).at("data");
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed.at(0).at("id"), kRole);
  EXPECT_EQ(listed.at(0).at("attributes").at("name"), "Payments");
  EXPECT_EQ(Send("DELETE", roles, {}, RoleDocument(kRole)).status, 204);
  EXPECT_TRUE(Call("GET", roles, 200).at("data").empty());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Send("POST", roles, {}, RoleDocument(kRole)).status, 204);
  EXPECT_EQ(Call("GET", roles, 200).at("data").size(), 1U);
  const Json query = Call("GET", std::string(kQueriesPath) + "/q-1", 200);
  EXPECT_EQ(query.at("data").at("relationships").at("roles").at("data").at(0).at("id"), kRole);
  EXPECT_EQ(query.at("included").at(0).at("attributes").at("name"), "Payments");
}

TEST_F(RestrictionQueriesTest, QueriesAreFoundByRoleAndByUser) {
  Run(std::string(kSeed) + kSeededQuery);
  Call("POST", kQueriesPath, 200, Document("service:other"));
  for (const std::string& of : {std::string("/role/") + kRole, std::string("/user/u-1")}) {
    const Json found = Call("GET", kQueriesPath + of, 200).at("data");
    ASSERT_EQ(found.size(), 1U) << of;
    EXPECT_EQ(found.at(0).at("id"), "q-1");
  }
  Call("GET", std::string(kQueriesPath) + "/role/none", 404);
  Call("GET", std::string(kQueriesPath) + "/user/none", 404);
}

TEST_F(RestrictionQueriesTest, TheListHasPages) {
  for (int i = 0; i < 3; ++i) {
    Call("POST", kQueriesPath, 200, Document("service:" + std::to_string(i)));
  }
  const std::string page = std::string(kQueriesPath) + "?page%5Bsize%5D=2&page%5Bnumber%5D=";
  EXPECT_EQ(Call("GET", page + "0", 200).at("data").size(), 2U);
  EXPECT_EQ(Call("GET", page + "1", 200).at("data").size(), 1U);
  Call("GET", std::string(kQueriesPath) + "?page%5Bsize%5D=101", 400);
}

TEST_F(RestrictionQueriesTest, WhatTheServiceRefusesIsRefused) {
  Run(std::string(kSeed) + kSeededQuery);
  struct Case {
    const char* method;
    std::string path;
    std::string body;
    int status;
  };
  const std::string roles = std::string(kQueriesPath) + "/q-1/roles";
  const Case cases[] = {
      {"POST", kQueriesPath, "{", 400},
      {"POST", kQueriesPath, "{}", 400},
      {"POST", kQueriesPath, R"({"data":{"type":"x"}})", 400},
      {"POST", kQueriesPath, Document(""), 400},
      {"PATCH", std::string(kQueriesPath) + "/none", Document("a:b"), 404},
      {"POST", roles, RoleDocument("none"), 404},
      {"POST", roles, R"({"data":{"type":"users","id":"u-1"}})", 400},
      {"POST", std::string(kQueriesPath) + "/none/roles", RoleDocument(kRole), 404},
      {"GET", std::string(kQueriesPath) + "/none/roles", "", 404},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Send(c.method, c.path, {}, c.body).status, c.status) << c.method << " " << c.path;
  }
}

}  // namespace
}  // namespace bindery::emulator
