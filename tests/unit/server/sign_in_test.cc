// Who is let in over TCP, and how long somebody who guesses has to wait.

#include "server/sign_in.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/base64.h"
#include "server/requests/cross_site.h"
#include "support/bcrypt.h"

namespace bindery::server {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class SetClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return {}; }
  [[nodiscard]] MonoTime Mono() const override { return now; }
  MonoTime now{seconds(1'000)};
};

class SignInTest : public ::testing::Test {
 protected:
  SignInTest() { config_.users = {{"ana", testing::Bcrypt("sesame")}, {"bob", kAna}}; }

  struct Outcome {
    int status = 200;
    std::string user;
    std::string retry_after;
  };
  Outcome Ask(const std::string& credentials, const std::string& address = "10.0.0.7:40112") {
    httpd::Request request;
    request.raw_target = "/metrics";
    request.peer.address = address;
    if (!credentials.empty()) {
      request.headers.Add("Authorization", "Basic " + EncodeBase64(credentials));
    }
    return Ask(std::move(request));
  }
  Outcome Ask(httpd::Request request) {
    const auto answer = sign_in_.Check(config_, request);
    if (!answer) return {200, request.peer.user, ""};
    return {answer->status, "", answer->headers.Get("Retry-After")};
  }

  const std::string kAna = testing::Bcrypt("open");
  SetClock clock_;
  std::vector<std::string> log_;
  telemetry::Logger logger_{{LogFormat::kText, LogLevel::kInfo,
                             [this](std::string_view line) { log_.emplace_back(line); }}};
  config::WebConfig config_;
  Identities identities_{clock_, logger_};
  SignIn sign_in_{clock_, logger_, identities_};
};

TEST_F(SignInTest, TheRightPasswordLetsInUnderItsName) {
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = Ask("ana:sesame");
    EXPECT_EQ(outcome.status, 200);
    EXPECT_EQ(outcome.user, "ana");
  }
  EXPECT_EQ(Ask("bob:open").user, "bob");
}

TEST_F(SignInTest, WhateverElseIsAskedForAPassword) {
  for (const char* credentials : {"", "ana", "ana:", ":", ":sesame", "ana:Sesame", "ana:sesame ",
                                  "bob:sesame", "eve:sesame", "ANA:sesame"}) {
    EXPECT_EQ(Ask(credentials, "10.0.0." + std::to_string(log_.size()) + ":1").status, 401)
        << credentials;
  }
  httpd::Request request;
  for (const char* field : {"Basic", "Basic ", "Basic !!!", "Bearer YW5hOnNlc2FtZQ==", "basic"}) {
    request.headers.Set("Authorization", field);
    EXPECT_EQ(Ask(request).status, 401) << field;
  }
  request.headers.Set("Authorization", "bAsIc   " + EncodeBase64("ana:sesame"));
  EXPECT_EQ(Ask(request).status, 200);
}

TEST_F(SignInTest, APasswordThatWasChangedIsNoLongerGood) {
  EXPECT_EQ(Ask("ana:sesame").status, 200);
  config_.users["ana"] = testing::Bcrypt("new");
  EXPECT_EQ(Ask("ana:sesame").status, 401);
  EXPECT_EQ(Ask("ana:new").status, 200);
  config_.users.erase("ana");
  EXPECT_EQ(Ask("ana:new").status, 401);
}

TEST_F(SignInTest, WhoGuessesTooOftenHasToWaitEvenWithTheRightOne) {
  for (int i = 0; i < SignIn::kMostFailures; ++i) EXPECT_EQ(Ask("ana:guess").status, 401);
  clock_.now += seconds(20);
  const Outcome blocked = Ask("ana:sesame", "10.0.0.7:999");
  EXPECT_EQ(blocked.status, 429);
  EXPECT_EQ(blocked.retry_after, "40");
  EXPECT_EQ(Ask("ana:sesame", "10.0.0.8:1").status, 200) << "nobody else has to";
  clock_.now += seconds(40);
  EXPECT_EQ(Ask("ana:sesame").status, 200);
}

TEST_F(SignInTest, AGuesserCannotMoveAboutInItsIPv6Network) {
  for (int i = 0; i < SignIn::kMostFailures; ++i) {
    Ask("ana:guess", "[2001:db8:1:2:3:4:5:" + std::to_string(i) + "]:40112");
  }
  EXPECT_EQ(Ask("ana:sesame", "[2001:db8:1:2::9]:1").status, 429);
  EXPECT_EQ(Ask("ana:sesame", "[2001:db8:1:3::9]:1").status, 200);
}

