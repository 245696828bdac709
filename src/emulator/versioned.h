#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/clock.h"

namespace bindery::emulator {

/// How old a replica a read is served from; zero is the newest.
using Staleness = std::chrono::milliseconds;

/// A value with its former versions, for readers of an old replica.
template <typename T>
class Versioned {
 public:
  Versioned(T value, MonoTime now) { versions_.emplace_back(now, std::move(value)); }

  [[nodiscard]] const T& Now() const { return versions_.back().second; }

  /// The value at the time; for earlier times the oldest version.
  [[nodiscard]] const T& At(MonoTime time) const {
    for (auto it = versions_.rbegin(); it != versions_.rend(); ++it) {
      if (it->first <= time) return it->second;
    }
    return versions_.front().second;
  }

  void Set(T value, MonoTime now) {
    versions_.emplace_back(now, std::move(value));
    // The newest of the forgettable ones is still the value at the horizon.
    while (versions_.size() > kMaxVersions ||
           (versions_.size() > 1 && versions_[1].first < now - kHorizon)) {
      versions_.erase(versions_.begin());
    }
  }

 private:
  static constexpr std::chrono::minutes kHorizon{10};
  static constexpr std::size_t kMaxVersions = 64;
  std::vector<std::pair<MonoTime, T>> versions_;
};

}  // namespace bindery::emulator
