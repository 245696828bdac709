#include "controller/calls/backoff.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bindery::controller {
namespace {

using std::chrono::milliseconds;

struct WaitCase {
  int attempt;
  int low;   // ms
  int high;  // ms
};
class BackoffAfterFailure : public ::testing::TestWithParam<WaitCase> {};

TEST_P(BackoffAfterFailure, LiesBetweenHalfAndAllOfTheDoubledWait) {
  Backoff backoff(7);
  for (int i = 0; i < 200; ++i) {
    const milliseconds wait = backoff.AfterFailure(GetParam().attempt);
    EXPECT_GE(wait, milliseconds(GetParam().low));
    EXPECT_LE(wait, milliseconds(GetParam().high));
  }
}

INSTANTIATE_TEST_SUITE_P(Attempts, BackoffAfterFailure,
                         ::testing::Values(WaitCase{0, 250, 500}, WaitCase{1, 250, 500},
                                           WaitCase{2, 500, 1000}, WaitCase{5, 4000, 8000},
                                           WaitCase{10, 128'000, 256'000},
                                           WaitCase{11, 150'000, 300'000},
                                           WaitCase{1'000'000, 150'000, 300'000}));

TEST(Backoff, IsTheSameForTheSameSeed) {
  Backoff one(3);
  Backoff other(3);
  for (int i = 1; i < 20; ++i) EXPECT_EQ(one.AfterFailure(i), other.AfterFailure(i));
}

TEST(Backoff, JitterStaysWithinItsFraction) {
  Backoff backoff(1);
  bool below = false;
  bool above = false;
  for (int i = 0; i < 500; ++i) {
    const milliseconds wait = backoff.Jittered(milliseconds(1000), 0.1);
    ASSERT_GE(wait, milliseconds(900));
    ASSERT_LE(wait, milliseconds(1100));
    below = below || wait < milliseconds(950);
    above = above || wait > milliseconds(1050);
  }
  EXPECT_TRUE(below && above);
  EXPECT_EQ(backoff.Jittered(milliseconds(1000), 0), milliseconds(1000));
}

TEST(Backoff, SpreadsOverTheWholeInterval) {
  Backoff backoff(1);
  milliseconds least(1000);
  milliseconds most(0);
  for (int i = 0; i < 500; ++i) {
    const milliseconds wait = backoff.Within(milliseconds(1000));
    least = std::min(least, wait);
    most = std::max(most, wait);
  }
  EXPECT_LT(least, milliseconds(100));
  EXPECT_GT(most, milliseconds(900));
  EXPECT_LE(most, milliseconds(1000));
}

}  // namespace
}  // namespace bindery::controller
