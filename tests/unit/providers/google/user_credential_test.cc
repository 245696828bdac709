#include "unit/providers/credential_fixture.h"

namespace bindery::google {
namespace {

using testing::CredentialTest;
using testing::FailsWith;
using testing::FakeClock;
using testing::Form;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using ::testing::SizeIs;
using namespace std::chrono_literals;

using UserCredentialTest = CredentialTest;
using Fields = std::map<std::string, std::string>;

TEST_F(UserCredentialTest, ARefreshTokenIsTradedForAnAccessToken) {
  server_.When("POST", "/token").Reply(200, R"({"access_token":"access-1","expires_in":"3599"})");
  const auto credentials = GoogleCredentialsFromFile(File(User()), Settings());
  ASSERT_THAT(credentials, IsOk());
  EXPECT_EQ(credentials->kind, "user credentials");
  EXPECT_EQ(*Bearer(credentials), "Bearer access-1");
  EXPECT_EQ(Form(server_.Requests().at(0).body), (Fields{{"grant_type", "refresh_token"},
                                                         {"client_id", "id-1"},
                                                         {"client_secret", "client-secret-1"},
                                                         {"refresh_token", "refresh-1"}}));
}

TEST_F(UserCredentialTest, ANewRefreshTokenReplacesTheOldOne) {
  server_.When("POST", "/token")
      .Reply(200, R"({"access_token":"a","expires_in":1000,"refresh_token":"refresh-2"})");
  const auto credentials = GoogleCredentialsFromFile(File(User()), Settings());
  ASSERT_THAT(Bearer(credentials), IsOk());
  clock_->Pass(1000s);
  ASSERT_THAT(Bearer(credentials), IsOk());
  EXPECT_EQ(Form(server_.Requests().at(1).body)["refresh_token"], "refresh-2");
}

TEST_F(UserCredentialTest, ARefusalSaysToSignInAgain) {
  struct Case {
    const char* body;
    const char* message;
  };
  const Case cases[] = {
      {R"({"error":"invalid_grant","error_description":"Token has been expired or revoked."})",
       "invalid_grant: Token has been expired or revoked: the refresh token was revoked or has "
       "expired: run `gcloud auth application-default login` again"},
      {R"_({"error":"invalid_grant","error_description":"reauth related error (invalid_rapt)","error_subtype":"invalid_rapt"})_",
       "invalid_grant: reauth related error (invalid_rapt): the organization asks for a new "
       "sign-in: run `gcloud auth application-default login` again, or use a service account"},
      {R"({"error":"invalid_client","error_description":"no refresh-1 for client-secret-1"})",
       "invalid_client: no [hidden] for [hidden]: run `gcloud auth application-default login` "
       "again"},
  };
  const std::string path = File(User());
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("POST", "/token").Reply(400, c.body).Times(1);
    const auto refused = Bearer(GoogleCredentialsFromFile(path, Settings()));
    EXPECT_THAT(refused, FailsWith(Code::kUnauthenticated,
                                   "credential file \"" + path + "\": " + c.message));
    EXPECT_THAT(refused.error().message, Not(HasSubstr("refresh-1")));
  }
}

TEST_F(UserCredentialTest, EveryFieldIsNeeded) {
  for (const std::string field : {"client_id", "client_secret", "refresh_token"}) {
    Json content = User();
    content.erase(field);
    const std::string path = File(content);
    EXPECT_THAT(GoogleCredentialsFromFile(path, Settings()),
                FailsWith(Code::kInvalidArgument,
                          "credential file \"" + path + "\": \"" + field + "\" is missing"));
  }
}

// How an endpoint behaves is the same for all kinds of credentials; this is the simplest of them.

TEST_F(UserCredentialTest, WhatPassesByItselfIsTriedThreeTimes) {
  server_.When("POST", "/token").Reply(503, "busy").Times(1);
  server_.When("POST", "/token").Reply(400, R"({"error":"server_error"})").Times(1);
  server_.When("POST", "/token").Reply(200, Token("access-1")).Times(1);
  EXPECT_EQ(*Bearer(GoogleCredentialsFromFile(File(User()), Settings())), "Bearer access-1");
  EXPECT_THAT(waits_, ::testing::ElementsAre(1s, 2s));
}

TEST_F(UserCredentialTest, WhatDoesNotPassIsUnavailable) {
  const std::string path = File(User());
  const std::string where = "credential file \"" + path + "\": " + server_.Url();
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    server_.When("POST", "/token").Reply(status, "<html>refresh-1</html>").Times(3);
    EXPECT_THAT(Bearer(GoogleCredentialsFromFile(path, Settings())),
                FailsWith(Code::kUnavailable, where + " answered HTTP " + std::to_string(status)));
  }
  server_.When("POST", "/token").Reply(400, R"({"error":"temporarily_unavailable"})").Times(3);
  const auto refused = Bearer(GoogleCredentialsFromFile(path, Settings()));
  EXPECT_THAT(refused,
              FailsWith(Code::kUnavailable, where + " answered HTTP 400: temporarily_unavailable"));
  EXPECT_EQ(refused.error().http_status, 0) << "no call of the API's has been answered";
  EXPECT_FALSE(refused.error().outcome_unknown);
  EXPECT_THAT(server_.Requests(), SizeIs(21));
}

