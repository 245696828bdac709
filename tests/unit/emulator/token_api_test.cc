#include "identity_fixture.h"

namespace bindery::emulator {
namespace {

using namespace std::chrono_literals;
using ::testing::StartsWith;

class TokenApiTest : public IdentityTest {};

TEST_F(TokenApiTest, AGoodJwtBuysATokenWithTheAccountsPermissions) {
  const Json answer = AskWithJwt(key_.Sign(Claims()), 200);
  EXPECT_EQ(answer.size(), 3U);
  EXPECT_EQ(answer.at("expires_in"), 3600);
  EXPECT_EQ(answer.at("token_type"), "Bearer");
  const std::string token = StringMember(answer, "access_token");
  EXPECT_THAT(token, StartsWith("ya29.emulated-"));
  ReadAs(token, 200);
  EXPECT_EQ(Reason(WriteAs(token, 403)), "IAM_PERMISSION_DENIED");
  EXPECT_NE(TokenOfDeployer(), token);
}

struct JwtCase {
  const char* why;
  Json change;  // Merged into the claims; null removes.
  int status;
  const char* error;
  const char* description;
};

TEST_F(TokenApiTest, EveryClaimIsChecked) {
  const char* const timely =
      "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
      "Check your iat and exp values in the JWT claim.";
  const std::int64_t now = Now();
  const JwtCase cases[] = {
      {"unknown issuer",
       {{"iss", "x@y"}},
       400,
       "invalid_grant",
       "Invalid grant: account not found"},
      {"too long", {{"exp", now + 3601}}, 400, "invalid_grant", timely},
      {"expired", {{"iat", now - 3900}, {"exp", now - 300}}, 400, "invalid_grant", timely},
      {"from the future", {{"iat", now + 301}, {"exp", now + 400}}, 400, "invalid_grant", timely},
      {"no iat", {{"iat", nullptr}}, 400, "invalid_grant", timely},
      {"iat is no number", {{"iat", "now"}}, 400, "invalid_grant", timely},
      {"ends before it begins", {{"exp", now}}, 400, "invalid_grant", timely},
      {"other audience",
       {{"aud", "https://example.com/token"}},
       400,
       "invalid_grant",
       "Invalid JWT: Failed audience check. The right audience is "
       "https://oauth2.googleapis.com/token"},
      {"no scope",
       {{"scope", nullptr}},
       400,
       "invalid_scope",
       "Invalid OAuth scope or ID token audience provided."},
      {"somebody else",
       {{"sub", "boss@example.com"}},
       401,
       "unauthorized_client",
       "Client is unauthorized to retrieve access tokens using this method, or client not "
       "authorized for any of the scopes requested."},
  };
  for (const JwtCase& one : cases) {
    SCOPED_TRACE(one.why);
    Json claims = Claims();
    for (auto it = one.change.begin(); it != one.change.end(); ++it) claims[it.key()] = it.value();
    const Json expected = {{"error", one.error}, {"error_description", one.description}};
    EXPECT_EQ(AskWithJwt(key_.Sign(claims), one.status), expected);
  }
}

TEST_F(TokenApiTest, ClocksMayBeAFewMinutesApartAndTheOwnUrlIsAnAudience) {
  Json claims = Claims();
  claims["iat"] = Now() + 299;
  claims["exp"] = Now() + 3899;
  AskWithJwt(key_.Sign(claims), 200);
  claims["iat"] = Now() - 3899;
  claims["exp"] = Now() - 299;
  claims["aud"] = "http://localhost/token";  // The fixture's Host header.
  AskWithJwt(key_.Sign(claims), 200);
}

TEST_F(TokenApiTest, ASignatureOfAnotherKeyIsRefused) {
  const SigningKey other;
  const Json expected = {{"error", "invalid_grant"},
                         {"error_description", "Invalid JWT Signature."}};
  EXPECT_EQ(AskWithJwt(other.Sign(Claims()), 400), expected);
  const Json unknown_id = {{"alg", "RS256"}, {"kid", "key-2"}};
  EXPECT_EQ(AskWithJwt(key_.Sign(Claims(), unknown_id), 400), expected);
  const Json none = {{"alg", "none"}};
  EXPECT_EQ(AskWithJwt(key_.Sign(Claims(), none), 400), expected);
  AskWithJwt(key_.Sign(Claims(), Json{{"alg", "RS256"}}), 200);
  const Json malformed = {{"error", "invalid_grant"}, {"error_description", "Bad Request"}};
  for (const char* text : {"x", "a.b", "a.b.c.d", "!.e30.", "e30.W10.", "e30.e30.*"}) {
    EXPECT_EQ(AskWithJwt(text, 400), malformed) << text;
  }
}

TEST_F(TokenApiTest, ARefreshTokenNeedsItsClient) {
  ReadAs(StringMember(Refresh("r", 200), "access_token"), 200);
  const Json revoked = {{"error", "invalid_grant"},
                        {"error_description", "Token has been expired or revoked."}};
  EXPECT_EQ(Refresh("old", 400), revoked);
  EXPECT_EQ(Refresh("unknown", 400), revoked);
  const Json client = {{"error", "invalid_client"},
                       {"error_description", "The OAuth client was not found."}};
  EXPECT_EQ(Refresh("r", 401, "wrong"), client);
}

TEST_F(TokenApiTest, OtherGrantsAreNotSupported) {
  EXPECT_EQ(StringMember(Form("/token", {{"grant_type", "password"}}, 400), "error"),
            "unsupported_grant_type");
  EXPECT_EQ(StringMember(Form("/token", {}, 400), "error"), "invalid_request");
  EXPECT_EQ(Send("GET", "/token").status, 404);
}

TEST_F(TokenApiTest, APoolTokenIsExchanged) {
  const Json answer = Exchange({}, 200);
  EXPECT_EQ(answer.at("issued_token_type"), "urn:ietf:params:oauth:token-type:access_token");
  ReadAs(StringMember(answer, "access_token"), 200);
  WriteAs(StringMember(answer, "access_token"), 403);
}

TEST_F(TokenApiTest, EachFieldOfAnExchangeIsChecked) {
  const std::pair<testing::HttpHeaders, const char*> cases[] = {
      {{{"grant_type", "refresh_token"}}, "unsupported_grant_type"},
      {{{"audience", "//iam.googleapis.com/x/providers/y"}}, "invalid_target"},
      {{{"subject_token", "forged"}}, "invalid_grant"},
      {{{"subject_token_type", "saml"}}, "invalid_request"},
      {{{"requested_token_type", "id_token"}}, "invalid_request"},
      {{{"scope", ""}}, "invalid_scope"},
  };
  for (const auto& [fields, error] : cases) {
    EXPECT_EQ(StringMember(Exchange(fields, 400), "error"), error);
  }
}

TEST_F(TokenApiTest, TokensExpireByTheClockAndByOption) {
  RunWith(Json{{"tokenLifetime", "90s"}});
  const Json answer = AskWithJwt(key_.Sign(Claims()), 200);
  EXPECT_EQ(answer.at("expires_in"), 90);
  const std::string token = StringMember(answer, "access_token");
  clock_.Advance(89s);
  ReadAs(token, 200);
  clock_.Advance(1s);
  EXPECT_EQ(Reason(ReadAs(token, 401)), "ACCESS_TOKEN_EXPIRED");
}

TEST_F(TokenApiTest, TokensAreRevokedByOrderAndByASeed) {
  const std::string token = TokenOfDeployer();
  EXPECT_EQ(Call("DELETE", "/_emulator/tokens", 200).dump(), R"({"revoked":1})");
  EXPECT_EQ(Reason(ReadAs(token, 401)), "ACCESS_TOKEN_EXPIRED");
  EXPECT_EQ(Send("GET", "/_emulator/tokens").Header("Allow"), "DELETE");
  const std::string second = TokenOfDeployer();
  ReadAs(second, 200);
  Call("PUT", "/_emulator/seed", 200, Call("GET", "/_emulator/seed", 200).dump());
  ReadAs(second, 401);
  ReadAs(TokenOfDeployer(), 200);
}

TEST_F(TokenApiTest, SeededIdentitiesCloseGooglesSideAndOutliveARestart) {
  EXPECT_EQ(Reason(Call("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy", 401)),
            "CREDENTIALS_MISSING");
  Call("GET", "/api/v2/restriction_policy/slo:1", 200);
  const std::string token = TokenOfDeployer();
  const Json before = Call("GET", "/_emulator/seed", 200);
  Run("");
  EXPECT_EQ(Call("GET", "/_emulator/seed", 200), before);
  ReadAs(token, 401);
  ReadAs(TokenOfDeployer(), 200);
}

TEST_F(TokenApiTest, SelfSignedTokensAreBearersToo) {
  Json claims = Claims();
  ReadAs(key_.Sign(claims), 200);
  WriteAs(key_.Sign(claims), 403);
  claims.erase("scope");
  EXPECT_EQ(Reason(ReadAs(key_.Sign(claims), 401)), "JWT_TOKEN_INVALID");
  for (const char* audience : {"https://networksecurity.googleapis.com/", "http://localhost/"}) {
    claims["aud"] = audience;
    ReadAs(key_.Sign(claims), 200);
  }
  EXPECT_EQ(Reason(ReadAs(SigningKey().Sign(claims), 401)), "JWT_TOKEN_INVALID");
  claims["sub"] = "boss@example.com";
  EXPECT_EQ(Reason(ReadAs(key_.Sign(claims), 401)), "JWT_TOKEN_INVALID");
  claims.erase("sub");
  const std::string token = key_.Sign(claims);
  clock_.Advance(2h);
  EXPECT_EQ(Reason(ReadAs(token, 401)), "ACCESS_TOKEN_EXPIRED");
}

TEST_F(TokenApiTest, ATokenOfOtherScopesIsNotEnough) {
  Json claims = Claims();
  claims["scope"] = "https://www.googleapis.com/auth/iam";
  const std::string token = StringMember(AskWithJwt(key_.Sign(claims), 200), "access_token");
  EXPECT_EQ(Reason(ReadAs(token, 403)), "ACCESS_TOKEN_SCOPE_INSUFFICIENT");
  Impersonate(kBindery, token, Json{{"scope", {kScope}}}, 200);
}

}  // namespace
}  // namespace bindery::emulator
