#include "notify/repetitions.h"

#include <gtest/gtest.h>

namespace bindery::notify {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

Event At(seconds time, const std::string& message = "m") {
  Event event;
  event.time = WallTime(time);
  event.reason = "DriftFound";
  event.message = message;
  return event;
}

TEST(Repetitions, TheSameIsToldAgainOnlyAfterTheInterval) {
  Repetitions told{minutes(10)};
  EXPECT_FALSE(told.Repeats(At(seconds(0))));
  EXPECT_TRUE(told.Repeats(At(minutes(6))));
  EXPECT_FALSE(told.Repeats(At(minutes(10)))) << "since it was told, not since it was repeated";
  EXPECT_TRUE(told.Repeats(At(minutes(19))));
}

TEST(Repetitions, WhatSeemsToBeEarlierIsNone) {
  Repetitions told{minutes(10)};
  EXPECT_FALSE(told.Repeats(At(minutes(100))));
  EXPECT_FALSE(told.Repeats(At(minutes(5)))) << "the clock was set back";
  EXPECT_TRUE(told.Repeats(At(minutes(6))));
}

TEST(Repetitions, SomethingElseIsNone) {
  Repetitions told{minutes(10)};
  EXPECT_FALSE(told.Repeats(At(seconds(0), "a")));
  EXPECT_FALSE(told.Repeats(At(seconds(1), "b")));
  Event worse = At(seconds(2), "a");
  worse.severity = Severity::kHigh;
  EXPECT_FALSE(told.Repeats(worse));
}

TEST(Repetitions, WithoutAnIntervalNothingIs) {
  Repetitions told{minutes(0)};
  EXPECT_FALSE(told.Repeats(At(seconds(0))));
  EXPECT_FALSE(told.Repeats(At(seconds(0))));
}

TEST(Repetitions, OfTooManyTheOldestAreForgotten) {
  Repetitions told{minutes(1'000)};
  const int many = static_cast<int>(Repetitions::kMost);
  for (int i = 0; i <= many; ++i) {
    EXPECT_FALSE(told.Repeats(At(seconds(i), std::to_string(i))));
  }
  EXPECT_TRUE(told.Repeats(At(seconds(many), std::to_string(many))));
  EXPECT_FALSE(told.Repeats(At(seconds(many), "0"))) << "forgotten, so told again";
}

}  // namespace
}  // namespace bindery::notify
