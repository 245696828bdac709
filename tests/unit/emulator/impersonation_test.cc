#include "identity_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;

class ImpersonationTest : public IdentityTest {
 protected:
  const Json scope_ = Json{{"scope", {kScope}}};
};

TEST_F(ImpersonationTest, GivesATokenOfTheAccountForItsImpersonators) {
  Json body = scope_;
  body["lifetime"] = "600s";
  body["delegates"] = nullptr;
  const Json answer = Impersonate(kBindery, TokenOfDeployer(), body, 200);
  EXPECT_EQ(answer.at("expireTime"), "2026-11-21T00:10:00Z");
  const std::string token = StringMember(answer, "accessToken");
  WriteAs(token, 200);
  clock_.Advance(std::chrono::seconds(600));
  WriteAs(token, 401);
}

TEST_F(ImpersonationTest, PoolPrincipalsCountToo) {
  const std::string federated = StringMember(Exchange({}, 200), "access_token");
  WriteAs(StringMember(Impersonate(kBindery, federated, scope_, 200), "accessToken"), 200);
}

TEST_F(ImpersonationTest, OthersAreDenied) {
  const std::string token = StringMember(Refresh("r", 200), "access_token");
  const Json denied = Impersonate(kBindery, token, scope_, 403);
  EXPECT_EQ(Refusal(denied, "PERMISSION_DENIED"),
            "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not "
            "exist).");
  EXPECT_EQ(Reason(denied), "IAM_PERMISSION_DENIED");
  const Json unknown = Impersonate("no@where.example", token, scope_, 404);
  EXPECT_EQ(Refusal(unknown, "NOT_FOUND"),
            "Not found; Gaia id not found for email no@where.example");
  Impersonate(kBindery, "forged", scope_, 401);
}

TEST_F(ImpersonationTest, DelegatesAreAChain) {
  const std::string token = TokenOfDeployer();
  Impersonate("far@acme.example", token, scope_, 403);
  Json body = scope_;
  body["delegates"] = {std::string("projects/-/serviceAccounts/") + kBindery};
  WriteAs(StringMember(Impersonate("far@acme.example", token, body, 200), "accessToken"), 200);
}

TEST_F(ImpersonationTest, TheBodyIsChecked) {
  const std::string token = TokenOfDeployer();
  EXPECT_EQ(Refusal(Impersonate(kBindery, token, Json::object(), 400), "INVALID_ARGUMENT"),
            "Scope required.");
  for (const char* lifetime : {"3601s", "0s", "-5s", "1h", "60", "s"}) {
    Json body = scope_;
    body["lifetime"] = lifetime;
    EXPECT_EQ(Refusal(Impersonate(kBindery, token, body, 400), "INVALID_ARGUMENT"),
              "The lifetime must be from 1s to 3600s.")
        << lifetime;
  }
  EXPECT_THAT(
      Refusal(Impersonate(kBindery, token, Json{{"scopes", {kScope}}}, 400), "INVALID_ARGUMENT"),
      HasSubstr("Unknown name \"scopes\""));
}

class MetadataTest : public IdentityTest {
 protected:
  testing::HttpResult Get(const std::string& path) {
    return Send("GET", path, {{"Metadata-Flavor", "Google"}});
  }
  static inline const std::string kAccounts = "/computeMetadata/v1/instance/service-accounts/";
};

TEST_F(MetadataTest, AnswersOnlyThoseWhoSayTheFlavor) {
  for (const char* path : {"/", "/computeMetadata/v1/instance", "/computeMetadata/v1/project/"}) {
    const testing::HttpResult refused = Send("GET", path);
    EXPECT_EQ(refused.status, 403) << path;
    EXPECT_EQ(refused.Header("Metadata-Flavor"), "Google");
    EXPECT_EQ(Get(path).status, 200) << path;
    EXPECT_EQ(Get(path).Header("Metadata-Flavor"), "Google");
  }
}

TEST_F(MetadataTest, TellsOfTheAccountByEitherName) {
  for (const std::string& name : {std::string("default"), std::string(kBindery)}) {
    EXPECT_EQ(Get(kAccounts + name + "/email").body, kBindery);
    const auto token = ParseJson(Get(kAccounts + name + "/token").body);
    ASSERT_TRUE(token);
    EXPECT_EQ(token->at("expires_in"), 3600);
    WriteAs(StringMember(*token, "access_token"), 200);
    const auto account = ParseJson(Get(kAccounts + name + "/?recursive=true").body);
    ASSERT_TRUE(account);
    const Json expected = {{"aliases", {"default"}}, {"email", kBindery}, {"scopes", {kScope}}};
    EXPECT_EQ(*account, expected);
  }
  EXPECT_EQ(Get(kAccounts + kDeployer + "/token").status, 404);
  EXPECT_EQ(Get(kAccounts + "default/identity").status, 404);
}

TEST_F(MetadataTest, ScopesCanBeChosen) {
  const auto token = ParseJson(Get(kAccounts + "default/token?scopes=a,b").body);
  ASSERT_TRUE(token);
  EXPECT_EQ(Reason(ReadAs(StringMember(*token, "access_token"), 403)),
            "ACCESS_TOKEN_SCOPE_INSUFFICIENT");
}

