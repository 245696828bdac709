#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "core/clock.h"
#include "core/expected.h"

namespace bindery::cloud_internal {

struct AccessToken {
  std::string value;
  std::chrono::milliseconds lifetime{0};  ///< From when it was asked for.
};

/// Gets a new token, blocking. Never called by two threads at once.
class TokenSource {
 public:
  virtual ~TokenSource() = default;

  /// kUnauthenticated when none is given, kUnavailable when nobody could be asked. No message holds
  /// a secret.
  virtual Expected<AccessToken> Fetch() = 0;
};

/// What every way to a token needs.
struct TokenContext {
  std::shared_ptr<Transport> transport;
  std::shared_ptr<const Clock> clock;
  std::function<void(std::chrono::milliseconds)> wait;  ///< Between two attempts.
  std::vector<std::string> scopes;
};

/// A service account is impersonated with a token of this scope.
inline constexpr const char* kIamScope = "https://www.googleapis.com/auth/iam";

/// How long Google's tokens live at most, and what is asked for.
inline constexpr std::chrono::seconds kTokenLifetime{3600};

}  // namespace bindery::cloud_internal
