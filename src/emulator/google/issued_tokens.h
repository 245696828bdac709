#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "emulator/credentials.h"

namespace bindery::emulator {

/// The access tokens this cloud gave out, in memory only: a restart is a revocation. Thread-safe.
class IssuedTokens {
 public:
  /// A new opaque token of the holder, good until `expires`.
  [[nodiscard]] std::string Issue(Credential holder, WallTime expires, WallTime now);
  /// The holder, also when the token has expired: look at `expires`.
  [[nodiscard]] std::optional<Credential> Find(const std::string& token);
  /// The number of revoked tokens.
  std::size_t RevokeAll();

 private:
  void ForgetExpired(WallTime now) REQUIRES(mutex_);

  Mutex mutex_;
  std::unordered_map<std::string, Credential> tokens_ GUARDED_BY(mutex_);
  std::size_t forget_at_ GUARDED_BY(mutex_) = 1024;  ///< Clean up at this number.
};

}  // namespace bindery::emulator
