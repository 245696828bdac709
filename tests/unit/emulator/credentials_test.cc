#include "emulator/credentials.h"

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

class CredentialsTest : public EmulatorTest {
 protected:
  void SetUp() override {
    Run(std::string(kSeed) + R"(
users:
  - {id: 11111111-1111-4111-8111-111111111111, handle: ana@example.com}
  - {id: 22222222-2222-4222-8222-222222222222, handle: ben@example.com}
credentials:
  - {token: all}
  - {token: reader, permissions: [networksecurity.authorizationPolicies.getIamPolicy]}
  - {token: old, expires: 2026-01-01T00:00:00Z}
  - {token: soon, expires: 2026-11-21T01:00:00Z}
  - {apiKey: api, appKey: app, user: ben@example.com}
  - {apiKey: api, appKey: readonly, permissions: [restrictionPolicy.get]}
  - {apiKey: api, appKey: none, permissions: []}
)");
  }
  Json Get(const std::string& token, int status) {
    return Call("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy", status, "",
                {{"Authorization", "Bearer " + token}});
  }
  static testing::HttpHeaders Keys(const char* api, const char* app) {
    return {{"DD-API-KEY", api}, {"dd-application-key", app}};
  }
};

TEST_F(CredentialsTest, MissingUnknownAndExpiredTokensAreUnauthenticated) {
  const std::string path = "/v1/" + std::string(kPolicyName) + ":getIamPolicy";
  const Json missing = Call("GET", path, 401);
  EXPECT_EQ(Refusal(missing, "UNAUTHENTICATED"),
            "Request is missing required authentication credential. Expected OAuth 2 access token, "
            "login cookie or other valid authentication credential. See "
            "https://developers.google.com/identity/sign-in/web/devconsole-project.");
  EXPECT_EQ(missing.at("error").at("details").at(0).at("reason"), "CREDENTIALS_MISSING");
  for (const char* token : {"unknown", "old"}) {
    EXPECT_EQ(Get(token, 401).at("error").at("details").at(0).at("reason"), "ACCESS_TOKEN_EXPIRED");
  }
  EXPECT_NE(Send("GET", path).Header("WWW-Authenticate"), "");
  Call("GET", path + "?access_token=all", 200);
}

TEST_F(CredentialsTest, ATokenExpiresWithTime) {
  Get("soon", 200);
  clock_.Advance(std::chrono::hours(1));
  Get("soon", 401);
}

TEST_F(CredentialsTest, APermissionThatLacksIsDenied) {
  Get("reader", 200);
  const testing::HttpHeaders reader = {{"Authorization", "Bearer reader"}};
  const Json denied = Call("POST", "/v1/" + std::string(kPolicyName) + ":setIamPolicy", 403,
                           R"({"policy": {}})", reader);
  const std::string permission = "networksecurity.authorizationPolicies.setIamPolicy";
  EXPECT_EQ(Refusal(denied, "PERMISSION_DENIED"),
            "Permission '" + permission +
                "' denied on resource '//networksecurity.googleapis.com/" + kPolicyName +
                "' (or it may not exist).");
  const Json info = {{"@type", "type.googleapis.com/google.rpc.ErrorInfo"},
                     {"reason", "IAM_PERMISSION_DENIED"},
                     {"domain", "iam.googleapis.com"},
                     {"metadata", {{"resource", kPolicyName}, {"permission", permission}}}};
  EXPECT_EQ(denied.at("error").at("details").at(0), info);
  Call("GET", "/v1/" + std::string(kFileName), 403, "", reader);
  const Json subset = Call("POST", "/v1/" + std::string(kPolicyName) + ":testIamPermissions", 200,
                           R"({"permissions": ["networksecurity.authorizationPolicies.getIamPolicy",
                               "networksecurity.authorizationPolicies.setIamPolicy"]})",
                           reader);
  EXPECT_EQ(subset.at("permissions").size(), 1U);
}

TEST_F(CredentialsTest, PermissionsMayBeNarrowedToResources) {
  RunAfresh(std::string(kSeed) + R"(
credentials:
  - token: narrow
    permissions:
      - {permission: "*IamPolicy", resources: ["*/managementServers/*"]}
      - migrationcenter.*
  - {apiKey: k, appKey: a, permissions: [{permission: "restrictionPolicy.*", resources: ["slo:*"]}]}
)");
  const testing::HttpHeaders narrow = {{"Authorization", "Bearer narrow"}};
  Call("GET", "/v1/" + std::string(kServerName) + ":getIamPolicy", 200, "", narrow);
  Call("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy", 403, "", narrow);
  Call("GET", "/v1/" + std::string(kFileName), 200, "", narrow);
  Call("GET", "/api/v2/restriction_policy/slo:1", 200, "", Keys("k", "a"));
  Call("GET", "/api/v2/restriction_policy/monitor:1", 403, "", Keys("k", "a"));
}

TEST_F(CredentialsTest, KeyPairsAreForDatadog) {
  const std::string path = "/api/v2/restriction_policy/dashboard:a";
  EXPECT_EQ(Call("GET", path, 403).dump(), R"({"errors":["API key required"]})");
  EXPECT_EQ(Call("GET", path, 403, "", Keys("api", "wrong")).dump(), R"({"errors":["Forbidden"]})");
  Call("GET", path, 200, "", Keys("api", "app"));
  Call("GET", path, 200, "", Keys("api", "readonly"));
  Call("DELETE", path, 403, "", Keys("api", "readonly"));
  Call("GET", path, 403, "", Keys("api", "none"));
  Call("GET", "/api/v2/current_user", 200, "", Keys("api", "none"));
  Call("GET", path, 200, "", {{"Authorization", "Bearer all"}});
  Call("GET", path, 403, "", {{"Authorization", "Bearer unknown"}});
}

TEST_F(CredentialsTest, TheKeysCarryTheIdentity) {
  EXPECT_EQ(Call("GET", "/api/v2/current_user", 200, "", Keys("api", "app")).at("data").at("id"),
            "22222222-2222-4222-8222-222222222222");
  EXPECT_EQ(
      Call("GET", "/api/v2/current_user", 200, "", Keys("api", "readonly")).at("data").at("id"),
      "11111111-1111-4111-8111-111111111111");
}

}  // namespace
}  // namespace bindery::emulator
