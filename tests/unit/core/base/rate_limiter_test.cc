#include "core/base/rate_limiter.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr MonoTime kStart{std::chrono::hours(1)};

TEST(RateLimiter, LetsTheBurstGoAndThenTheRate) {
  RateLimiter limiter(2, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.TryTake(kStart));
  EXPECT_FALSE(limiter.TryTake(kStart));
  EXPECT_FALSE(limiter.TryTake(kStart + milliseconds(499)));
  EXPECT_TRUE(limiter.TryTake(kStart + milliseconds(501)));
  EXPECT_FALSE(limiter.TryTake(kStart + milliseconds(501)));
}

TEST(RateLimiter, ATokenIsThereWhenItWasPromised) {
  RateLimiter limiter(7, 1);
  MonoTime now = kStart;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(limiter.TryTake(now)) << i;
    now = limiter.NextToken(now);
  }
  EXPECT_NEAR(std::chrono::duration<double>(now - kStart).count(), 100.0 / 7, 0.01);
}

TEST(RateLimiter, SavesUpNoMoreThanTheBurst) {
  RateLimiter limiter(10, 2);
  EXPECT_TRUE(limiter.TryTake(kStart));
  const MonoTime later = kStart + seconds(3600);
  EXPECT_TRUE(limiter.TryTake(later));
  EXPECT_TRUE(limiter.TryTake(later));
  EXPECT_FALSE(limiter.TryTake(later));
}

TEST(RateLimiter, ARateOfZeroIsNoLimit) {
  RateLimiter limiter(0, 1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limiter.TryTake(kStart));
  EXPECT_EQ(limiter.NextToken(kStart), kStart);
  EXPECT_EQ(limiter.Headroom(kStart), 1);
}

TEST(RateLimiter, ABurstBelowOneStillLetsCallsGo) {
  RateLimiter limiter(1, 0.5);
  EXPECT_TRUE(limiter.TryTake(kStart));
  EXPECT_TRUE(limiter.TryTake(limiter.NextToken(kStart)));
}

TEST(RateLimiter, TellsWhatIsLeftOfTheBurst) {
  RateLimiter limiter(1, 4);
  EXPECT_EQ(limiter.Headroom(kStart), 1);
  EXPECT_TRUE(limiter.TryTake(kStart));
  EXPECT_DOUBLE_EQ(limiter.Headroom(kStart), 0.75);
}

}  // namespace
}  // namespace bindery
