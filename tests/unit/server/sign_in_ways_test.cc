// Ways to be known beside a password and a session: a key for /metrics, what everybody may read,
// the roles of users, and the signed header of a proxy.

#include "open_id_fixture.h"
#include "support/bcrypt.h"

namespace bindery::server {
namespace {

using testing::Fetch;
using testing::HttpHeaders;
using testing::OpenIdSignIn;
using testing::TokenSigner;

class OtherWays : public OpenIdSignIn {};

TEST_F(OtherWays, MetricsHaveAKeyOfTheirOwn) {
  dir_.Write("scrape.key", "k3y\n");
  WriteWeb("metrics_token_file: scrape.key\n");
  const auto with = [&](const std::string& path, const std::string& field) {
    return Fetch("GET", "http://" + server_->Address() + path, {{"Authorization", field}}).status;
  };
  EXPECT_EQ(with("/metrics", "Bearer k3y"), 200);
  EXPECT_EQ(with("/metrics", "Bearer k3"), 401);
  EXPECT_EQ(with("/metrics", "Bearer "), 401);
  EXPECT_EQ(with("/api/v1/drift", "Bearer k3y"), 401);
}

TEST_F(OtherWays, WhatEverybodyMayReadIsSaidByName) {
  WriteWeb("anonymous: [metrics]\n");
  EXPECT_EQ(Get("/metrics").status, 200);
  EXPECT_EQ(Get("/api/v1/drift").status, 401);
  WriteWeb("anonymous: [read]\n");
  EXPECT_EQ(Get("/api/v1/drift").status, 200);
  EXPECT_EQ(OverTcp("POST", "/api/v1/suspend", R"({"names":["a"]})").status, 403);
}

TEST_F(OtherWays, UsersHaveRolesToo) {
  dir_.Write("web.yml", "basic_auth_users: {ana: " + testing::Bcrypt("sesame") + ", eve: " +
                            testing::Bcrypt("sesame") + "}\nroles: {operator: [\"user:ana\"]}\n");
  const auto ask = [&](const std::string& user, const std::string& method, const std::string& path,
                       const std::string& body = "") {
    return Fetch(method, "http://" + server_->Address() + path,
                 {{"Authorization", "Basic " + EncodeBase64(user + ":sesame")}}, body)
        .status;
  };
  EXPECT_EQ(ask("ana", "GET", "/api/v1/drift"), 200);
  EXPECT_EQ(ask("ana", "POST", "/api/v1/suspend", R"({"names":["a"]})"), 200);
  EXPECT_EQ(ask("ana", "POST", "/api/v1/guard/approve", R"({"digest":"a"})"), 403);
  EXPECT_EQ(ask("eve", "GET", "/api/v1/drift"), 403);
  EXPECT_EQ(ask("eve", "GET", "/livez"), 200);
}

TEST_F(OtherWays, AProxySignsWhoAsks) {
  const TokenSigner signer = TokenSigner::Curve("iap-1");
  provider_.When("GET", "/iap").Reply(200, testing::KeySetOf({signer.Jwk()}));
  dir_.Write("web.yml", R"(
sign_in:
  signed_header:
    header: X-Goog-IAP-JWT-Assertion
    issuer: https://cloud.google.com/iap
    audience: /projects/1/global/backendServices/2
    keys_url: ")" + provider_.Url("/iap") +
                            R"("
roles: {operator: ["email:ana@example.com"]}
)");
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.Wall().time_since_epoch()).count();
  Json claims = {{"iss", "https://cloud.google.com/iap"},
                 {"aud", "/projects/1/global/backendServices/2"},
                 {"sub", "accounts.google.com:2440"},
                 {"email", "ana@example.com"},
                 {"iat", now},
                 {"exp", now + 600}};
  const auto ask = [&](const HttpHeaders& headers) {
    return Fetch("GET", "http://" + server_->Address() + "/api/v1/drift", headers).status;
  };
  const std::string good = signer.Sign(claims);
  constexpr const char* kHeader = "x-goog-iap-jwt-assertion";
  EXPECT_EQ(ask({{kHeader, good}}), 200);
  EXPECT_EQ(ask({}), 401);
  EXPECT_EQ(ask({{kHeader, good}, {kHeader, good}}), 401);
  EXPECT_EQ(ask({{"X-Goog-Authenticated-User-Email", "accounts.google.com:ana@example.com"}}), 401)
      << "an unsigned header proves nothing";
  EXPECT_EQ(ask({{kHeader, good.substr(0, good.size() - 4) + "AAAA"}}), 401);
  EXPECT_EQ(ask({{kHeader, ""}}), 401);
  claims["aud"] = "/projects/1/global/backendServices/3";
  EXPECT_EQ(ask({{kHeader, signer.Sign(claims)}}), 401) << "of another service of the proxy";
  claims["aud"] = "/projects/1/global/backendServices/2";
  for (const Json& verified : {Json(true), Json("true")}) {
    claims["email_verified"] = verified;
    EXPECT_EQ(ask({{kHeader, signer.Sign(claims)}}), 200) << verified;
  }
  for (const Json& verified : {Json(false), Json("false"), Json(nullptr), Json(1)}) {
    claims["email_verified"] = verified;
    EXPECT_EQ(ask({{kHeader, signer.Sign(claims)}}), 403) << verified;
  }
  claims.erase("email_verified");
  claims["email"] = "eve@example.com";
  EXPECT_EQ(ask({{kHeader, signer.Sign(claims)}}), 403);
}

}  // namespace
}  // namespace bindery::server
