#include "providers/google/credentials/token_cache.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "core/base/wipe.h"

namespace bindery::google {
namespace {

using std::chrono::milliseconds;

/// A token with at most this lifetime is used for half of its life.
constexpr milliseconds kShortLife{240'000};
/// A token is not sent in its last seconds: the request takes time too.
constexpr milliseconds kLastMoments{10'000};
/// A service that refuses even new tokens must not cause a new token for each call.
constexpr milliseconds kBetweenRefusals{10'000};

/// Returns exceptions as errors: the callers that wait for the attempt must learn its end.
Expected<AccessToken> FetchFrom(TokenSource& source, MonoTime give_up_at) {
  try {
    return source.Fetch(give_up_at);
  } catch (const std::exception& failure) {
    return Fail(Code::kInternal, std::string("getting an access token: ") + failure.what());
  }
}

std::string Text(milliseconds time) {
  const auto count = time.count();
  return count % 1'000 == 0 ? std::to_string(count / 1'000) + " s" : std::to_string(count) + " ms";
}

}  // namespace

TokenCache::~TokenCache() {
  if (stop_) stop_->Stop();
  if (renewal_.joinable()) renewal_.join();
  Drop();
}

void TokenCache::Drop() {
  if (token_) Wipe(token_->value);
  token_.reset();
}

Expected<std::string> TokenCache::Get(milliseconds timeout) {
  const MutexLock lock(mutex_);
  const milliseconds patience = std::min(timeout, longest_wait_);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const MonoTime now = clock_->Mono();
    const Error* const failed = failure_.At(now);
    if (Holds(now)) {
      if (now >= token_->renew_at && !renewing_ && failed == nullptr) RenewInBackground();
      return token_->value;
    }
    if (failed != nullptr) return Fail(*failed);
    if (!renewing_) {
      auto failure = Renew();
      if (failure && !Holds(clock_->Mono())) return Fail(std::move(*failure));
      return token_->value;
    }
    if (changed_.WaitUntil(mutex_, deadline) == std::cv_status::timeout && renewing_) {
      return Fail(Code::kUnavailable,
                  "an access token is being fetched and did not come within " + Text(patience));
    }
  }
}

std::optional<std::string> TokenCache::TryGet() {
  if (!mutex_.TryLock()) return std::nullopt;
  const MutexLock lock(mutex_, std::adopt_lock);
  const MonoTime now = clock_->Mono();
  if (!Holds(now)) return std::nullopt;
  // Get begins the renewal.
  const bool may_renew = !renewing_ && failure_.At(now) == nullptr;
  if (now >= token_->renew_at && may_renew) return std::nullopt;
  return token_->value;
}

/// What went wrong, if anything. The lock is not held meanwhile.
std::optional<Error> TokenCache::Renew() {
  renewing_ = true;
  const MonoTime asked_at = clock_->Mono();
  Expected<AccessToken> token;
  {
    const MutexRelease released(mutex_);
    token = FetchFrom(*source_, asked_at + kLongestFetch);
  }
  renewing_ = false;
  changed_.NotifyAll();
  if (token) {
    Keep(*token, asked_at);
    return std::nullopt;
  }
  failure_.Remember(token.error(), clock_->Mono());
  return std::move(token.error());
}

void TokenCache::RenewInBackground() {
  // The last renewal has given up the lock for good, or it would still be running.
  if (renewal_.joinable()) renewal_.join();
  try {
    renewal_ = std::thread([this] {
      const MutexLock lock(mutex_);
      Renew();
    });
    renewing_ = true;
  } catch (const std::system_error& failure) {
    Error error;
    error.code = Code::kInternal;
    error.message = std::string("no thread to get an access token on: ") + failure.what();
    failure_.Remember(std::move(error), clock_->Mono());
  }
}

void TokenCache::Keep(const AccessToken& token, MonoTime asked_at) {
  const milliseconds life = token.lifetime;
  const milliseconds margin = life < kShortLife ? life / 2 : kRenewBefore;
  Drop();
  token_ = Kept{token.value, asked_at + life - margin,
                asked_at + life - std::min(kLastMoments, life / 10)};
  failure_.Forget();
}

bool TokenCache::Refused(const std::string& token) {
  const MutexLock lock(mutex_);
  if (!token_ || token_->value != token) return true;
  const MonoTime now = clock_->Mono();
  if (refused_at_ && now < *refused_at_ + kBetweenRefusals) return false;
  refused_at_ = now;
  Drop();
  return true;
}

}  // namespace bindery::google
