#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "emulator/credentials.h"
#include "emulator/google/accounts.h"
#include "emulator/google/issued_tokens.h"
#include "emulator/seed.h"

namespace bindery::emulator {

/// An access token of an endpoint.
struct AccessToken {
  std::string token;
  std::chrono::seconds lifetime{0};
  WallTime expires;
};

/// Where a self-signed JWT was sent.
struct Endpoint {
  std::string api;   ///< "networksecurity": its real host is a good audience,
  std::string host;  ///< as is the one the request was sent to: "127.0.0.1:9818".
};

/// Who may come to the cloud and with what: seeded tokens and keys, and everything that access
/// tokens are given out for. Safe to call from any thread.
class Identities {
 public:
  /// `clock` must outlive the object.
  explicit Identities(const Clock& clock) : clock_(clock) {}

  /// True for the sections kept here.
  [[nodiscard]] static bool Keeps(std::string_view section);
  /// Takes an entry of one of the sections.
  void Add(const Entry& entry);
  /// Forgets everything, issued tokens too.
  void Clear();
  void SetTokenLifetime(std::chrono::seconds lifetime);
  std::size_t RevokeTokens() { return issued_.RevokeAll(); }

  /// A bearer of Google's side: a seeded token, an issued one, or a JWT its sender signed.
  [[nodiscard]] Access FindGoogleToken(const std::string& token, const Endpoint& endpoint);
  /// A bearer of Datadog's side: seeded tokens only.
  [[nodiscard]] Access FindSeededToken(const std::string& token);
  [[nodiscard]] Access FindKeys(const std::string& api_key, const std::string& app_key);

  /// By e-mail address or unique id.
  [[nodiscard]] std::optional<ServiceAccount> FindAccount(const std::string& name);
  /// "projects/P/serviceAccounts/A" of the IAM API, where P may be "-" and A an address or a unique
  /// id; null if none exists.
  [[nodiscard]] Json DescribeAccount(const std::string& name);
  /// Nothing for an unknown client or a wrong secret.
  [[nodiscard]] bool KnowsClient(const std::string& id, const std::string& secret);
  [[nodiscard]] std::optional<RefreshToken> FindRefreshToken(const std::string& client_id,
                                                             const std::string& token);
  [[nodiscard]] std::optional<IdentityPool> FindPool(const std::string& audience);
  [[nodiscard]] std::optional<Metadata> GetMetadata();

  /// A new token. Without `lifetime`, the one the seed's options say.
  [[nodiscard]] AccessToken Issue(std::string principal, Permissions permissions,
                                  std::vector<std::string> scopes,
                                  std::optional<std::chrono::seconds> lifetime = {});

 private:
  [[nodiscard]] Access Judge(const Credential* found) const;
  [[nodiscard]] Access JudgeJwt(const Jwt& jwt, const Endpoint& endpoint) const REQUIRES(mutex_);
  [[nodiscard]] const Credential* FindSeeded(const std::string& token, bool* any) const
      REQUIRES(mutex_);
  [[nodiscard]] const ServiceAccount* Account(const std::string& name) const REQUIRES(mutex_);

  const Clock& clock_;
  IssuedTokens issued_;
  Mutex mutex_;
  std::vector<Credential> credentials_ GUARDED_BY(mutex_);
  std::vector<ServiceAccount> accounts_ GUARDED_BY(mutex_);
  std::vector<RefreshToken> refresh_tokens_ GUARDED_BY(mutex_);
  std::vector<IdentityPool> pools_ GUARDED_BY(mutex_);
  std::optional<Metadata> metadata_ GUARDED_BY(mutex_);
  std::chrono::seconds token_lifetime_ GUARDED_BY(mutex_){3600};
};

/// The scope every one of the APIs asks for.
inline constexpr std::string_view kCloudScope = "https://www.googleapis.com/auth/cloud-platform";

/// "a b" -> {"a", "b"}
[[nodiscard]] std::vector<std::string> SplitScopes(std::string_view text, char separator = ' ');

}  // namespace bindery::emulator
