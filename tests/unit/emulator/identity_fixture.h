#pragma once

#include <string>

#include "emulator_fixture.h"
#include "httpd/url.h"
#include "signing_key.h"

namespace bindery::emulator {

inline constexpr const char* kDeployer = "deployer@acme.iam.gserviceaccount.com";
inline constexpr const char* kBindery = "bindery@acme.iam.gserviceaccount.com";
inline constexpr const char* kScope = "https://www.googleapis.com/auth/cloud-platform";
inline constexpr const char* kAudience =
    "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q";

/// An emulator with a service account of each sort, a refresh token, a pool and a metadata server.
class IdentityTest : public EmulatorTest {
 protected:
  void SetUp() override { RunWith(Json::object()); }

  /// The seed of this fixture, with other options.
  [[nodiscard]] Json SeedJson(const Json& options) const {
    const Json read = Json::array({"networksecurity.authorizationPolicies.getIamPolicy"});
    return Json{
        {"authorizationPolicies", {kPolicyName}},
        {"serviceAccounts",
         {{{"email", kDeployer},
           {"keys", {{{"id", "key-1"}, {"publicKey", key_.PublicPem()}}}},
           {"permissions", read}},
          {{"email", kBindery}, {"impersonators", {kDeployer, "principal://*/subject/main"}}},
          {{"email", "far@acme.example"},
           {"impersonators", {std::string("serviceAccount:") + kBindery}}}}},
        {"refreshTokens",
         {{{"clientId", "c"},
           {"clientSecret", "s"},
           {"refreshToken", "r"},
           {"user", "a@b.example"}},
          {{"clientId", "c"},
           {"clientSecret", "s"},
           {"refreshToken", "old"},
           {"user", "a@b.example"},
           {"revoked", true}}}},
        {"identityPools",
         {{{"audience", kAudience},
           {"subjectTokenType", "jwt"},
           {"subjectTokens", {{{"token", "t"}, {"subject", "main"}, {"permissions", read}}}}}}},
        {"metadata", {{"serviceAccount", kBindery}, {"project", "acme"}}},
        {"options", options}};
  }
  void RunWith(const Json& options) { RunAfresh(SeedJson(options).dump()); }

  [[nodiscard]] std::int64_t Now() const {
    return std::chrono::duration_cast<std::chrono::seconds>(clock_.Wall().time_since_epoch())
        .count();
  }
  [[nodiscard]] Json Claims() const {
    return Json{{"iss", kDeployer},
                {"scope", kScope},
                {"aud", "https://oauth2.googleapis.com/token"},
                {"iat", Now()},
                {"exp", Now() + 3600}};
  }

  Json Form(const std::string& path, const testing::HttpHeaders& fields, int status) {
    std::string body;
    for (const auto& [name, value] : fields) {
      body += (body.empty() ? "" : "&") + name + "=" + httpd::PercentEncode(value);
    }
    return Call("POST", path, status, body,
                {{"Content-Type", "application/x-www-form-urlencoded"}});
  }
  Json AskWithJwt(const std::string& assertion, int status) {
    return Form(
        "/token",
        {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", assertion}},
        status);
  }
  Json Refresh(const std::string& token, int status, const std::string& secret = "s") {
    return Form("/token",
                {{"grant_type", "refresh_token"},
                 {"client_id", "c"},
                 {"client_secret", secret},
                 {"refresh_token", token}},
                status);
  }
  Json Exchange(const testing::HttpHeaders& other, int status) {
    testing::HttpHeaders fields = {
        {"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
        {"audience", kAudience},
        {"scope", kScope},
        {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
        {"subject_token", "t"},
        {"subject_token_type", "jwt"}};
    for (const auto& [name, value] : other) {
      for (auto& field : fields) {
        if (field.first == name) field.second = value;
      }
    }
    return Form("/v1/token", fields, status);
  }
  std::string TokenOfDeployer() {
    return StringMember(AskWithJwt(key_.Sign(Claims()), 200), "access_token");
  }
  Json ReadAs(const std::string& token, int status) {
    return Call("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy", status, "",
                {{"Authorization", "Bearer " + token}});
  }
  Json WriteAs(const std::string& token, int status) {
    return Call("POST", "/v1/" + std::string(kPolicyName) + ":setIamPolicy", status,
                R"({"policy": {}})", {{"Authorization", "Bearer " + token}});
  }
  Json Impersonate(const std::string& email, const std::string& token, const Json& body,
                   int status) {
    return Call("POST", "/v1/projects/-/serviceAccounts/" + email + ":generateAccessToken", status,
                body.dump(), {{"Authorization", "Bearer " + token}});
  }
  static std::string Reason(const Json& error) {
    return error.at("error").at("details").at(0).at("reason").get<std::string>();
  }

  const SigningKey key_{};
};

}  // namespace bindery::emulator
