#include "providers/google/credentials/remembered_failure.h"

#include <algorithm>
#include <utility>

namespace bindery::google {
namespace {

constexpr std::chrono::milliseconds kShortestPause{1'000};
constexpr std::chrono::milliseconds kLongestPause{60'000};

}  // namespace

void RememberedFailure::Remember(Error error, MonoTime now) {
  pause_ = std::clamp(pause_ * 2, kShortestPause, kLongestPause);
  end_ = now + std::max(pause_, error.retry_after.value_or(std::chrono::milliseconds(0)));
  error_ = std::move(error);
}

void RememberedFailure::Forget() {
  error_.reset();
  pause_ = std::chrono::milliseconds(0);
}

const Error* RememberedFailure::At(MonoTime now) const {
  return error_ && now < end_ ? &*error_ : nullptr;
}

}  // namespace bindery::google
