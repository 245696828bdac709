#include "notify/batching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::notify {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::Le;

const MonoTime kStart{hours(100)};

TEST(Batching, EachEventIsAMessageOfItsOwnUntilTheLastOneBeforeTheLimit) {
  Batching batching(60, 3);
  EXPECT_EQ(batching.Take(10, kStart), 1U);
  EXPECT_EQ(batching.Take(9, kStart), 1U);
  EXPECT_EQ(batching.Take(8, kStart), 8U);
  EXPECT_EQ(batching.Take(1, kStart), 0U);
}

TEST(Batching, WhatHadToWaitForTheLimitIsToldTogether) {
  Batching batching(60, 1);
  EXPECT_EQ(batching.Take(1, kStart), 1U);
  EXPECT_EQ(batching.Take(5, kStart), 0U);
  const MonoTime next = batching.NextMessage(kStart);
  EXPECT_GT(next, kStart);
  EXPECT_THAT(next, Le(kStart + seconds(1) + std::chrono::milliseconds(1)));
  EXPECT_EQ(batching.Take(5, next), 5U);
}

TEST(Batching, ALongQueueIsToldTogetherThoughTheLimitLeavesRoom) {
  // The receiver takes a second for each message, and the limit is ten a second.
  Batching batching(600, 50);
  EXPECT_EQ(batching.Take(kMostJoined, kStart), kMostJoined);
  EXPECT_EQ(batching.Take(kMostJoined, kStart + seconds(1)), kMostJoined);
  EXPECT_EQ(batching.Take(kMostJoined - 1, kStart + seconds(2)), 1U);
}

TEST(Batching, WithoutALimitEachEventIsAMessageOfItsOwn) {
  Batching batching(0, 10);
  for (std::size_t waiting = 2 * kMostJoined; waiting > 0; --waiting) {
    EXPECT_EQ(batching.Take(waiting, kStart), 1U);
  }
}

TEST(Batching, NeverMoreThanAMessageCanHoldAreToldTogether) {
  Batching batching(60, 1);
  EXPECT_EQ(batching.Take(10 * kMostJoined, kStart), kMostJoined);
  batching.Accepted(kMostJoined);
  EXPECT_EQ(batching.Take(10 * kMostJoined, kStart + seconds(2)), kMostJoined);
}

TEST(Batching, AfterARefusalHalfAsManyAreTriedAndMoreOnceThatManyWereTaken) {
  Batching batching(60, 1);
  EXPECT_EQ(batching.Take(1'000, kStart), 100U);
  EXPECT_EQ(batching.Refused(100), 50U);
  EXPECT_EQ(batching.Refused(50), 25U);
  batching.Accepted(3);
  EXPECT_EQ(batching.Take(1'000, kStart + seconds(2)), 25U) << "three say nothing of more";
  batching.Accepted(25);
  EXPECT_EQ(batching.Take(1'000, kStart + seconds(4)), 50U);
}

}  // namespace
}  // namespace bindery::notify
