// The sign-in of browsers at an OpenID provider, from the first page to the sign-out, and all that
// a hostile or careless provider may answer.

#include <chrono>
#include <future>
#include <vector>

#include "open_id_fixture.h"

namespace bindery::server {
namespace {

using testing::Faults;
using testing::Fetch;
using ::testing::HasSubstr;
using testing::HttpImpostor;
using testing::HttpResult;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::OpenIdSignIn;
using ::testing::StartsWith;
using testing::TokenSigner;

TEST_F(OpenIdSignIn, ABrowserIsSentToTheProviderAndComesBack) {
  Announce();
  const HttpResult first = Visit("/drift?limit=5");
  EXPECT_EQ(first.status, 303);
  EXPECT_EQ(first.Header("Location"), "/auth/login?return=%2Fdrift%3Flimit%3D5");

  const Begun begun = Begin("/drift?limit=5");
  EXPECT_EQ(begun.asked.at("tenant"), "a");
  EXPECT_EQ(begun.asked.at("response_type"), "code");
  EXPECT_EQ(begun.asked.at("client_id"), "bindery");
  EXPECT_EQ(begun.asked.at("scope"), "openid email");
  EXPECT_EQ(begun.asked.at("redirect_uri"), "http://localhost:9817/auth/callback");
  EXPECT_EQ(begun.asked.at("code_challenge_method"), "S256");

  ProviderAnswers(begun.asked.at("nonce"), {});
  const HttpResult back =
      Visit("/auth/callback?code=c-1&state=" + begun.asked.at("state"), begun.cookie);
  EXPECT_EQ(back.status, 303) << back.body;
  EXPECT_EQ(back.Header("Location"), "/drift?limit=5");
  EXPECT_EQ(back.Header("Referrer-Policy"), "no-referrer");
  EXPECT_THAT(back.Header("Set-Cookie"),
              HasSubstr("; Path=/; Max-Age=28800; HttpOnly; SameSite=Lax"));
  const std::string session = CookieIn(back, "bindery");
  const HttpResult page = Visit("/drift", session);
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr(R"(href="/account">ana@example.com</a>)"));
  EXPECT_THAT(Visit("/account", session).body, HasSubstr("has the role operator"));

