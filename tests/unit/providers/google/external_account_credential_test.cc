#include "unit/providers/external_account_fixture.h"

namespace bindery::google {
namespace {

using testing::ExternalAccountTest;
using testing::FailsWith;
using testing::Form;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;
using namespace std::chrono_literals;

TEST_F(ExternalAccountTest, ATokenInAFileIsExchanged) {
  dir_.Write("subject", "subject-1\n");
  server_.When("POST", "/sts").Reply(200, Token("federated", 1000));
  const auto credentials = GoogleCredentialsFromFile(File(FromFile()), Settings());
  ASSERT_THAT(credentials, IsOk());
  EXPECT_EQ(credentials->kind, "workload identity federation");
  EXPECT_EQ(credentials->account, "");
  EXPECT_EQ(*Bearer(credentials), "Bearer federated");
  const auto request = server_.Requests().at(0);
  EXPECT_EQ(Form(request.body), ExchangeFields(kCloudPlatform));
  EXPECT_EQ(request.headers.count("authorization"), 0U);

  dir_.Write("subject", "subject-2");
  clock_->Pass(1000s);
  EXPECT_THAT(Bearer(credentials), IsOk());
  EXPECT_EQ(Form(server_.Requests().at(1).body)["subject_token"], "subject-2");
}

TEST_F(ExternalAccountTest, AServiceAccountIsImpersonatedWithTheExchangedToken) {
  dir_.Write("subject", "subject-1");
  server_.When("POST", "/sts").Reply(200, Token("federated"));
  server_.When("POST", kGenerate)
      .Reply(200, R"({"accessToken":"robot-1","expireTime":"2026-11-21T10:20:00Z"})");
  Json content = Impersonating();
  content["service_account_impersonation"] = {{"token_lifetime_seconds", 1200}};
  const auto credentials = GoogleCredentialsFromFile(File(content), Settings());
  ASSERT_THAT(credentials, IsOk());
  EXPECT_EQ(credentials->account, "robot@p-1.iam.gserviceaccount.com");
  EXPECT_EQ(*Bearer(credentials), "Bearer robot-1");
  ASSERT_THAT(server_.Requests(), SizeIs(2));
  EXPECT_EQ(Form(server_.Requests()[0].body), ExchangeFields(kIam));
  const auto generate = server_.Requests()[1];
  EXPECT_EQ(generate.headers.at("authorization"), "Bearer federated");
  EXPECT_EQ(generate.headers.at("content-type"), "application/json");
  const Json body = {{"scope", {kCloudPlatform}}, {"lifetime", "1200s"}};
  EXPECT_EQ(Json::parse(generate.body), body);

  clock_->Pass(1200s - 226s);
  EXPECT_EQ(*Bearer(credentials), "Bearer robot-1");
  EXPECT_THAT(server_.Requests(), SizeIs(2));
  clock_->Pass(1s);
  std::ignore = Bearer(credentials);
  EXPECT_TRUE(server_.WaitForRequests(4)) << "expireTime decides when it is renewed";
}

TEST_F(ExternalAccountTest, TokensComeFromAUrlAndFromJson) {
  dir_.Write("subject", R"({"token":"subject-1"})");
  server_.When("GET", "/text?audience=x").Reply(200, "subject-1");
  server_.When("GET", "/json").Reply(200, R"({"token":"subject-1"})");
  const Json json = {{"type", "json"}, {"subject_token_field_name", "token"}};
  const Json sources[] = {
      {{"file", dir_ / "subject"}, {"format", json}},
      {{"url", server_.Url("/text?audience=x")}, {"headers", {{"Metadata", "True"}}}},
      {{"url", server_.Url("/text?audience=x")},
       {"headers", {{"Metadata", "True"}}},
       {"format", {{"type", "text"}}}},
      {{"url", server_.Url("/json")}, {"headers", {{"Metadata", "True"}}}, {"format", json}},
  };
  server_.When("POST", "/sts").Reply(200, Token("federated"));
  for (const Json& source : sources) {
    SCOPED_TRACE(source.dump());
    EXPECT_EQ(*Bearer(GoogleCredentialsFromFile(File(External(source)), Settings())),
              "Bearer federated");
    EXPECT_EQ(Form(server_.Requests().back().body), ExchangeFields(kCloudPlatform));
  }
  int asked = 0;
  for (const auto& request : server_.Requests()) {
    if (request.method != "GET") continue;
    ++asked;
    EXPECT_EQ(request.headers.at("metadata"), "True");
  }
  EXPECT_EQ(asked, 3);
}

TEST_F(ExternalAccountTest, AClientIdSignsInWithHttpBasic) {
  dir_.Write("subject", "subject-1");
  server_.When("POST", "/sts").Reply(200, Token("federated"));
  Json content = FromFile();
  content["client_id"] = "Aladdin";
  content["client_secret"] = "open sesame";
  EXPECT_THAT(Bearer(GoogleCredentialsFromFile(File(content), Settings())), IsOk());
  EXPECT_EQ(server_.Requests().at(0).headers.at("authorization"),
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST_F(ExternalAccountTest, AWorkforceNamesTheProjectThatIsCharged) {
  dir_.Write("subject", "subject-1");
  server_.When("POST", "/sts").Reply(200, Token("federated"));
  Json content = FromFile();
  content["audience"] = "//iam.googleapis.com/locations/global/workforcePools/p/providers/q";
  content["workforce_pool_user_project"] = "p-9";
  const auto credentials = GoogleCredentialsFromFile(File(content), Settings());
  EXPECT_THAT(Bearer(credentials), IsOk());
  EXPECT_EQ(credentials->kind, "workforce identity federation");
  EXPECT_EQ(Form(server_.Requests().at(0).body)["options"], R"({"userProject":"p-9"})");
  content["client_id"] = "c";
  EXPECT_THAT(Bearer(GoogleCredentialsFromFile(File(content), Settings())), IsOk());
  EXPECT_EQ(Form(server_.Requests().at(1).body).count("options"), 0U) << "the client tells it";
}

TEST_F(ExternalAccountTest, ASubjectTokenThatIsNotThereIsNamed) {
  const auto message = [this](const Json& source) {
    const auto refused = Bearer(GoogleCredentialsFromFile(File(External(source)), Settings()));
    return refused ? "a token" : ToString(refused.error());
  };
  const std::string start =
      "UNAUTHENTICATED: credential file \"" + (dir_ / "key.json") + "\": the subject token";
  const std::string file = dir_ / "subject";
  EXPECT_EQ(message({{"file", file}}),
            start + ": credential file \"" + file + "\" cannot be read: No such file or directory");
  dir_.Write("subject", "\n");
  EXPECT_EQ(message({{"file", file}}), start + "'s file \"" + file + "\" is empty");
  const Json json = {{"type", "json"}, {"subject_token_field_name", "token"}};
  dir_.Write("subject", "secret-text");
  EXPECT_EQ(message({{"file", file}, {"format", json}}),
            start + "'s file \"" + file + "\" does not hold a JSON object");
  dir_.Write("subject", R"({"other":"secret-text"})");
  EXPECT_EQ(message({{"file", file}, {"format", json}}),
            start + "'s file \"" + file + "\" holds no string \"token\"");
  server_.When("GET", "/s").Reply(403, "secret-text");
  EXPECT_EQ(message({{"url", server_.Url("/s?code=hidden")}}),
            start + "'s URL " + server_.Url("/s") + " answered HTTP 403");
  EXPECT_THAT(waits_, IsEmpty());
}

TEST_F(ExternalAccountTest, ARefusedExchangeSaysWhatToCheck) {
  struct Case {
    const char* body;
    std::string message;
  };
  const std::string file = "file \"" + (dir_ / "subject") + "\"";
  const Case cases[] = {
      {R"({"error":"invalid_grant","error_description":"ID Token issued at 1 is stale to sign-in."})",
       "invalid_grant: ID Token issued at 1 is stale to sign-in: the subject token has expired: "
       "check what renews the " +
           file},
      {R"({"error":"invalid_target","error_description":"no such pool"})",
       "invalid_target: no such pool: check the audience in the credential file"},
      {R"({"error":"invalid_client"})", "invalid_client: check client_id and client_secret"},
      {R"({"error":"unauthorized_client","error_description":"condition rejected subject-1"})",
       "unauthorized_client: condition rejected [hidden]: check that the provider named by the "
       "audience accepts the token in the " +
           file},
  };
  dir_.Write("subject", "subject-1");
  const std::string path = File(FromFile());
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("POST", "/sts").Reply(400, c.body).Times(1);
    EXPECT_THAT(
        Bearer(GoogleCredentialsFromFile(path, Settings())),
        FailsWith(Code::kUnauthenticated, "credential file \"" + path + "\": " + c.message));
  }
}

TEST_F(ExternalAccountTest, ARefusedImpersonationNamesRoleAndAccount) {
  struct Case {
    int status;
    const char* body;
    Code code;
    std::string message;
  };
  const std::string said = "iamcredentials.generateAccessToken: ";
  const Case cases[] = {
      {403, R"({"error":{"message":"denied federated","status":"PERMISSION_DENIED"}})",
       Code::kUnauthenticated,
       said + "denied [hidden]: grant roles/iam.workloadIdentityUser on "
              "robot@p-1.iam.gserviceaccount.com to the identity of the credential file"},
      {404, R"({"error":{"message":"not found","status":"NOT_FOUND"}})", Code::kUnauthenticated,
       said + "not found: check that the service account robot@p-1.iam.gserviceaccount.com exists"},
      {200, R"({"accessToken":"secret-token"})", Code::kUnauthenticated,
       server_.Url() + " answered without a usable expireTime"},
      {200, R"({"expireTime":"2026-11-21T11:00:00Z"})", Code::kUnauthenticated,
       server_.Url() + " answered without a usable access token"},
      {200, R"({"accessToken":"secret-token","expireTime":"2026-11-21T09:00:00Z"})",
       Code::kUnauthenticated,
       server_.Url() + " answered with a token that expires at 2026-11-21T09:00:00.000Z, but this "
                       "machine's clock says 2026-11-21T10:00:00.000Z: synchronize it"},
      {200, "secret-token", Code::kUnauthenticated,
       server_.Url() + " answered with something that is not a JSON object: check "
                       "service_account_impersonation_url in the credential file"},
      {503, R"({"error":{"message":"busy","status":"UNAVAILABLE"}})", Code::kUnavailable,
       said + "busy"},
  };
  dir_.Write("subject", "subject-1");
  server_.When("POST", "/sts").Reply(200, Token("federated"));
  const std::string path = File(Impersonating());
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("POST", kGenerate).Reply(c.status, c.body).Times(c.status == 503 ? 3 : 1);
    EXPECT_THAT(Bearer(GoogleCredentialsFromFile(path, Settings())),
                FailsWith(c.code, "credential file \"" + path + "\": " + c.message));
  }
}

TEST_F(ExternalAccountTest, WhatIsNotSupportedSaysWhatToUseInstead) {
  struct Case {
    Json source;
    const char* message;
  };
  const Case cases[] = {
      {{{"environment_id", "aws1"}, {"region_url", "http://169.254.169.254/r"}},
       "\"credential_source.environment_id\" \"aws1\" is not supported: AWS needs signed requests; "
       "let a sidecar write a token to a file and use a credential_source with \"file\" or "
       "\"url\", "
       "or a service account key"},
      {{{"environment_id", "moon"}},
       "\"credential_source.environment_id\" is not known: use a credential_source with \"file\" "
       "or \"url\""},
      {{{"executable", {{"command", "/bin/x"}}}},
       "\"credential_source.executable\" is not supported: no program is run; use a "
       "credential_source with \"file\" or \"url\", or a service account key"},
      {{{"certificate", {{"use_default_certificate_config", true}}}},
       "\"credential_source.certificate\" is not supported: use a credential_source with \"file\" "
       "or \"url\", or a service account key"},
  };
  for (const Case& c : cases) {
    const std::string path = File(External(c.source));
    EXPECT_THAT(GoogleCredentialsFromFile(path, Settings()),
                FailsWith(Code::kUnimplemented, "credential file \"" + path + "\": " + c.message));
  }
}

TEST_F(ExternalAccountTest, WrongFieldsAreNamed) {
  struct Case {
    const char* field;
    Json value;
    const char* message;
  };
  const Case cases[] = {
      {"audience", "", "\"audience\" is empty"},
      {"credential_source", "x", "\"credential_source\" must be an object"},
      {"credential_source", nullptr, "\"credential_source\" is missing"},
      {"credential_source", Json::object(), "\"credential_source.file\" is missing"},
      {"credential_source",
       {{"file", "f"}, {"url", "https://x.example"}},
       "\"credential_source.file\" and \"url\" exclude each other"},
      {"credential_source",
       {{"url", "http://x.example/"}},
       "\"credential_source.url\" is wrong: \"http://x.example\" must begin with https:// (plain "
       "http is accepted only for localhost)"},
      {"credential_source",
       {{"url", "https://x.example/"}, {"headers", {{"a", 1}}}},
       "\"credential_source.headers\" must be an object of strings"},
      {"credential_source",
       {{"file", "f"}, {"format", {{"type", "xml"}}}},
       "\"credential_source.format.type\" must be \"text\" or \"json\""},
      {"credential_source",
       {{"file", "f"}, {"format", {{"type", "json"}}}},
       "\"credential_source.format.subject_token_field_name\" is missing"},
      {"service_account_impersonation",
       {{"token_lifetime_seconds", 60}},
       "\"service_account_impersonation.token_lifetime_seconds\" must be a whole number from 600 "
       "to "
       "43200"},
      {"workforce_pool_user_project", "p",
       "\"workforce_pool_user_project\" is for audiences of a workforce pool only"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    Json content = FromFile();
    content[c.field] = c.value;
    const std::string path = File(content);
    EXPECT_THAT(
        GoogleCredentialsFromFile(path, Settings()),
        FailsWith(Code::kInvalidArgument, "credential file \"" + path + "\": " + c.message));
  }
}

TEST_F(ExternalAccountTest, ALinkLocalTokenServiceMayBePlainHttp) {
  EXPECT_THAT(
      GoogleCredentialsFromFile(
          File(External({{"url", "http://169.254.169.254/metadata?resource=x"}})), Settings()),
      IsOk());
  for (const char* url : {"http://169.254.evil.example/", "http://169.255.0.1/"}) {
    EXPECT_THAT(GoogleCredentialsFromFile(File(External({{"url", url}})), Settings()),
                FailsWith(Code::kInvalidArgument, HasSubstr("must begin with https://")));
  }
}

TEST_F(ExternalAccountTest, AFileWithoutASecretMayBeReadByAnybody) {
  const std::string path = File(FromFile());
  ::chmod(path.c_str(), 0644);
  const auto credentials = GoogleCredentialsFromFile(path, Settings());
  ASSERT_THAT(credentials, IsOk());
  EXPECT_THAT(credentials->warnings, IsEmpty());
}

using ImpersonatedTest = ExternalAccountTest;

TEST_F(ImpersonatedTest, AUserOrAServiceAccountActsAsAnother) {
  server_.When("POST", "/token").Reply(200, Token("caller"));
  server_.When("POST", kGenerate)
      .Reply(200, R"({"accessToken":"robot-1","expireTime":"2026-11-21T11:00:00Z"})");
  for (const Json& source : {User(), ServiceAccount()}) {
    const Json content = {{"type", "impersonated_service_account"},
                          {"service_account_impersonation_url", server_.Url(kGenerate)},
                          {"delegates", {"projects/-/serviceAccounts/d"}},
                          {"source_credentials", source}};
    const auto credentials = GoogleCredentialsFromFile(File(content), Settings());
    ASSERT_THAT(credentials, IsOk());
    EXPECT_EQ(credentials->kind, "impersonated service account");
    EXPECT_EQ(credentials->account, "robot@p-1.iam.gserviceaccount.com");
    EXPECT_EQ(*Bearer(credentials), "Bearer robot-1");
    const auto generate = server_.Requests().back();
    EXPECT_EQ(generate.headers.at("authorization"), "Bearer caller");
    const Json body = {{"scope", {kCloudPlatform}},
                       {"lifetime", "3600s"},
                       {"delegates", {"projects/-/serviceAccounts/d"}}};
    EXPECT_EQ(Json::parse(generate.body), body);
  }
  const auto assertion = testing::SignedToken(Form(server_.Requests().at(2).body)["assertion"]);
  EXPECT_EQ(assertion.claims.at("scope"), kIam) << "impersonating needs no more";
}

TEST_F(ImpersonatedTest, TheQuotaProjectOfTheFileGoesWithTheImpersonation) {
  server_.When("POST", "/token").Reply(200, Token("caller"));
  server_.When("POST", kGenerate)
      .Reply(200, R"({"accessToken":"robot-1","expireTime":"2026-11-21T11:00:00Z"})");
  const auto sent = [&](const Json& content) {
    EXPECT_EQ(*Bearer(GoogleCredentialsFromFile(File(content), Settings())), "Bearer robot-1");
    const auto headers = server_.Requests().back().headers;
    const auto found = headers.find("x-goog-user-project");
    return found == headers.end() ? std::string("none") : found->second;
  };
  Json content = {{"type", "impersonated_service_account"},
                  {"service_account_impersonation_url", server_.Url(kGenerate)},
                  {"source_credentials", User()}};
  content["source_credentials"].erase("quota_project_id");
  EXPECT_EQ(sent(content), "none");
  content["quota_project_id"] = "whole";
  EXPECT_EQ(sent(content), "whole");
  content["source_credentials"]["quota_project_id"] = "callers";
  EXPECT_EQ(sent(content), "callers");
}

TEST_F(ImpersonatedTest, WrongFieldsAreNamed) {
  Json user = User();
  user.erase("refresh_token");
  struct Case {
    Json source;
    const char* message;
  };
  const Case cases[] = {
      {nullptr, "\"source_credentials\" is missing"},
      {Json::array(), "\"source_credentials\" must be an object"},
      {{{"type", "external_account"}},
       "\"source_credentials.type\" must be \"authorized_user\" or \"service_account\""},
      {user, "\"source_credentials.refresh_token\" is missing"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const std::string path = File({{"type", "impersonated_service_account"},
                                   {"service_account_impersonation_url", server_.Url(kGenerate)},
                                   {"source_credentials", c.source}});
    EXPECT_THAT(
        GoogleCredentialsFromFile(path, Settings()),
        FailsWith(Code::kInvalidArgument, "credential file \"" + path + "\": " + c.message));
  }
}

}  // namespace
}  // namespace bindery::google
