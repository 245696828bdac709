#include "notify/batching.h"

#include <algorithm>

namespace bindery::notify {
namespace {

constexpr double kSecondsPerMinute = 60;

}  // namespace

Batching::Batching(int per_minute, int burst)
    : limited_(per_minute > 0),
      burst_(burst),
      limiter_(per_minute / kSecondsPerMinute, static_cast<double>(burst)) {}

std::size_t Batching::Take(std::size_t waiting, MonoTime now) {
  const double tokens = limiter_.Headroom(now) * std::max(burst_, 1);
  if (!limiter_.TryTake(now)) return 0;
  // A receiver that answers slowly never uses the limit up, and would fall behind one by one.
  const bool behind = limited_ && waiting >= kMostJoined;
  const bool one_by_one = !behind && (tokens >= 2 || static_cast<double>(waiting) <= tokens);
  return one_by_one ? 1 : std::min(waiting, most_);
}

void Batching::Accepted(std::size_t events) {
  if (events == most_) most_ = std::min(kMostJoined, 2 * most_);
}

std::size_t Batching::Refused(std::size_t events) {
  most_ = events / 2;
  return most_;
}

}  // namespace bindery::notify
