// How long what an OpenID provider said of itself is believed.

#include "identity/open_id_provider.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/token_signer.h"

namespace bindery::identity {
namespace {

using namespace std::chrono_literals;
using testing::FailsWith;
using testing::IsOk;
using testing::KeySetOf;
using testing::TokenSigner;

constexpr const char* kIssuer = "https://id.example.com";

/// A provider by a script.
class ScriptedProvider final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    const std::string base = kIssuer;
    if (request.url == base + "/.well-known/openid-configuration") {
      const Json description = {{"issuer", base},
                                {"authorization_endpoint", base + "/auth"},
                                {"token_endpoint", base + "/token"},
                                {"jwks_uri", base + keys_path}};
      return cloud::HttpResponse{200, {}, description.dump()};
    }
    if (request.url == base + "/token") {
      return cloud::HttpResponse{200, {}, Json{{"id_token", token}}.dump()};
    }
    ++key_requests;
    if (keys.empty()) return cloud::HttpResponse{503, {}, ""};
    return cloud::HttpResponse{200, {}, keys};
  }

  std::string keys_path = "/keys";
  std::string keys;  ///< Empty: they cannot be had.
  std::string token;
  int key_requests = 0;
};

class OpenIdProviderTest : public ::testing::Test {
 protected:
  OpenIdProviderTest() {
    settings_.issuer = kIssuer;
    settings_.client_id = "bindery";
    transport_.keys = KeySetOf({signer_.Jwk()});
  }
  [[nodiscard]] Expected<Person> SignIn() {
    const SignInSecrets secrets = NewSignInSecrets();
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(clock_.Wall().time_since_epoch()).count();
    transport_.token = signer_.Sign({{"iss", kIssuer},
                                     {"aud", "bindery"},
                                     {"sub", "2440"},
                                     {"nonce", secrets.nonce},
                                     {"iat", now},
                                     {"exp", now + 300}});
    return provider().Redeem({"c-1", secrets.state, "", ""}, secrets, "https://b.example.com/back");
  }
  [[nodiscard]] OpenIdProvider& provider() { return provider_.value(); }
  void Begin() { provider_.emplace(transport_, clock_, settings_); }

  TokenSigner signer_ = TokenSigner::Curve("k1");
  testing::FakeClock clock_;
  ScriptedProvider transport_;
  config::WebOpenId settings_;
  std::optional<OpenIdProvider> provider_;
};

TEST_F(OpenIdProviderTest, KnownKeysServeForAnHourMoreWhileTheyCannotBeFetched) {
  Begin();
  ASSERT_THAT(SignIn(), IsOk());
  transport_.keys.clear();
  clock_.Pass(61min);
  EXPECT_THAT(SignIn(), IsOk()) << "the description was read again, and the keys stay known";
  clock_.Pass(60min);
  EXPECT_EQ(SignIn().error().code, Code::kUnavailable) << "a withdrawn key would be believed";
  transport_.keys = KeySetOf({signer_.Jwk()});
  clock_.Pass(1min);
  EXPECT_THAT(SignIn(), IsOk());
}

TEST_F(OpenIdProviderTest, AnotherAddressOfKeysHasOtherKeys) {
  Begin();
  ASSERT_THAT(SignIn(), IsOk());
  transport_.keys_path = "/other";
  transport_.keys = KeySetOf({TokenSigner::Curve("k1").Jwk()});
  clock_.Pass(61min);
  EXPECT_EQ(SignIn().error().code, Code::kUnauthenticated);
  EXPECT_EQ(transport_.key_requests, 2);
}

TEST_F(OpenIdProviderTest, TextsOfTheProviderAreShort) {
  Begin();
  const SignInSecrets secrets = NewSignInSecrets();
  const std::string error = "no\n" + std::string(40'000, 'x');
  EXPECT_THAT(provider().Redeem({"", secrets.state, "", error}, secrets, "https://b.example.com"),
              FailsWith(Code::kPermissionDenied,
                        "the identity provider answers: no " + std::string(497, 'x') + "…"));
}

}  // namespace
}  // namespace bindery::identity
