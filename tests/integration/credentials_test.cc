// The program signs in to the cloud in every way there is, over real token endpoints.

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/rsa_key.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kBindery = "bindery@acme.iam.gserviceaccount.com";
constexpr const char* kDeployer = "deployer@acme.iam.gserviceaccount.com";
constexpr const char* kAudience =
    "//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/ci/providers/runner";
constexpr const char* kSubject =
    "principal://iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/ci/subject/"
    "main";
constexpr const char* kTokenType = "urn:ietf:params:oauth:token-type:jwt";
constexpr const char* kAnaAlone = "[\"user:ana@example.com\"]";

/// A cloud in which nobody may do anything without signing in.
std::string SeedWithCredentials() {
  const Json everything = Json::array({"networksecurity.*", "backupdr.*"});
  Json seed;
  seed["authorizationPolicies"] = Json::array({kPayments});
  seed["managementServers"] = Json::array({kBackup});
  seed["credentials"] =
      Json::array({Json{{"token", "SECRET-own-token"}}, Json{{"token", "SECRET-static-token"}},
                   Json{{"apiKey", "SECRET-datadog-key"}, {"appKey", "SECRET-datadog-key"}},
                   Json{{"apiKey", "SECRET-second-key"}, {"appKey", "SECRET-second-key"}}});
  seed["serviceAccounts"] = Json::array(
      {Json{{"email", kDeployer},
            {"project", "acme"},
            {"uniqueId", "100000000000000000001"},
            {"keys",
             Json::array({Json{{"id", "key-1"}, {"publicKey", RsaKey::Shared().PublicPem()}}})},
            {"permissions", everything}},
       Json{{"email", kBindery},
            {"project", "acme"},
            {"permissions", everything},
            {"impersonators", Json::array({kDeployer, kSubject, "user:ana@example.com"})}}});
  seed["refreshTokens"] = Json::array({Json{{"clientId", "client"},
                                            {"clientSecret", "SECRET-client"},
                                            {"refreshToken", "SECRET-refresh"},
                                            {"user", "ana@example.com"},
                                            {"permissions", everything}}});
  seed["identityPools"] =
      Json::array({Json{{"audience", kAudience},
                        {"subjectTokenType", kTokenType},
                        {"subjectTokens", Json::array({Json{{"token", "SECRET-subject"},
                                                            {"subject", "main"},
                                                            {"permissions", everything}}})}}});
  seed["metadata"] = Json{{"serviceAccount", kBindery}, {"project", "acme"}};
  return seed.dump();
}

Json KeyFile(const std::string& cloud) {
  return {{"type", "service_account"},     {"project_id", "acme"},
          {"private_key_id", "key-1"},     {"private_key", RsaKey::Shared().PrivatePem()},
          {"client_email", kDeployer},     {"client_id", "100000000000000000001"},
          {"token_uri", cloud + "/token"}, {"universe_domain", "googleapis.com"}};
}

Json LoginFile(const std::string& cloud) {
  return {{"type", "authorized_user"},
          {"client_id", "client"},
          {"client_secret", "SECRET-client"},
          {"refresh_token", "SECRET-refresh"},
          {"token_uri", cloud + "/token"}};
}

Json FederationFile(const std::string& cloud, const Json& source, bool impersonated) {
  Json file = {{"type", "external_account"},
               {"audience", kAudience},
               {"subject_token_type", kTokenType},
               {"token_url", cloud + "/v1/token"},
               {"credential_source", source}};
  if (impersonated) {
    file["service_account_impersonation_url"] =
        cloud + "/v1/projects/-/serviceAccounts/" + kBindery + ":generateAccessToken";
  }
  return file;
}

class CredentialsTest : public ::testing::Test {
 protected:
  CredentialsTest() : world(SeedWithCredentials()) {
    world.SetOwnToken("SECRET-own-token");
    world.WriteSecret("subject.txt", "SECRET-subject\n");
    world.WriteSecret("subject.json", R"({"id_token": "SECRET-subject"})");
    world.dir().Write("manifests/m.yaml", Binding("m", "roles/viewer", kAnaAlone));
  }

