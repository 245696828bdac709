#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "identity/key_set.h"

namespace bindery::identity {

/// The keys at an address, fetched when a token needs the keys. Thread-safe; a fetch blocks the
/// caller for at most ten seconds.
class KeySource {
 public:
  /// The least time between two fetches: a stranger's invented keys cause no further fetch.
  static constexpr std::chrono::minutes kRest{1};
  /// After this time the keys are fetched anew: a withdrawn key is not believed for longer.
  static constexpr std::chrono::hours kLongest{1};

  KeySource(Transport& transport, const Clock& clock, std::string url)
      : transport_(transport), clock_(clock), url_(std::move(url)) {}

  /// Whether the signature is by one of the keys. An unknown key has the keys fetched again.
  /// kUnauthenticated when no key signed the token; kUnavailable without keys.
  [[nodiscard]] Expected<void> Verify(const Token& token);

 private:
  [[nodiscard]] Expected<void> Refresh() REQUIRES(mutex_);

  Transport& transport_;
  const Clock& clock_;
  const std::string url_;
  Mutex mutex_;
  std::optional<KeySet> keys_ GUARDED_BY(mutex_);
  MonoTime fetched_ GUARDED_BY(mutex_);
  std::optional<MonoTime> tried_ GUARDED_BY(mutex_);
};

/// Of each answer of an identity provider.
inline constexpr std::size_t kMostAnswerBytes = std::size_t{1} << 20U;
inline constexpr std::chrono::seconds kAnswerPatience{10};

/// The JSON object at an address of an identity provider. kUnavailable without an object; answers
/// over 1 MiB are refused.
[[nodiscard]] Expected<Json> FetchObject(Transport& transport, const std::string& url,
                                         const std::string& operation,
                                         const HttpHeaders& headers = {});

}  // namespace bindery::identity
