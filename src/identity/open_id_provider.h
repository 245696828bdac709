#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/web_config.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "identity/key_source.h"
#include "identity/person.h"

namespace bindery::identity {

/// The values that bind an answer of the provider to the asking browser and sign-in.
struct SignInSecrets {
  std::string state;
  std::string nonce;
  std::string verifier;  ///< Of PKCE (RFC 7636).
};

/// Fresh random secrets.
[[nodiscard]] SignInSecrets NewSignInSecrets();

/// The provider's answer, as the browser brings it: query parameters; empty where absent.
struct ProviderAnswer {
  std::string code;
  std::string state;
  std::string issuer;  ///< `iss` (RFC 9207).
  std::string error;
};

/// A client of one OpenID provider: authorization code with PKCE and nonce (OpenID Connect Core,
/// RFC 9700). Thread-safe; calls block for at most 30 seconds.
class OpenIdProvider {
 public:
  OpenIdProvider(cloud::Transport& transport, const Clock& clock, config::WebOpenId settings);

  [[nodiscard]] const config::WebOpenId& settings() const { return settings_; }

  /// Where the browser goes to sign in. kUnavailable when the provider cannot be reached,
  /// kFailedPrecondition when the provider's description of itself cannot be used.
  [[nodiscard]] Expected<std::string> SignInUrl(const SignInSecrets& secrets,
                                                const std::string& redirect_uri);

  /// Redeems the answer. `answer.state` was compared already. kPermissionDenied when the provider
  /// refused the person or hid the groups, kUnauthenticated when something does not fit, and as
  /// SignInUrl.
  [[nodiscard]] Expected<Person> Redeem(const ProviderAnswer& answer, const SignInSecrets& secrets,
                                        const std::string& redirect_uri);

  /// Where the browser goes to sign out at the provider too; empty when the provider has no such
  /// page or is not known yet.
  [[nodiscard]] std::string SignOutUrl(const std::string& back);

 private:
  /// The provider's description of itself (OpenID Connect Discovery).
  struct Metadata {
    std::string authorization_endpoint;
    std::string token_endpoint;
    std::string userinfo_endpoint;
    std::string end_session_endpoint;
    bool names_issuer = false;  ///< Every answer has `iss`.
    bool takes_basic = true;    ///< client_secret_basic; else client_secret_post.
    std::shared_ptr<KeySource> keys;
  };
  struct Tokens {
    std::string id_token;
    std::string access_token;
  };

  [[nodiscard]] Expected<Metadata> Discover();
  [[nodiscard]] Expected<Metadata> ReadMetadata() const;
  [[nodiscard]] Expected<Tokens> Exchange(const Metadata& metadata, const std::string& code,
                                          const SignInSecrets& secrets,
                                          const std::string& redirect_uri) const;
  [[nodiscard]] Expected<std::vector<std::string>> GetGroups(const Metadata& metadata,
                                                             const Tokens& tokens,
                                                             const Json& claims) const;

  cloud::Transport& transport_;
  const Clock& clock_;
  const config::WebOpenId settings_;
  Mutex mutex_;
  std::optional<Metadata> metadata_ GUARDED_BY(mutex_);
  MonoTime read_ GUARDED_BY(mutex_);
};

}  // namespace bindery::identity
