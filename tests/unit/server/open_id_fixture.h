#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/text/base64.h"
#include "core/text/digest.h"
#include "httpd/url.h"
#include "server_fixture.h"
#include "support/http_impostor.h"
#include "support/token_signer.h"

namespace bindery::testing {

inline const TokenSigner& ProviderKey() {
  static const TokenSigner kSigner = TokenSigner::Rsa("k1");
  return kSigner;
}

/// How the provider differs from a good one.
struct Faults {
  Json claims = Json::object();  ///< In the place of good ones; null: left out.
  Json header = {};              ///< Of the token.
  const TokenSigner* signer = &ProviderKey();
  std::string token = {};  ///< Instead of any token.
  int token_status = 200;
  std::string userinfo = {};  ///< The answer of the user info; empty: 404.
};

/// A browser, the server, and an OpenID provider that answers by a script.
class OpenIdSignIn : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    dir_.Write("oidc.secret", "s3cr+t&x\n");
    WriteWeb("");
    Start();
    discovery_ = {{"issuer", provider_.Url()},
                  {"authorization_endpoint", provider_.Url("/auth?tenant=a")},
                  {"token_endpoint", provider_.Url("/token")},
                  {"userinfo_endpoint", provider_.Url("/me")},
                  {"end_session_endpoint", provider_.Url("/end")},
                  {"jwks_uri", provider_.Url("/keys")}};
  }

  void WriteWeb(const std::string& more) const {
    dir_.Write("web.yml", R"(
sign_in:
  external_url: http://localhost:9817
  oidc:
    issuer: )" + provider_.Url() +
                              R"(
    client_id: bindery
    client_secret_file: oidc.secret
roles:
  viewer: ["group:staff"]
  operator: ["group:sre"]
  approver: ["email:lead@example.com"]
)" + more);
  }
  void Start() {
    server_.reset();
    server::ApiOptions options;
    options.listen = "127.0.0.1:0";
    options.web_config = dir_ / "web.yml";
    auto started = server::ApiServer::Start(options, Parts());
    ASSERT_THAT(started, IsOk());
    server_ = std::move(*started);
  }
  /// The provider answers from now on.
  void Announce() {
    provider_.When("GET", "/.well-known/openid-configuration").Reply(200, discovery_.dump());
    provider_.When("GET", "/keys").Reply(200, KeySetOf({ProviderKey().Jwk()}));
  }

  [[nodiscard]] HttpResult Visit(const std::string& path, const std::string& cookie = "") const {
    HttpHeaders headers = {{"Accept", "text/html,*/*"}};
    if (!cookie.empty()) headers.emplace_back("Cookie", "a=b; " + cookie + "; c=d");
    return Fetch("GET", "http://" + server_->Address() + path, headers);
  }
  [[nodiscard]] HttpResult Push(const std::string& path, const std::string& cookie,
                                const std::string& body, bool from_page = true) const {
    HttpHeaders headers = {{"Cookie", cookie}};
    if (from_page) headers.emplace_back("Sec-Fetch-Site", "same-origin");
    if (from_page) headers.emplace_back("Origin", "http://localhost:9817");
    return Fetch("POST", "http://" + server_->Address() + path, headers, body);
  }

  /// "bindery=…" of the answer's Set-Cookie with that name; empty when there is none.
  static std::string CookieIn(const HttpResult& result, const std::string& name) {
    for (const auto& [field, value] : result.headers) {
      if (!httpd::EqualsIgnoringCase(field, "Set-Cookie")) continue;
      const std::string pair = value.substr(0, value.find(';'));
      if (pair.starts_with(name + "=") && pair.size() > name.size() + 1) return pair;
    }
    return {};
  }

  struct Begun {
    std::string cookie;
    std::map<std::string, std::string> asked;  ///< Of the provider's page.
  };
  [[nodiscard]] Begun Begin(const std::string& wanted) const {
    const HttpResult begun = Visit("/auth/login?return=" + httpd::PercentEncode(wanted));
    EXPECT_EQ(begun.status, 303) << begun.body;
    const std::string location = begun.Header("Location");
    Begun result{CookieIn(begun, "bindery-sign-in"), {}};
    const auto query = httpd::ParseQuery(location.substr(location.find('?') + 1));
    for (const auto& [name, value] : query.value_or(httpd::Request::Query())) {
      result.asked[name] = value;
    }
    return result;
  }

  void ProviderAnswers(const std::string& nonce, const Faults& faults) {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(clock_.Wall().time_since_epoch()).count();
    Json claims = {{"iss", provider_.Url()},
                   {"aud", "bindery"},
                   {"sub", "2440"},
                   {"nonce", nonce},
                   {"iat", now},
                   {"exp", now + 300},
                   {"email", "ana@example.com"},
                   {"email_verified", true},
                   {"groups", {"staff", "sre"}}};
    for (const auto& [name, value] : faults.claims.items()) {
      if (value.is_null()) claims.erase(name);
      if (!value.is_null()) claims[name] = value;
    }
    const std::string token =
        faults.token.empty() ? faults.signer->Sign(claims, faults.header) : faults.token;
    provider_.When("POST", "/token")
        .Reply(faults.token_status,
               Json{{"id_token", token}, {"access_token", "opaque"}, {"error", "invalid_grant"}}
                   .dump())
        .Times(1);
    if (!faults.userinfo.empty()) provider_.When("GET", "/me").Reply(200, faults.userinfo);
  }

  /// The whole way; gives what the browser gets last.
  [[nodiscard]] HttpResult SignIn(const Faults& faults = {}, const std::string& wanted = "/drift") {
    const Begun begun = Begin(wanted);
    ProviderAnswers(begun.asked.at("nonce"), faults);
    return Visit("/auth/callback?code=c-1&state=" + begun.asked.at("state"), begun.cookie);
  }
  [[nodiscard]] std::string SignedIn(const Json& claims = Json::object()) {
    Faults faults;
    faults.claims = claims;
    return CookieIn(SignIn(faults), "bindery");
  }

  HttpImpostor provider_;
  Json discovery_;
};

}  // namespace bindery::testing