  const auto requests = provider_.Requests();
  const auto found = std::ranges::find(requests, "/token", &HttpImpostor::Request::target);
  ASSERT_NE(found, requests.end());
  const HttpImpostor::Request& redeemed = *found;
  // Both parts are form-encoded before (RFC 6749, 2.3.1).
  EXPECT_EQ(redeemed.headers.at("authorization"), "Basic " + EncodeBase64("bindery:s3cr%2Bt%26x"));
  const auto form = httpd::ParseQuery(redeemed.body).value_or(httpd::Request::Query());
  const auto verifier =
      std::ranges::find(form, "code_verifier", &std::pair<std::string, std::string>::first);
  ASSERT_NE(verifier, form.end());
  const auto digest = Sha256Digest::Of(verifier->second);
  EXPECT_EQ(testing::Base64UrlOf({reinterpret_cast<const char*>(digest.bytes.data()), 32}),
            begun.asked.at("code_challenge"));
}

TEST_F(OpenIdSignIn, WhoIsNotABrowserGetsAnAnswerAndNoPage) {
  EXPECT_EQ(Get("/api/v1/drift").status, 401);
  EXPECT_EQ(Get("/metrics").status, 401);
  EXPECT_EQ(Get("/livez").status, 200);
  EXPECT_EQ(OverTcp("POST", "/api/v1/suspend", R"({"names":["a"]})").status, 401);
  EXPECT_THAT(Get("/drift").Header("WWW-Authenticate"), IsEmpty());
}

TEST_F(OpenIdSignIn, AnAnswerThatDoesNotFitSignsNobodyIn) {
  Announce();
  static const TokenSigner kOther = TokenSigner::Rsa("k1");
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.Wall().time_since_epoch()).count();
  const auto claim = [](const char* name, const Json& value) {
    Faults faults;
    faults.claims[name] = value;
    return faults;
  };
  const auto header = [](const Json& value) {
    Faults faults;
    faults.header = value;
    return faults;
  };
  Faults forged;
  forged.signer = &kOther;
  Faults no_token;
  no_token.token = "no token";
  Faults replayed;
  replayed.token_status = 400;
  Faults somebody_else = claim("groups", nullptr);
  somebody_else.userinfo = R"({"sub":"1","groups":["sre"]})";
  for (const auto& [faults, status, why] : std::vector<std::tuple<Faults, int, std::string>>{
           {claim("iss", "https://evil.example"), 401, "&quot;iss&quot;"},
           {claim("aud", "other"), 401, "&quot;aud&quot;"},
           {claim("aud", {"bindery", "other"}), 401, "&quot;aud&quot;"},
           {claim("azp", "other"), 401, "&quot;azp&quot;"},
           {claim("nonce", "n"), 401, "&quot;nonce&quot;"},
           {claim("exp", now - 61), 401, "expired"},
           {claim("iat", now + 61), 401, "in the future"},
           {claim("sub", nullptr), 401, "&quot;sub&quot;"},
           {claim("groups", {"other"}), 403, "names the groups other"},
           {claim("groups", Json::array()), 403, "names no group"},
           {claim("hasgroups", true), 303, ""},  // The groups are there.
           {header({{"alg", "none"}}), 401, "neither RS256 nor ES256"},
           {header({{"alg", "HS256"}, {"kid", "k1"}}), 401, "neither RS256 nor ES256"},
           {header({{"alg", "RS256"}, {"kid", "k2"}}), 401, "the key is not known"},
           {forged, 401, "the signature is wrong"},
           {no_token, 401, "three parts"},
           {replayed, 401, "status 400, invalid_grant"},
           {somebody_else, 401, "describes somebody else"},
       }) {
    const HttpResult result = SignIn(faults);
    EXPECT_EQ(result.status, status) << faults.claims << faults.header << result.body;
    EXPECT_THAT(result.body, HasSubstr(why));
    EXPECT_EQ(CookieIn(result, "bindery").empty(), status != 303);
  }
}

TEST_F(OpenIdSignIn, GroupsMayComeFromTheUserInfo) {
  Announce();
  Faults faults;
  faults.claims["groups"] = nullptr;
  faults.userinfo = R"({"sub":"2440","groups":["staff"]})";
  EXPECT_THAT(Visit("/account", CookieIn(SignIn(faults), "bindery")).body,
              HasSubstr("has the role viewer"));
}

TEST_F(OpenIdSignIn, AnAddressCountsWhenItIsVerified) {
  Announce();
  const std::string lead = SignedIn({{"email", "lead@example.com"}});
  EXPECT_THAT(Visit("/account", lead).body, HasSubstr("has the role approver"));
  const std::string liar = SignedIn({{"email", "lead@example.com"}, {"email_verified", false}});
  EXPECT_THAT(Visit("/account", liar).body, HasSubstr("2440 has the role operator"));
}

TEST_F(OpenIdSignIn, AnAnswerBelongsToTheBrowserThatAsked) {
  Announce();
  const Begun begun = Begin("/");
  const Begun other = Begin("/");
  const std::string answer = "/auth/callback?code=c&state=";
  ProviderAnswers(begun.asked.at("nonce"), {});
  EXPECT_EQ(Visit(answer + begun.asked.at("state")).status, 401) << "without a cookie";
  EXPECT_EQ(Visit(answer + begun.asked.at("state"), other.cookie).status, 401);
  EXPECT_EQ(
      Visit(answer + begun.asked.at("state") + "&iss=https://evil.example", begun.cookie).status,
      401);
  EXPECT_EQ(Visit(answer + begun.asked.at("state"), begun.cookie).status, 401) << "once only";
  const Begun refused = Begin("/");
  EXPECT_EQ(
      Visit("/auth/callback?error=access_denied&state=" + refused.asked.at("state"), refused.cookie)
          .status,
      403);
}