TEST_F(SignInTest, HoweverItsIPv6AddressIsWritten) {
  struct Case {
    std::string guesses;  ///< Without its last group.
    std::string neighbour;
    int status;
  };
  for (const Case& c : std::vector<Case>{{"[fe80::a:b:c:", "[fe80::1]:1", 429},
                                         {"[fe80::a:b:c:", "[fe80:0:0:1::1]:1", 200},
                                         {"[2001:db8::", "[2001:db8::7:7:7:7]:1", 429},
                                         {"[2001:db8::", "[2001:db8:0:1::7]:1", 200},
                                         {"[::ffff:10.9.8.", "[::ffff:10.9.8.99]:1", 200}}) {
    for (int i = 1; i <= SignIn::kMostFailures; ++i) {
      Ask("ana:guess", c.guesses + std::to_string(i) + "]:40112");
    }
    EXPECT_EQ(Ask("ana:sesame", c.neighbour).status, c.status) << c.neighbour;
  }
}

TEST_F(SignInTest, GuessesAreLoggedWithoutThePasswordAndNotForEver) {
  for (int i = 0; i < 100; ++i) Ask("ana:guess");
  EXPECT_THAT(log_, SizeIs(SignIn::kMostFailures));
  EXPECT_THAT(log_.front(), HasSubstr("wrong password peer=10.0.0.7 user=ana"));
  EXPECT_THAT(log_.back(), HasSubstr("the address is not listened to for a minute"));
  for (const std::string& line : log_) EXPECT_THAT(line, Not(HasSubstr("guess")));
}

TEST_F(SignInTest, ProbesNeedNoPasswordButLearnOneWordOnly) {
  for (const auto& [target, status] :
       std::vector<std::pair<std::string, int>>{{"/livez", 200},
                                                {"/readyz", 200},
                                                {"/healthz", 200},
                                                {"/readyz?verbose", 401},
                                                {"/livez/", 401},
                                                {"/", 401},
                                                {"/api/v1/drift", 401}}) {
    httpd::Request request;
    request.raw_target = target;
    EXPECT_EQ(Ask(request).status, status) << target;
  }
}

TEST_F(SignInTest, WithoutUsersEverybodyIsServedAndAVerifiedCertificateIsTheName) {
  config_.users.clear();
  EXPECT_EQ(Ask("").user, "");
  httpd::Request request;
  request.peer.certificate = "CN=prometheus";
  EXPECT_EQ(Ask(request).user, "CN=prometheus");
}

TEST_F(SignInTest, TheListenerAnswersNoMoreThanItsRateLimit) {
  config_.users.clear();
  config_.rate_limit = {seconds(1), 2};
  EXPECT_EQ(Ask("").status, 200);
  EXPECT_EQ(Ask("").status, 200);
  EXPECT_EQ(Ask("").status, 429);
  clock_.now += seconds(1);
  EXPECT_EQ(Ask("").status, 200);
  EXPECT_EQ(Ask("").status, 429);
}

TEST(CrossSite, ABrowserThatActsForAnotherSiteIsFound) {
  struct Case {
    httpd::Headers headers;
    bool cross;
  };
  const std::vector<Case> cases = {
      {{{"Host", "b.example:9817"}}, false},
      {{{"Host", "b.example:9817"}, {"Origin", "https://b.example:9817"}}, false},
      {{{"Host", "b.example:9817"}, {"Origin", "https://evil.example"}}, true},
      {{{"Host", "b.example:9817"}, {"Origin", "https://b.example"}}, true},
      {{{"Host", "b.example:9817"}, {"Origin", "null"}}, true},
      {{{"Sec-Fetch-Site", "same-origin"}, {"Origin", "https://proxy.example"}}, false},
      {{{"Sec-Fetch-Site", "none"}}, false},
      {{{"Sec-Fetch-Site", "same-site"}}, true},
      {{{"Sec-Fetch-Site", "cross-site"}}, true},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    httpd::Request request;
    request.headers = cases[i].headers;
    EXPECT_EQ(IsCrossSite(request), cases[i].cross) << i;
  }
}

}  // namespace
}  // namespace bindery::server
