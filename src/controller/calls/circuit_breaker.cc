#include "controller/calls/circuit_breaker.h"

#include <algorithm>

namespace bindery::controller {
namespace {

using std::chrono::seconds;

constexpr std::size_t kTargetsToOpen = 5;
constexpr seconds kFirstPause(1);
constexpr seconds kLongestBreak(30);
constexpr int kMostDoublings = 5;

/// The service did not answer, or somebody before it did.
bool HostIsAway(const Error* error) {
  return error != nullptr &&
         (error->code == Code::kUnavailable || error->code == Code::kDeadlineExceeded);
}

}  // namespace

MonoTime CircuitBreaker::TryAt(bool urgent) const {
  if (urgent) return opened_at_ + kFirstPause;
  const int doublings = std::clamp(trips_ - 1, 0, kMostDoublings);
  return opened_at_ + std::min<seconds>(kLongestBreak, kFirstPause * (1 << doublings));
}

bool CircuitBreaker::TryPass(bool urgent, MonoTime now) {
  if (!open_) return true;
  if (trying_ || now < TryAt(urgent)) return false;
  trying_ = true;
  return true;
}

MonoTime CircuitBreaker::NextTry(bool urgent, MonoTime now) const {
  if (!open_) return now;
  return trying_ ? now + kFirstPause : std::max(now, TryAt(urgent));
}

bool CircuitBreaker::Ended(const std::string& target, const Error* error, MonoTime now) {
  // Shutting down says nothing about the host.
  if (error != nullptr && error->code == Code::kCancelled) {
    trying_ = false;
    return false;
  }
  if (!HostIsAway(error)) {
    const bool was_open = open_;
    open_ = false;
    trying_ = false;
    trips_ = 0;
    failed_.clear();
    return was_open;
  }
  last_error_ = error->message;
  failed_.insert(target);
  if (open_) {
    // Calls that were under way when the breaker opened say nothing new.
    if (!trying_) return false;
    trying_ = false;
    ++trips_;
    opened_at_ = now;
    return false;
  }
  if (failed_.size() < kTargetsToOpen) return false;
  open_ = true;
  trips_ = 1;
  opened_at_ = now;
  return true;
}

}  // namespace bindery::controller