TEST_F(OpenIdSignIn, AProviderThatSaysItNamesItselfMustDoSo) {
  discovery_["authorization_response_iss_parameter_supported"] = true;
  Announce();
  const Begun nameless = Begin("/");
  EXPECT_EQ(
      Visit("/auth/callback?code=c&state=" + nameless.asked.at("state"), nameless.cookie).status,
      401);
  const Begun begun = Begin("/");
  ProviderAnswers(begun.asked.at("nonce"), {});
  EXPECT_EQ(Visit("/auth/callback?code=c&state=" + begun.asked.at("state") +
                      "&iss=" + httpd::PercentEncode(provider_.Url()),
                  begun.cookie)
                .status,
            303);
}

TEST_F(OpenIdSignIn, AProviderThatCannotBeUsedIsToldApart) {
  EXPECT_EQ(Visit("/auth/login").status, 503) << "no answer";
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"issuer", provider_.Url("/")},
           {"token_endpoint", "http://id.example.com/token"},
           {"jwks_uri", ""},
           {"authorization_endpoint", "javascript:alert(1)"}}) {
    Json bad = discovery_;
    bad[name] = value;
    provider_.When("GET", "/.well-known/openid-configuration").Reply(200, bad.dump()).Times(1);
    const HttpResult result = Visit("/auth/login");
    EXPECT_NE(result.status, 303) << name;
    EXPECT_THAT(result.Header("Location"), IsEmpty());
  }
}

TEST_F(OpenIdSignIn, WhoHasToWaitForOthersKeepsTheSignIn) {
  Announce();
  const Begun waiting = Begin("/drift");
  const auto finish = [this](const Begun& begun) {
    return Visit("/auth/callback?code=c-1&state=" + begun.asked.at("state"), begun.cookie);
  };
  constexpr std::chrono::milliseconds kSlow(1500);
  provider_.When("POST", "/token").Reply(400, "{}").Delay(kSlow).Times(2);
  const std::size_t before = provider_.Requests().size();
  std::vector<std::future<HttpResult>> others;
  for (int i = 0; i < 2; ++i) {
    others.push_back(std::async(std::launch::async, finish, Begin("/drift")));
  }
  ASSERT_TRUE(provider_.WaitForRequests(before + 2));
  EXPECT_EQ(finish(waiting).status, 503);
  for (auto& other : others) EXPECT_EQ(other.get().status, 401);
  ProviderAnswers(waiting.asked.at("nonce"), {});
  EXPECT_EQ(finish(waiting).status, 303);
}

TEST_F(OpenIdSignIn, ThePageAfterwardsIsOneOfOurs) {
  Announce();
  for (const std::string wanted : {"https://evil.example/", "//evil.example", "/\\evil.example",
                                   "evil", "/auth/logout", "/a\r\nSet-Cookie: x=y"}) {
    EXPECT_EQ(SignIn({}, wanted).Header("Location"), "/") << wanted;
  }
}

TEST_F(OpenIdSignIn, WhoReadsDoesNotChangeAndWhoOperatesDoesNotApprove) {
  Announce();
  const std::string viewer = SignedIn({{"groups", {"staff"}}});
  const std::string lead = SignedIn({{"email", "lead@example.com"}});
  const std::string sre = SignedIn();
  struct Case {
    std::string path;
    std::string body;
    bool by_operator;
  };
  for (const Case& c :
       std::vector<Case>{{"/api/v1/reconcile", R"({"names":["a"]})", true},
                         {"/api/v1/suspend", R"({"names":["a"]})", true},
                         {"/api/v1/resume", R"({"names":["a"]})", true},
                         {"/api/v1/waive-settling", R"({"names":["a"]})", false},
                         {"/api/v1/forget", R"({"names":["a"]})", false},
                         {"/api/v1/guard/approve", R"({"digest":"abc"})", false},
                         {"/api/v1/guard/deny", R"({"digest":"abc"})", false},
                         {"/api/v1/rollback", R"({"name":"a","revision":1})", false},
                         {"/actions/reconcile", "name=a", true},
                         {"/actions/suspend", "name=a", true},
                         {"/actions/resume", "name=a", true},
                         {"/actions/rollback", "name=a&revision=1", false},
                         {"/actions/approve", "digest=abc", false},
                         {"/actions/deny", "digest=abc", false}}) {
    SCOPED_TRACE(c.path);
    EXPECT_EQ(Push(c.path, viewer, c.body).status, 403);
    EXPECT_EQ(Push(c.path, sre, c.body).status != 403, c.by_operator);
    EXPECT_THAT(control_.TakeCalls().empty(), !c.by_operator);
    EXPECT_NE(Push(c.path, lead, c.body).status, 403);
    ASSERT_THAT(control_.TakeCalls(), ::testing::SizeIs(1));
  }
  EXPECT_EQ(Push("/api/v1/suspend", sre, R"({"names":["a"]})").status, 200);
  EXPECT_THAT(control_.TakeCalls(),
              ::testing::ElementsAre(
                  StartsWith("suspend [a] by user ana@example.com (oidc 2440, from 127.0.0.1:")));
}

