// Targets that are changed back and forth.

#include "controller/watch/oscillation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

const TargetKey kThing(Target{"K", "", "projects/p/locations/l/things/t"});

Sha256Digest Policy(int number) { return Sha256Digest::Of(std::to_string(number)); }

class OscillationTest : public ::testing::Test {
 protected:
  OscillationTest() { breaker.SetLimits({5, 3, 1h, 5min, 1h}); }
  /// Writes `after` over `before`, and lets time pass.
  bool Round(int before, int after, std::chrono::milliseconds pause = 5min) {
    const auto standing = breaker.Wrote(kThing, Policy(before), Policy(after), mono, wall);
    Pass(pause);
    return standing.has_value();
  }
  void Pass(std::chrono::milliseconds time) {
    mono += time;
    wall += time;
  }
  [[nodiscard]] bool Holds() const { return breaker.Holds(kThing, mono); }

  OscillationBreaker breaker;
  MonoTime mono{100h};
  WallTime wall{std::chrono::hours(500'000)};
};

TEST_F(OscillationTest, TheSixthRoundWithinAnHourIsTooMany) {
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Round(1, 2)) << i;
  EXPECT_FALSE(Holds());
  const WallTime sixth = wall;
  EXPECT_TRUE(Round(1, 2, 1min));
  EXPECT_TRUE(Holds());
  const auto standing = breaker.Find(kThing);
  ASSERT_TRUE(standing);
  EXPECT_EQ(standing->rounds, 6U);
  EXPECT_EQ(standing->last, sixth);
  EXPECT_EQ(standing->since, sixth - 25min);
  EXPECT_EQ(breaker.Tripped(), 1U);
  Pass(4min);
  EXPECT_FALSE(Holds()) << "it is tried again";
}

TEST_F(OscillationTest, EachRoundAfterItDoublesThePauseUpToAnHour) {
  for (int i = 0; i < 6; ++i) Round(1, 2, 1s);
  std::vector<std::int64_t> pauses;
  for (int i = 0; i < 6; ++i) {
    mono = breaker.Find(kThing)->next_try;
    EXPECT_TRUE(Round(1, 2, 0s));
    pauses.push_back((breaker.Find(kThing)->next_try - mono) / 1min);
  }
  EXPECT_THAT(pauses, ElementsAre(10, 20, 40, 60, 60, 60));
  EXPECT_EQ(breaker.Find(kThing)->rounds, 12U);
}

TEST_F(OscillationTest, RoundsThatAreFarApartAreRepairs) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Round(1, 2, 15min)) << i;
}

TEST_F(OscillationTest, RepairsOfEverOtherChangesAreNone) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Round(i + 10, 2, 1min)) << i;
}

TEST_F(OscillationTest, ThreeStatesThatTakeTurnsAre) {
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Round(i % 3 + 10, 2, 1min)) << i;
  EXPECT_TRUE(Round(11, 2, 1min));
}

TEST_F(OscillationTest, WhatIsDeclaredOtherwiseIsCountedAnew) {
  for (int i = 0; i < 5; ++i) Round(1, 2, 1min);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Round(1, 3, 1min)) << i;
  EXPECT_TRUE(Round(1, 3, 1min));
  breaker.Reset(kThing);
  EXPECT_FALSE(Holds());
  EXPECT_FALSE(Round(1, 3, 1min));
}

TEST_F(OscillationTest, WhenAWriteStaysItIsOver) {
  for (int i = 0; i < 6; ++i) Round(1, 2, 1min);
  breaker.Sweep(mono);
  EXPECT_EQ(breaker.Tripped(), 1U);
  Pass(66min);
  breaker.Sweep(mono);
  EXPECT_EQ(breaker.Tripped(), 0U);
  EXPECT_FALSE(Round(1, 2, 1min));
}

}  // namespace
}  // namespace bindery::controller
