#include "unit/providers/credential_fixture.h"

namespace bindery::google {
namespace {

using testing::CredentialTest;
using testing::FailsWith;
using testing::Form;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Not;
using testing::SignedToken;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr std::int64_t kNow = 1795255200;  // 2026-11-21T10:00:00Z, the clock of the tests.

using ServiceAccountTest = CredentialTest;

TEST_F(ServiceAccountTest, ASignedAssertionIsTradedForAToken) {
  server_.When("POST", "/token").Reply(200, Token("access-1"));
  const auto credentials = GoogleCredentialsFromFile(File(ServiceAccount()), Settings());
  ASSERT_THAT(credentials, IsOk());
  EXPECT_EQ(credentials->kind, "service account key");
  EXPECT_EQ(credentials->source, dir_ / "key.json");
  EXPECT_EQ(credentials->account, "robot@p-1.iam.gserviceaccount.com");
  EXPECT_EQ(credentials->project, "p-1");
  EXPECT_EQ(credentials->universe_domain, "googleapis.com");
  EXPECT_THAT(credentials->warnings, IsEmpty());
  EXPECT_THAT(server_.Requests(), IsEmpty()) << "nothing is sent before a token is needed";

  EXPECT_EQ(*Bearer(credentials), "Bearer access-1");
  EXPECT_EQ(*Bearer(credentials), "Bearer access-1");
  ASSERT_THAT(server_.Requests(), SizeIs(1));
  const auto request = server_.Requests().front();
  EXPECT_EQ(request.headers.at("content-type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(request.headers.count("authorization"), 0U);
  auto form = Form(request.body);
  EXPECT_EQ(form["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
  const SignedToken assertion(form["assertion"]);
  EXPECT_TRUE(assertion.valid);
  EXPECT_EQ(assertion.header, Json::parse(R"({"alg":"RS256","typ":"JWT","kid":"key-1"})"));
  const Json claims = {{"iss", "robot@p-1.iam.gserviceaccount.com"},
                       {"scope", kCloudPlatform},
                       {"aud", server_.Url("/token")},
                       {"iat", kNow - 10},
                       {"exp", kNow + 3590}};
  EXPECT_EQ(assertion.claims, claims);
}

TEST_F(ServiceAccountTest, WithoutATokenEndpointTheAssertionIsTheToken) {
  Json no_uri = ServiceAccount();
  no_uri.erase("token_uri");
  Json elsewhere = ServiceAccount();
  elsewhere["universe_domain"] = "cloud.example";
  for (const Json& file : {no_uri, elsewhere}) {
    const auto credentials = GoogleCredentialsFromFile(File(file), Settings());
    const auto bearer = Bearer(credentials);
    ASSERT_THAT(bearer, IsOk());
    const SignedToken token(bearer->substr(7));
    EXPECT_TRUE(token.valid);
    const Json claims = {{"iss", "robot@p-1.iam.gserviceaccount.com"},
                         {"scope", kCloudPlatform},
                         {"sub", "robot@p-1.iam.gserviceaccount.com"},
                         {"iat", kNow - 10},
                         {"exp", kNow + 3590}};
    EXPECT_EQ(token.claims, claims);
  }
  EXPECT_THAT(server_.Requests(), IsEmpty());
}

TEST_F(ServiceAccountTest, ATokenIsRenewedBeforeItExpires) {
  server_.When("POST", "/token").Reply(200, Token("access-1", 1000)).Times(1);
  server_.When("POST", "/token").Reply(200, Token("access-2", 1000)).Times(1);
  const auto credentials = GoogleCredentialsFromFile(File(ServiceAccount()), Settings());
  EXPECT_EQ(*Bearer(credentials), "Bearer access-1");
  clock_->Pass(774s);
  EXPECT_EQ(*Bearer(credentials), "Bearer access-1");
  clock_->Pass(2s);
  EXPECT_TRUE(Comes(credentials, "Bearer access-2"));
}

TEST_F(ServiceAccountTest, AReplacedKeyIsTakenUpWithTheNextToken) {
  server_.When("POST", "/token").Reply(200, Token("access", 1000));
  const auto credentials = GoogleCredentialsFromFile(File(ServiceAccount()), Settings());
  ASSERT_THAT(Bearer(credentials), IsOk());
  Json next = ServiceAccount();
  next["private_key_id"] = "key-22";
  File(next);
  clock_->Pass(1000s);
  ASSERT_THAT(Bearer(credentials), IsOk());
  TextFile("half of a fi", "key.json");
  clock_->Pass(1000s);
  ASSERT_THAT(Bearer(credentials), IsOk()) << "the key that is known still works";
  std::vector<std::string> keys;
  for (const auto& request : server_.Requests()) {
    keys.push_back(SignedToken(Form(request.body)["assertion"]).header.at("kid"));
  }
  EXPECT_THAT(keys, ::testing::ElementsAre("key-1", "key-22", "key-22"));
}

TEST_F(ServiceAccountTest, AFileThatCannotBeUsedAnyMoreIsTheCauseGiven) {
  server_.When("POST", "/token").Reply(400, R"({"error":"invalid_grant"})");
  const auto credentials = GoogleCredentialsFromFile(File(ServiceAccount()), Settings());
  dir_.Remove("key.json");
  EXPECT_THAT(Bearer(credentials), FailsWith(Code::kUnauthenticated,
                                             "credential file \"" + (dir_ / "key.json") +
                                                 "\" cannot be read: No such file or directory"));
}

TEST_F(ServiceAccountTest, ARefusalSaysWhatToDo) {
  struct Case {
    const char* body;
    const char* message;
  };
  const Case cases[] = {
      {R"({"error":"invalid_grant","error_description":"Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim."})",
       "invalid_grant: Invalid JWT: Token must be a short-lived token (60 minutes) and in a "
       "reasonable timeframe. Check your iat and exp values in the JWT claim: this machine's clock "
       "says 2026-11-21T10:00:00.000Z, which seems to be wrong: synchronize it"},
      {R"({"error":"invalid_grant","error_description":"Invalid JWT Signature."})",
       "invalid_grant: Invalid JWT Signature: the key was deleted or disabled: create a new one "
       "for "
       "robot@p-1.iam.gserviceaccount.com"},
      {R"({"error":"invalid_grant","error_description":"Invalid grant: account not found"})",
       "invalid_grant: Invalid grant: account not found: the service account "
       "robot@p-1.iam.gserviceaccount.com was deleted or disabled"},
      {R"({"error":"unauthorized_client"})",
       "unauthorized_client: check that the service account robot@p-1.iam.gserviceaccount.com and "
       "this key of it are enabled"},
  };
  const std::string path = File(ServiceAccount());
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("POST", "/token").Reply(400, c.body).Times(1);
    EXPECT_THAT(
        Bearer(GoogleCredentialsFromFile(path, Settings())),
        FailsWith(Code::kUnauthenticated, "credential file \"" + path + "\": " + c.message));
  }
  EXPECT_THAT(server_.Requests(), SizeIs(4)) << "what is refused is not tried again";
}

TEST_F(ServiceAccountTest, WrongFieldsAreNamedAndNotShown) {
  struct Case {
    const char* field;
    Json value;  ///< Null: taken out.
    const char* message;
  };
  const Case cases[] = {
      {"type", nullptr, "\"type\" is missing"},
      {"type", 7, "\"type\" must be a string"},
      {"client_email", nullptr, "\"client_email\" is missing"},
      {"client_email", "", "\"client_email\" is empty"},
      {"private_key", nullptr, "\"private_key\" is missing"},
      {"private_key", "-----BEGIN PRIVATE KEY-----\nsecret\n",
       "\"private_key\" is not an RSA private key in PEM form"},
      {"private_key_id", 7, "\"private_key_id\" must be a string"},
      {"quota_project_id", Json::array(), "\"quota_project_id\" must be a string"},
      {"universe_domain", "a/b", "\"universe_domain\" is not a domain name"},
      {"token_uri", "http://example.org/token",
       "\"token_uri\" is wrong: \"http://example.org\" must begin with https:// (plain http "
       "is accepted only for localhost)"},
      {"token_uri", "https://user:pass@example.org/",
       "\"token_uri\" is wrong: a service URL must not hold a user or a password"},
      {"token_uri", "https://example.org/a b",
       "\"token_uri\" holds white space or characters that such a URL cannot hold"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    Json content = ServiceAccount();
    if (c.value.is_null()) {
      content.erase(c.field);
    } else {
      content[c.field] = c.value;
    }
    const std::string path = File(content);
    EXPECT_THAT(
        GoogleCredentialsFromFile(path, Settings()),
        FailsWith(Code::kInvalidArgument, "credential file \"" + path + "\": " + c.message));
  }
}

TEST_F(ServiceAccountTest, AnEncryptedOrEllipticKeyIsRefusedWithoutAsking) {
  Json content = ServiceAccount();
  content["private_key"] =
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: "
      "AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\nAAAAAAAAAAAAAAAAAAAAAA==\n"
      "-----END RSA PRIVATE KEY-----\n";
  EXPECT_THAT(GoogleCredentialsFromFile(File(content), Settings()),
              FailsWith(Code::kInvalidArgument, HasSubstr("is not an RSA private key")));
}

TEST_F(ServiceAccountTest, AnEndpointThatRepeatsTheAssertionDoesNotGetItIntoAMessage) {
  // What is sent is not known before; a transport of our own sends it back.
  class Echo final : public cloud::Transport {
   public:
    Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
      assertion = Form(request.body)["assertion"];
      return cloud::HttpResponse{
          400,
          {},
          Json({{"error", "invalid_grant"}, {"error_description", "bad " + assertion}}).dump()};
    }
    std::string assertion;
  };
  const auto echo = std::make_shared<Echo>();
  transport_ = echo;
  const auto refused = Bearer(GoogleCredentialsFromFile(File(ServiceAccount()), Settings()));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("invalid_grant: bad "));
  EXPECT_THAT(refused.error().message, Not(HasSubstr(echo->assertion.substr(0, 40))));
}

}  // namespace
}  // namespace bindery::google