TEST_F(UserCredentialTest, AnEndpointThatAsksForALongWaitIsLeftAlone) {
  server_.When("POST", "/token").Reply(429, "", {{"Retry-After", "120"}});
  const auto credentials = GoogleCredentialsFromFile(File(User()), Settings());
  const auto refused = Bearer(credentials);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().retry_after, 120s);
  clock_->Pass(119s);
  EXPECT_FALSE(Bearer(credentials));
  EXPECT_THAT(server_.Requests(), SizeIs(1));
}

TEST_F(UserCredentialTest, AnEndpointThatCannotBeReachedIsUnavailable) {
  server_.When("POST", "/token").Close();
  const auto lost = Bearer(GoogleCredentialsFromFile(File(User()), Settings()));
  EXPECT_THAT(lost, FailsWith(Code::kUnavailable, HasSubstr(server_.Url())));
  EXPECT_FALSE(lost.error().outcome_unknown);
  EXPECT_THAT(waits_, SizeIs(2));
}

/// Every attempt takes as long as it may and ends without an answer.
class SilentEndpoint final : public cloud::Transport {
 public:
  explicit SilentEndpoint(std::shared_ptr<FakeClock> clock) : clock_(std::move(clock)) {}
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    timeouts.push_back(request.timeout);
    clock_->Pass(request.timeout);
    return Fail(Code::kDeadlineExceeded, "silence");
  }
  std::vector<std::chrono::milliseconds> timeouts;

 private:
  const std::shared_ptr<FakeClock> clock_;
};

TEST_F(UserCredentialTest, ASilentEndpointIsGivenUpAfterFifteenSeconds) {
  const auto endpoint = std::make_shared<SilentEndpoint>(clock_);
  transport_ = endpoint;
  const auto start = clock_->Mono();
  EXPECT_THAT(Bearer(GoogleCredentialsFromFile(File(User()), Settings())),
              FailsWith(Code::kUnavailable, HasSubstr("silence")));
  EXPECT_THAT(endpoint->timeouts, ::testing::ElementsAre(5s, 5s, 2s));
  EXPECT_THAT(waits_, ::testing::ElementsAre(1s, 2s));
  EXPECT_EQ(clock_->Mono() - start, 15s);
}

TEST_F(UserCredentialTest, AnAnswerWithoutAUsableTokenIsRefusedAndNotShown) {
  struct Case {
    int status;
    const char* body;
    const char* message;
  };
  const Case cases[] = {
      {200, "secret-answer", " answered with something that is not a JSON object"},
      {200, "[\"secret-answer\"]", " answered with something that is not a JSON object"},
      {200, R"({"access_token":"secret-answer","access_token":"secret-answer"})",
       " answered with something that is not a JSON object"},
      {200, R"({"id_token":"secret-answer","expires_in":3599})",
       " answered without a usable access token"},
      {200, "{\"access_token\":\"secret-answer\\r\\nX: y\"}",
       " answered without a usable access token"},
      {200, R"({"access_token":"secret-answer","expires_in":0})",
       " answered with a token that has expired already"},
      {200, R"({"access_token":"secret-answer","expires_in":"soon"})",
       " answered with an expires_in that is not a number of seconds"},
      {200, R"({"access_token":"secret-answer","expires_in":-1})",
       " answered with an expires_in that is not a number of seconds"},
      {404, "<html>secret-answer</html>",
       " answered HTTP 404 without an OAuth error: check token_uri"},
      {302, "secret-answer", " answered HTTP 302 without an OAuth error: check token_uri"},
  };
  const std::string path = File(User());
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("POST", "/token").Reply(c.status, c.body).Times(1);
    EXPECT_THAT(Bearer(GoogleCredentialsFromFile(path, Settings())),
                FailsWith(Code::kUnauthenticated,
                          "credential file \"" + path + "\": " + server_.Url() + c.message));
  }
}

TEST_F(UserCredentialTest, ATokenWithoutALifetimeLivesAnHour) {
  server_.When("POST", "/token").Reply(200, R"({"access_token":"access-1"})");
  const auto credentials = GoogleCredentialsFromFile(File(User()), Settings());
  ASSERT_THAT(Bearer(credentials), IsOk());
  clock_->Pass(3600s - 226s);
  ASSERT_THAT(Bearer(credentials), IsOk());
  EXPECT_THAT(server_.Requests(), SizeIs(1));
}

TEST_F(UserCredentialTest, SixteenThreadsCauseOneFetch) {
  server_.When("POST", "/token").Reply(200, Token("access-1")).Delay(20ms);
  const auto credentials = GoogleCredentialsFromFile(File(User()), Settings());
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&credentials] {
      // On a busy machine one may give up before the token is there; it is asked for once anyway.
      std::ignore = Bearer(credentials);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(*Bearer(credentials), "Bearer access-1");
  EXPECT_THAT(server_.Requests(), SizeIs(1));
}

}  // namespace
}  // namespace bindery::google
