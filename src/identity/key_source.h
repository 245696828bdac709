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

/// The keys at an address, fetched when a token needs the keys. Thread-safe. One thread fetches at
/// a time, which takes at most ten seconds; only tokens without a known key wait for the fetch.
class KeySource {
 public:
  /// The least time between two fetches: a stranger's invented keys cause no further fetch.
  static constexpr std::chrono::minutes kRest{1};
  /// After this time the keys are fetched anew: a withdrawn key is not believed for longer.
  static constexpr std::chrono::hours kLongest{1};

  KeySource(cloud::Transport& transport, const Clock& clock, std::string url)
      : transport_(transport), clock_(clock), url_(std::move(url)) {}

  [[nodiscard]] const std::string& url() const { return url_; }

  /// Whether the signature is by one of the keys. An unknown key has the keys fetched again.
  /// kUnauthenticated when no key signed the token; kUnavailable without keys.
  [[nodiscard]] Expected<void> Verify(const Token& token);

 private:
  /// Keys that never change, and when they were asked for.
  struct Known {
    std::shared_ptr<const KeySet> keys;  ///< Null: none were fetched yet.
    MonoTime fetched;
  };

  [[nodiscard]] Known KnownNow() EXCLUDES(mutex_);
  /// Fetches the keys, or waits for the fetch of another thread.
  [[nodiscard]] Expected<void> Refresh() EXCLUDES(fetching_, mutex_);
  /// The same, but nothing is done while another thread fetches.
  [[nodiscard]] Expected<void> RefreshUnlessBusy() EXCLUDES(fetching_, mutex_);
  /// Within kRest of a fetch nothing is done, and no error is told.
  [[nodiscard]] Expected<void> Fetch() REQUIRES(fetching_) EXCLUDES(mutex_);

  cloud::Transport& transport_;
  const Clock& clock_;
  const std::string url_;
  Mutex fetching_;  ///< Taken before `mutex_`, and held during a fetch.
  std::optional<MonoTime> tried_ GUARDED_BY(fetching_);
  Mutex mutex_;
  Known known_ GUARDED_BY(mutex_);
};

/// Sends `request` to an identity provider, as the call `operation` of the service "oidc": answers
/// in JSON, of at most 1 MiB, within ten seconds. kUnavailable without an answer.
[[nodiscard]] Expected<cloud::HttpResponse> AskProvider(cloud::Transport& transport,
                                                        cloud::HttpRequest request,
                                                        const std::string& operation);

/// The JSON object at an address of an identity provider. kUnavailable without an object; answers
/// over 1 MiB are refused.
[[nodiscard]] Expected<Json> FetchObject(cloud::Transport& transport, const std::string& url,
                                         const std::string& operation,
                                         const cloud::HttpHeaders& headers = {});

}  // namespace bindery::identity
