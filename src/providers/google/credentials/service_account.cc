#include <utility>

#include "cloud/credentials/text.h"
#include "core/base/wipe.h"
#include "core/text/time_text.h"
#include "providers/google/credentials/flows.h"
#include "providers/google/credentials/signing_key.h"
#include "providers/google/credentials/token_endpoint.h"

namespace bindery::google {
namespace {

/// A clock that is a little ahead of Google's must not make an assertion come from the future.
constexpr std::chrono::seconds kBackdated{10};

constexpr const char* kJwtGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";

struct ServiceAccountKey {
  std::string email;
  std::string key_id;
  std::string token_uri;  ///< Empty: the assertion itself is the token.
  SigningKey key;
};

bool Mentions(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

class ServiceAccountSource final : public TokenSource {
 public:
  ServiceAccountSource(ServiceAccountKey account, TokenContext context)
      : account_(std::move(account)), context_(std::move(context)) {}

  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    auto assertion = Assertion();
    if (!assertion) return Fail(std::move(assertion.error()));
    if (account_.token_uri.empty()) return AccessToken{*assertion, kTokenLifetime - kBackdated};
    TokenRequest request;
    request.http =
        FormPost(account_.token_uri, {{"grant_type", kJwtGrant}, {"assertion", *assertion}});
    request.url_field = "token_uri";
    request.secrets = {*assertion};
    request.advice = [this](const OAuthFailure& failure) { return Advice(failure); };
    return FetchOAuthToken(context_, request, give_up_at);
  }

 private:
  [[nodiscard]] Expected<std::string> Assertion() const {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(context_.clock->Wall().time_since_epoch());
    const std::chrono::seconds issued = now - kBackdated;
    Json claims = {{"iss", account_.email}, {"scope", cloud::Join(context_.scopes, " ")}};
    if (account_.token_uri.empty()) {
      claims["sub"] = account_.email;
    } else {
      claims["aud"] = account_.token_uri;
    }
    claims["iat"] = issued.count();
    claims["exp"] = (issued + kTokenLifetime).count();
    return account_.key.Sign(account_.key_id, claims);
  }

  [[nodiscard]] std::string Advice(const OAuthFailure& failure) const {
    if (Mentions(failure.description, "short-lived token") ||
        Mentions(failure.description, "reasonable timeframe")) {
      return "this machine's clock says " + FormatRfc3339(context_.clock->Wall()) +
             ", which seems to be wrong: synchronize it";
    }
    if (Mentions(failure.description, "Signature")) {
      return "the key was deleted or disabled: create a new one for " + account_.email;
    }
    if (Mentions(failure.description, "account not found")) {
      return "the service account " + account_.email + " was deleted or disabled";
    }
    return "check that the service account " + account_.email + " and this key of it are enabled";
  }

  const ServiceAccountKey account_;
  const TokenContext context_;
};

}  // namespace

ParsedCredential ParseServiceAccount(FieldReader& file, const TokenContext& context) {
  ParsedCredential parsed;
  parsed.kind = "service account key";
  parsed.account = file.Text("client_email");
  parsed.project = file.OptionalText("project_id");
  std::string pem = file.Text("private_key");
  const WipeAtEnd wipe(pem);
  const std::string key_id = file.OptionalText("private_key_id");
  std::string token_uri = file.OptionalUrl("token_uri");
  // Further universes have no token endpoint for assertions.
  if (GetUniverse(file) != kDefaultUniverse) token_uri.clear();
  if (file.fault()) return parsed;
  auto key = SigningKey::FromPem(pem);
  if (!key) {
    file.Fault("private_key", "is " + key.error().message);
    return parsed;
  }
  parsed.source = std::make_unique<ServiceAccountSource>(
      ServiceAccountKey{parsed.account, key_id, token_uri, std::move(*key)}, context);
  return parsed;
}

}  // namespace bindery::google