TEST_F(OpenIdSignIn, ACookieAloneChangesNothing) {
  Announce();
  const std::string sre = SignedIn();
  EXPECT_EQ(Push("/api/v1/suspend", sre, R"({"names":["a"]})", false).status, 403)
      << "a browser says where a request comes from";
  EXPECT_EQ(Fetch("POST", "http://" + server_->Address() + "/api/v1/suspend",
                  {{"Cookie", sre}, {"Sec-Fetch-Site", "cross-site"}}, R"({"names":["a"]})")
                .status,
            403);
  EXPECT_THAT(control_.TakeCalls(), IsEmpty());
}

TEST_F(OpenIdSignIn, ASignOutEndsTheSession) {
  Announce();
  const std::string session = SignedIn();
  EXPECT_EQ(Push("/auth/logout", session, "", false).status, 403);
  EXPECT_EQ(Visit("/drift", session).status, 200);
  const HttpResult out = Push("/auth/logout", session, "");
  EXPECT_EQ(out.status, 200);
  EXPECT_THAT(out.body, HasSubstr(provider_.Url("/end") + "?client_id=bindery&amp;post_logout"));
  EXPECT_EQ(Visit("/drift", session).status, 303);
}

TEST_F(OpenIdSignIn, ARoleThatIsTakenAwayIsGoneAtOnce) {
  Announce();
  const std::string session = SignedIn({{"groups", {"sre"}}});
  EXPECT_EQ(Visit("/drift", session).status, 200);
  std::string web = dir_.Read("web.yml");
  web.replace(web.find("group:sre"), 9, "group:none");
  dir_.Write("web.yml", web);
  EXPECT_EQ(Visit("/drift", session).status, 403);
}

TEST_F(OpenIdSignIn, SessionsSurviveARestartWhereAFileIsNamed) {
  WriteWeb("");
  std::string web = dir_.Read("web.yml");
  web.replace(web.find("  oidc:"), 7, "  sessions_file: sessions.json\n  oidc:");
  Announce();
  const std::string lost = SignedIn();
  Start();
  EXPECT_EQ(Visit("/drift", lost).status, 303);
  dir_.Write("web.yml", web);
  Start();
  const std::string kept = SignedIn();
  Start();
  EXPECT_EQ(Visit("/drift", kept).status, 200);
}

TEST_F(OpenIdSignIn, NoSecretIsLogged) {
  Announce();
  const std::string session = SignedIn();
  Faults faults;
  faults.token_status = 400;
  EXPECT_EQ(SignIn(faults).status, 401);
  std::string log;
  for (const std::string& line : log_) log += line + "\n";
  EXPECT_THAT(log, HasSubstr("signed in user=ana@example.com subject=2440 role=operator"));
  EXPECT_THAT(log, HasSubstr("sign-in refused"));
  for (const std::string& secret : {std::string("s3cr"), session.substr(8), std::string("c-1")}) {
    EXPECT_THAT(log, Not(HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace bindery::server
