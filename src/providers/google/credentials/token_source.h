#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::google {

struct AccessToken {
  std::string value;
  std::chrono::milliseconds lifetime{0};  ///< From when it was asked for.
};

/// Gets a new token, blocking. Never called by two threads at once.
class TokenSource {
 public:
  virtual ~TokenSource() = default;

  /// Waits and tries again until `give_up_at` at most. kUnauthenticated when none is given,
  /// kUnavailable when no service answered, kCancelled at shutdown. No message holds a secret.
  virtual Expected<AccessToken> Fetch(MonoTime give_up_at) = 0;
};

/// The common needs of all ways to a token.
struct TokenContext {
  std::shared_ptr<cloud::Transport> transport;
  std::shared_ptr<const Clock> clock;
  /// Between two attempts. False: no further one is to be made.
  std::function<bool(std::chrono::milliseconds)> wait;
  std::vector<std::string> scopes;
};

/// A service account is impersonated with a token of the scope.
inline constexpr const char* kIamScope = "https://www.googleapis.com/auth/iam";

/// Maximum time for getting one token, with all calls and attempts: a caller waits.
inline constexpr std::chrono::milliseconds kLongestFetch{15'000};

/// How long Google's tokens live at most, and the request.
inline constexpr std::chrono::seconds kTokenLifetime{3600};

}  // namespace bindery::google
