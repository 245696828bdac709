#include "controller/calls/backoff.h"

#include <algorithm>

namespace bindery::controller {
namespace {

constexpr double kFirstMillis = 500;
constexpr double kMostMillis = 300'000;

}  // namespace

double Backoff::Uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random_);
}

Backoff::Millis Backoff::AfterFailure(int attempt) {
  double wait = kFirstMillis;
  for (int i = 1; i < attempt && wait < kMostMillis; ++i) wait *= 2;
  wait = std::min(wait, kMostMillis);
  return Millis(static_cast<Millis::rep>(Uniform(wait / 2, wait)));
}

Backoff::Millis Backoff::Jittered(Millis interval, double jitter) {
  const auto whole = static_cast<double>(interval.count());
  return Millis(static_cast<Millis::rep>(whole * Uniform(1 - jitter, 1 + jitter)));
}

Backoff::Millis Backoff::Within(Millis interval) {
  return Millis(static_cast<Millis::rep>(Uniform(0, static_cast<double>(interval.count()))));
}

}  // namespace bindery::controller
