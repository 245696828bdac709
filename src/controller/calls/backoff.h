#pragma once

#include <chrono>
#include <cstdint>
#include <random>

namespace bindery::controller {

/// How long to wait: after failures, and between re-checks. Deterministic for a given seed.
class Backoff {
 public:
  using Millis = std::chrono::milliseconds;

  explicit Backoff(std::uint64_t seed) : random_(seed) {}

  /// After the `attempt`-th failure in a row (from 1): doubles from 500 ms to at most 5 min, and
  /// of that between one half and all, so that many targets failing together do not return
  /// together.
  [[nodiscard]] Millis AfterFailure(int attempt);

  /// `interval` plus or minus the fraction `jitter` (0 to 1) of it.
  [[nodiscard]] Millis Jittered(Millis interval, double jitter);

  /// Anywhere within `interval`: spreads a first round of re-checks over it.
  [[nodiscard]] Millis Within(Millis interval);

 private:
  [[nodiscard]] double Uniform(double low, double high);
  std::mt19937_64 random_;
};

}  // namespace bindery::controller
