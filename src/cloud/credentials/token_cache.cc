#include "cloud/credentials/token_cache.h"

#include <algorithm>
#include <utility>

namespace bindery::cloud_internal {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestPause{1'000};
constexpr milliseconds kLongestPause{60'000};
/// A token that lives no longer than this is used for half of its life.
constexpr milliseconds kShortLife{240'000};
/// A token is not sent in its last seconds: the request takes time too.
constexpr milliseconds kLastMoments{10'000};
/// A service that refuses even new tokens must not make us get one for each call.
constexpr milliseconds kBetweenRefusals{10'000};

}  // namespace

Expected<std::string> TokenCache::Get(milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const MonoTime now = clock_->Mono();
    const bool fresh = token_ && now < token_->renew_at;
    const bool pausing = failure_ && now < not_before_;
    if (fresh || (Holds(now) && (renewing_ || pausing))) return token_->value;
    if (pausing) return Fail(*failure_);
    if (!renewing_) return Renew(lock);
    if (changed_.wait_until(lock, deadline) == std::cv_status::timeout && renewing_) {
      return Fail(Code::kDeadlineExceeded,
                  "waited " + std::to_string(timeout.count()) + " ms for an access token");
    }
  }
}

Expected<std::string> TokenCache::Renew(std::unique_lock<std::mutex>& lock) {
  renewing_ = true;
  const MonoTime asked_at = clock_->Mono();
  lock.unlock();
  auto token = source_->Fetch();
  lock.lock();
  renewing_ = false;
  changed_.notify_all();
  if (token) {
    Keep(*token, asked_at);
    return token_->value;
  }
  Remember(token.error());
  if (Holds(clock_->Mono())) return token_->value;
  return Fail(std::move(token.error()));
}

void TokenCache::Keep(const AccessToken& token, MonoTime asked_at) {
  const milliseconds life = token.lifetime;
  const milliseconds margin = life < kShortLife ? life / 2 : kRenewBefore;
  token_ = Kept{token.value, asked_at + life - margin,
                asked_at + life - std::min(kLastMoments, life / 10)};
  failure_.reset();
  pause_ = milliseconds(0);
}

void TokenCache::Remember(const Error& error) {
  failure_ = error;
  pause_ = std::clamp(pause_ * 2, kShortestPause, kLongestPause);
  not_before_ = clock_->Mono() + std::max(pause_, error.retry_after.value_or(milliseconds(0)));
}

bool TokenCache::Refused(const std::string& token) {
  const std::scoped_lock lock(mutex_);
  if (!token_ || token_->value != token) return true;
  const MonoTime now = clock_->Mono();
  if (refused_at_ && now < *refused_at_ + kBetweenRefusals) return false;
  refused_at_ = now;
  token_.reset();
  return true;
}

}  // namespace bindery::cloud_internal
