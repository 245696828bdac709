#include "notify/retry_pause.h"

#include <gtest/gtest.h>

namespace bindery::notify {
namespace {

using namespace std::chrono_literals;

const MonoTime kStart{100h};

TEST(RetryPause, GrowsWithEachFailureInARow) {
  RetryPause pause(7);
  EXPECT_LE(pause.end(), kStart) << "nothing failed yet";
  pause.Failed(kStart, {});
  EXPECT_GE(pause.end(), kStart + 250ms);
  EXPECT_LE(pause.end(), kStart + 500ms);
  for (int i = 0; i < 20; ++i) pause.Failed(kStart, {});
  EXPECT_GE(pause.end(), kStart + 150s);
  EXPECT_LE(pause.end(), kStart + 5min);
  pause.Reset();
  EXPECT_GE(pause.end(), kStart + 150s) << "the pause under way stays";
  pause.Failed(kStart, {});
  EXPECT_LE(pause.end(), kStart + 500ms) << "the first in a row again";
}

TEST(RetryPause, IsAsLongAsTheReceiverAsksForAtLeast) {
  RetryPause pause(7);
  pause.Failed(kStart, 90s);
  EXPECT_EQ(pause.end(), kStart + 90s);
  for (int i = 0; i < 20; ++i) pause.Failed(kStart, 1ms);
  EXPECT_GE(pause.end(), kStart + 150s) << "less than its own pause does not count";
}

}  // namespace
}  // namespace bindery::notify