TEST_F(MetadataTest, TellsOfTheProjectAndTheUniverse) {
  EXPECT_EQ(Get("/computeMetadata/v1/project/project-id").body, "acme");
  EXPECT_EQ(Get("/computeMetadata/v1/universe/universe-domain").status, 404);
  Json seed = SeedJson(Json::object());
  seed["metadata"]["universeDomain"] = "example.com";
  Call("PUT", "/_emulator/seed", 200, seed.dump());
  EXPECT_EQ(Get("/computeMetadata/v1/universe/universe-domain").body, "example.com");
}

TEST_F(MetadataTest, TellsOfTheMachineAndTheProjectsNumber) {
  const std::string root = "/computeMetadata/v1/";
  EXPECT_EQ(Get(root + "project/numeric-project-id").body, "123456789012");
  EXPECT_EQ(Get(root + "instance/zone").body, "projects/123456789012/zones/us-central1-a");
  EXPECT_EQ(Get(root + "instance/id").body, "4520031799277581759");
  EXPECT_EQ(Get(root + "instance/").body, "id\nservice-accounts/\nzone\n");
  EXPECT_EQ(Get(root + "project/").body, "numeric-project-id\nproject-id\n");
  const auto project = ParseJson(Get(root + "project/?recursive=true").body);
  ASSERT_TRUE(project);
  const Json expected = {{"projectId", "acme"}, {"numericProjectId", 123456789012}};
  EXPECT_EQ(*project, expected);
  for (const char* path : {"project/x", "projects", "instance/x", "instances"}) {
    EXPECT_EQ(Get(root + path).status, 404) << path;
  }
}

TEST_F(MetadataTest, AnswersNobodyWhoWasForwarded) {
  const testing::HttpResult refused =
      Send("GET", kAccounts + "default/token",
           {{"Metadata-Flavor", "Google"}, {"X-Forwarded-For", "192.0.2.1"}});
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.Header("Metadata-Flavor"), "Google");
}

TEST_F(MetadataTest, IsNotThereUnlessSeeded) {
  Call("PUT", "/_emulator/seed", 200, "{}");
  EXPECT_EQ(Get("/").status, 404);
  EXPECT_EQ(Get(kAccounts + "default/token").status, 404);
}

class IdentityFaultsTest : public IdentityTest {
 protected:
  void Break(const std::string& faults) { Call("PUT", "/_emulator/faults", 200, faults); }
};

TEST_F(IdentityFaultsTest, EachEndpointIsCountedUnderItsName) {
  const std::string token = TokenOfDeployer();
  Refresh("r", 200);
  Exchange({}, 200);
  Impersonate(kBindery, token, Json{{"scope", {kScope}}}, 200);
  Form("/token", {{"grant_type", "x"}}, 400);
  const testing::HttpHeaders flavor = {{"Metadata-Flavor", "Google"}};
  Send("GET", "/computeMetadata/v1/instance/service-accounts/default/token", flavor);
  Send("GET", "/", flavor);
  const Json expected = {{"iamCredentials.generateAccessToken", 1},
                         {"metadata.get", 1},
                         {"metadata.token", 1},
                         {"sts.exchange", 1},
                         {"token.jwtBearer", 1},
                         {"token.refresh", 1},
                         {"token.unsupported", 1}};
  EXPECT_EQ(Call("GET", "/_emulator/requests", 200).at("operations"), expected);
}

TEST_F(IdentityFaultsTest, FailuresAreInTheWordsOfTheEndpoint) {
  Break("[{operation: 'token.*', status: 503}]");
  const Json expected = {{"error", "temporarily_unavailable"},
                         {"error_description", "Service Unavailable"}};
  EXPECT_EQ(Refresh("r", 503), expected);
  Break("[{operation: 'token.*', target: 'deployer@*', status: 500}]");
  EXPECT_EQ(StringMember(AskWithJwt(key_.Sign(Claims()), 500), "error"), "internal_failure");
  Refresh("r", 200);
  Break("[{operation: sts.exchange, status: 429, retryAfter: 3s}]");
  EXPECT_EQ(StringMember(Exchange({}, 429), "error"), "rate_limit_exceeded");
  Break("[{operation: 'metadata.*', status: 503}]");
  const testing::HttpResult metadata = Send("GET", "/", {{"Metadata-Flavor", "Google"}});
  EXPECT_EQ(metadata.status, 503);
  EXPECT_EQ(metadata.Header("Metadata-Flavor"), "Google");
  Break("[{operation: 'iamCredentials.*', status: 503}]");
  EXPECT_EQ(Refusal(Impersonate(kBindery, "x", Json::object(), 503), "UNAVAILABLE"),
            "The service is currently unavailable.");
  Break("[{operation: token.refresh, drop: before}]");
  EXPECT_EQ(Send("POST", "/token", {}, "grant_type=refresh_token").status, 0);
}

}  // namespace
}  // namespace bindery::emulator
