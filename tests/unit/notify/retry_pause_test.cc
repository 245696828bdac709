#include "notify/retry_pause.h"

#include <gtest/gtest.h>

namespace bindery::notify {
namespace {

using namespace std::chrono_literals;

const MonoTime kFirstTry{100h};

TEST(RetryPause, GrowsWithEachFailureInARow) {
  RetryPause pause(7);
  EXPECT_LE(pause.end(), kFirstTry) << "nothing failed yet";
  pause.Failed(kFirstTry, {});
  EXPECT_GE(pause.end(), kFirstTry + 250ms);
  EXPECT_LE(pause.end(), kFirstTry + 500ms);
  for (int i = 0; i < 20; ++i) pause.Failed(kFirstTry, {});
  EXPECT_GE(pause.end(), kFirstTry + 150s);
  EXPECT_LE(pause.end(), kFirstTry + 5min);
  pause.Reset();
  EXPECT_GE(pause.end(), kFirstTry + 150s) << "the pause under way stays";
  pause.Failed(kFirstTry, {});
  EXPECT_LE(pause.end(), kFirstTry + 500ms) << "the first in a row again";
}

TEST(RetryPause, IsAsLongAsTheReceiverAsksForAtLeast) {
  RetryPause pause(7);
  pause.Failed(kFirstTry, 90s);
  EXPECT_EQ(pause.end(), kFirstTry + 90s);
  for (int i = 0; i < 20; ++i) pause.Failed(kFirstTry, 1ms);
  EXPECT_GE(pause.end(), kFirstTry + 150s) << "less than its own pause does not count";
}

}  // namespace
}  // namespace bindery::notify