  void Use(const std::string& credentials) {
    world.SignInWith(credentials);
    world.Configure("");
  }
  void UseFile(const Json& file) {
    world.WriteSecret("google.json", file.dump());
    Use("{type: file, file: google.json}");
  }
  void ExpectConverges() {
    const Outcome outcome = world.Run({"run", "--once"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  }

  World world;
};

TEST_F(CredentialsTest, WithoutCredentialsTheServiceRefusesAndPeopleSeeWhat) {
  Use("{type: none}");
  const Outcome outcome = world.Run({"run", "--once"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("UNAUTHENTICATED"));
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre());
}

TEST_F(CredentialsTest, AnAccessTokenFromTheEnvironment) {
  Use(R"({type: accessToken, token: "${env:MY_TOKEN}"})");
  world.SetEnvironment("MY_TOKEN", "SECRET-static-token");
  ExpectConverges();
}

TEST_F(CredentialsTest, ATokenFileIsReadAgainWhenItChanges) {
  world.WriteSecret("token", "SECRET-outdated");
  Use("{type: accessTokenFile, file: token}");
  world.StartDaemon();
  world.Eventually("the token is refused",
                   [this] { return world.Reason("m") == "ProgressingWithRetry"; });
  EXPECT_THAT(StringMember(world.Status("m"), "message"), HasSubstr("UNAUTHENTICATED"));
  world.WriteSecret("token", "SECRET-static-token");
  world.Eventually("the new token is used", [this] { return world.IsReady("m"); });
}

TEST_F(CredentialsTest, AServiceAccountKey) {
  UseFile(KeyFile(world.CloudUrl()));
  ExpectConverges();
  EXPECT_EQ(world.Count("token.jwtBearer"), 1);
}

TEST_F(CredentialsTest, ALogin) {
  UseFile(LoginFile(world.CloudUrl()));
  ExpectConverges();
  EXPECT_EQ(world.Count("token.refresh"), 1);
}

TEST_F(CredentialsTest, FederationFromAFileOfText) {
  UseFile(FederationFile(world.CloudUrl(), {{"file", world.dir() / "subject.txt"}}, false));
  ExpectConverges();
  EXPECT_EQ(world.Count("sts.exchange"), 1);
}

TEST_F(CredentialsTest, FederationFromJsonWithImpersonation) {
  UseFile(FederationFile(world.CloudUrl(),
                         {{"file", world.dir() / "subject.json"},
                          {"format", {{"type", "json"}, {"subject_token_field_name", "id_token"}}}},
                         true));
  ExpectConverges();
  EXPECT_EQ(world.Count("sts.exchange"), 1);
  EXPECT_EQ(world.Count("iamCredentials.generateAccessToken"), 1);
}

TEST_F(CredentialsTest, ALoginThatActsAsAServiceAccount) {
  UseFile(
      {{"type", "impersonated_service_account"},
       {"source_credentials", LoginFile(world.CloudUrl())},
       {"service_account_impersonation_url",
        world.CloudUrl() + "/v1/projects/-/serviceAccounts/" + kBindery + ":generateAccessToken"}});
  ExpectConverges();
  EXPECT_EQ(world.Count("iamCredentials.generateAccessToken"), 1);
}

TEST_F(CredentialsTest, ApplicationDefaultIsTheFileTheEnvironmentNames) {
  world.WriteSecret("google.json", KeyFile(world.CloudUrl()).dump());
  world.SetEnvironment("GOOGLE_APPLICATION_CREDENTIALS", world.dir() / "google.json");
  Use("{type: applicationDefault}");
  ExpectConverges();
}

TEST_F(CredentialsTest, ApplicationDefaultIsGcloudsFileOtherwise) {
  world.WriteSecret("gcloud/application_default_credentials.json",
                    LoginFile(world.CloudUrl()).dump());
  world.SetEnvironment("CLOUDSDK_CONFIG", world.dir() / "gcloud");
  Use("{type: applicationDefault}");
  ExpectConverges();
}

TEST_F(CredentialsTest, ApplicationDefaultIsTheMetadataServerInTheEnd) {
  world.SetEnvironment("CLOUDSDK_CONFIG", world.dir() / "no-gcloud");
  world.SetEnvironment("GCE_METADATA_HOST", world.CloudAddress());
  world.SetEnvironment("GCE_METADATA_IP", world.CloudAddress());
  Use("{type: applicationDefault}");
  ExpectConverges();
  EXPECT_EQ(world.Count("metadata.token"), 1);
}

TEST_F(CredentialsTest, ManyTargetsShareOneToken) {
  UseFile(KeyFile(world.CloudUrl()));
  Json seed = *ParseJson(SeedWithCredentials());
  for (int i = 0; i < 60; ++i) {
    const std::string name =
        "projects/acme/locations/global/authorizationPolicies/t" + std::to_string(i);
    seed["authorizationPolicies"].push_back(name);
    std::string manifest = Binding("t" + std::to_string(i), "roles/viewer", kAnaAlone);
    manifest.replace(manifest.find(kPayments), std::string(kPayments).size(), name);
    world.dir().Write("manifests/t" + std::to_string(i) + ".yaml", manifest);
  }
  ASSERT_EQ(world.Cloud("PUT", "/_emulator/seed", seed.dump()).status, 200);
  ExpectConverges();
  EXPECT_EQ(world.Count("token.jwtBearer"), 1);
  EXPECT_EQ(world.Count("networksecurity.getIamPolicy"), 62);  // One of them is this test's.
}

TEST_F(CredentialsTest, ARevokedTokenIsReplacedOnceAndNobodyNotices) {
  UseFile(KeyFile(world.CloudUrl()));
  world.StartDaemon();
  world.Eventually("the first pass", [this] { return world.IsReady("m"); });
  ASSERT_LT(world.Cloud("DELETE", "/_emulator/tokens").status, 300);
  EXPECT_EQ(world.Run({"reconcile", "m"}).exit_code, 0);
  EXPECT_TRUE(world.IsReady("m"));
  EXPECT_EQ(world.Count("token.jwtBearer"), 2);
}

TEST_F(CredentialsTest, WhatTheTokenEndpointRefusesIsExplained) {
  Json login = LoginFile(world.CloudUrl());
  login["refresh_token"] = "SECRET-revoked";
  UseFile(login);
  const Outcome outcome = world.Run({"run", "--once"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("invalid_grant"));
  EXPECT_THAT(outcome.err, HasSubstr("gcloud auth application-default login"));
  EXPECT_LE(world.Count("token.refresh"), 10);
}

TEST_F(CredentialsTest, KindsThatAreNotSupportedAreRefusedAtTheStart) {
  UseFile(FederationFile(world.CloudUrl(), {{"environment_id", "aws1"}}, false));
  const Outcome outcome = world.Run({"run", "--once"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("UNIMPLEMENTED: providers.cloudnative: "));
  EXPECT_THAT(outcome.err, HasSubstr("AWS"));
}

TEST_F(CredentialsTest, CheckTellsWhatIsMissingAndWhatToDo) {
  Json seed = *ParseJson(SeedWithCredentials());
  seed["serviceAccounts"][0]["permissions"] = Json::array({"*.getIamPolicy"});
  ASSERT_EQ(world.Cloud("PUT", "/_emulator/seed", seed.dump()).status, 200);
  UseFile(KeyFile(world.CloudUrl()));
  std::string absent = Binding("absent", "roles/viewer", kAnaAlone);
  absent.replace(absent.find(kPayments), std::string(kPayments).size(),
                 "projects/acme/locations/global/authorizationPolicies/absent");
  world.dir().Write("manifests/absent.yaml", absent);
  world.ResetRequests();
  const Outcome outcome = world.Run({"check"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("missing networksecurity.authorizationPolicies.setIamPolicy"));
  EXPECT_THAT(outcome.out, HasSubstr("NOT_FOUND"));
  EXPECT_THAT(outcome.out, HasSubstr(kDeployer));
  EXPECT_THAT(outcome.out, HasSubstr("What to do:"));
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);

  const Json report = world.RunJson({"check"});
  EXPECT_EQ(report["ok"], false);
  EXPECT_EQ(report["summary"]["failed"], 2);
}

TEST_F(CredentialsTest, CheckIsContentWhereAllIsWell) {
  UseFile(KeyFile(world.CloudUrl()));
  const Outcome outcome = world.Run({"check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("0 warnings, 0 failed"));
}

TEST_F(CredentialsTest, CheckAsksDatadogWhoTheKeysBelongTo) {
  world.ResetRequests();
  UseFile(KeyFile(world.CloudUrl()));
  EXPECT_THAT(world.Run({"check"}).out, ::testing::ContainsRegex("user .+@.+ of organization"));
  EXPECT_EQ(world.Count("currentUser.get"), 1);
  world.WriteSecret("dd-key", "SECRET-of-somebody-else");
  const Outcome refused = world.Run({"check"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("PERMISSION_DENIED: currentUser.get: Forbidden (HTTP 403)"));
}

TEST_F(CredentialsTest, CheckFindsTwoProvidersOfOneOrganizationByDifferentKeys) {
  UseFile(KeyFile(world.CloudUrl()));
  world.WriteSecret("second-key", "SECRET-second-key");
  std::string config = world.dir().Read("bindery.yaml");
  config.insert(config.find("  monitoring:"),
                "  dashboards: {type: monitoring, apiUrl: \"" + world.CloudUrl() +
                    "\", apiKeyFile: second-key, appKeyFile: second-key}\n");
  world.dir().Write("bindery.yaml", config);
  const Outcome outcome = world.Run({"check"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("as providers.dashboards: what manifests declare"));
  EXPECT_THAT(outcome.out, HasSubstr("keep one of the two providers"));
}

TEST_F(CredentialsTest, CheckNoticesAClockThatIsOff) {
  UseFile(KeyFile(world.CloudUrl()));
  world.SetFaults(Json::array({Json{{"dateSkew", "10m"}}}));
  const Outcome outcome = world.Run({"check"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, ::testing::ContainsRegex(
                               "this machine's clock is (9m5[0-9]s|10m) behind the service's"));
}

TEST_F(CredentialsTest, CheckWarnsOfAKeyThatOthersCanRead) {
  UseFile(KeyFile(world.CloudUrl()));
  std::filesystem::permissions(world.dir() / "google.json", std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  const Outcome outcome = world.Run({"check"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("chmod 600"));
}

TEST_F(CredentialsTest, NoSecretIsToldAnywhere) {
  UseFile(FederationFile(world.CloudUrl(), {{"file", world.dir() / "subject.txt"}}, true));
  world.dir().Write("manifests/r.yaml",
                    "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: r}\n"
                    "spec: {resourceId: \"dashboard:abc-def-ghi\", bindings: [{relation: editor, "
                    "principals: [\"user:1d3f7a52-0c55-4a57-9a9f-6a1de4a1c001\"]}]}\n");
  world.Configure("logging: {level: debug}\n");
  world.StartDaemon();
  world.Eventually("the first pass", [this] { return world.IsReady("m") && world.IsReady("r"); });
  world.SetFaults(Json::array({Json{{"operation", "*"}, {"status", 401}, {"times", 4}}}));
  std::ignore = world.Run({"reconcile", "m", "r"});
  world.SetFaults(Json::array({Json{{"operation", "sts.*"}, {"status", 400}}}));
  ASSERT_LT(world.Cloud("DELETE", "/_emulator/tokens").status, 300);
  std::ignore = world.Run({"reconcile", "m"});
  for (const char* path : {"/metrics", "/api/v1/resources", "/api/v1/events", "/api/v1/drift",
                           "/healthz?verbose", "/", "/api/v1/plan"}) {
    const HttpResult answer = world.Ask("GET", path);
    EXPECT_GE(answer.status, 200) << path;
    EXPECT_EQ(SecretIn(answer.body), "") << path;
  }
  // Commands, and all files at the end, are searched by the world itself.
  for (const char* command : {"get", "drift", "events", "plan", "check", "guard", "validate"}) {
    std::ignore = world.Run({command});
  }
  EXPECT_THAT(world.DaemonLog(), HasSubstr("UNAUTHENTICATED"));
}

TEST(Secrets, ASecretThatWasWrittenDownIsFound) {
  const TempDir dir;
  dir.Write("state/bindery.db", "…Bearer abc…");
  dir.Write("daemon.err", "token SECRET-x refused");
  dir.Write("seed.yaml", "SECRET-seed");
  dir.Write("fine", "nothing");
  EXPECT_EQ(FilesWithSecrets(dir.path(), {"seed.yaml"}).size(), 2U);
}

}  // namespace
}  // namespace bindery::testing
