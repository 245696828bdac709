#include "providers/google/credentials/remembered_failure.h"

#include <gtest/gtest.h>

namespace bindery::google {
namespace {

using namespace std::chrono_literals;

const MonoTime kStart{100h};

Error Failure(std::optional<std::chrono::milliseconds> retry_after = {}) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = "no token";
  error.retry_after = retry_after;
  return error;
}

TEST(RememberedFailure, IsGivenForOneSecondDoublingToAMinute) {
  RememberedFailure failure;
  EXPECT_EQ(failure.At(kStart), nullptr);
  MonoTime now = kStart;
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    failure.Remember(Failure(), now);
    ASSERT_NE(failure.At(now + pause - 1ms), nullptr);
    EXPECT_EQ(failure.At(now + pause - 1ms)->message, "no token");
    EXPECT_EQ(failure.At(now + pause), nullptr);
    now += pause;
  }
}

TEST(RememberedFailure, IsGivenForLongerWhenTheEndpointAsksForIt) {
  RememberedFailure failure;
  failure.Remember(Failure(90s), kStart);
  EXPECT_NE(failure.At(kStart + 90s - 1ms), nullptr);
  EXPECT_EQ(failure.At(kStart + 90s), nullptr);
  failure.Remember(Failure(1ms), kStart);
  EXPECT_NE(failure.At(kStart + 2s - 1ms), nullptr) << "its own pause is longer";
}

TEST(RememberedFailure, AfterASuccessTheFirstPauseIsShortAgain) {
  RememberedFailure failure;
  for (int i = 0; i < 5; ++i) failure.Remember(Failure(), kStart);
  failure.Forget();
  EXPECT_EQ(failure.At(kStart), nullptr);
  failure.Remember(Failure(), kStart);
  EXPECT_EQ(failure.At(kStart + 1s), nullptr);
}

}  // namespace
}  // namespace bindery::google
