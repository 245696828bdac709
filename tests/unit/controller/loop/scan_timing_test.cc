#include "controller/loop/scan_timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ScanTimingTest : public ::testing::Test {
 protected:
  ScanTimingTest() {
    timing.SetLimits({milliseconds(200), seconds(30)});
    // The first look is at everything.
    EXPECT_EQ(timing.Begin(ScanMode::kFull, now), ScanMode::kFull);
    next = timing.End(true, true, now);
    EXPECT_TRUE(next && next->at == now + seconds(30) && next->how == ScanMode::kFull);
  }
  /// A hint, its debounce, and the look it leads to, which is over at once.
  ScanMode LookAfterHint() {
    now = timing.Hinted(now);
    const ScanMode how = *timing.Begin(ScanMode::kHinted, now);
    next = timing.End(true, how != ScanMode::kHinted, now);
    return how;
  }

  ScanTiming timing;
  MonoTime now{std::chrono::hours(1)};
  std::optional<ScanTiming::Next> next;
};

TEST_F(ScanTimingTest, AHintIsLookedForWhenItHasBeenQuiet) {
  EXPECT_EQ(timing.Hinted(now), now + milliseconds(200));
  EXPECT_EQ(timing.Hinted(now + milliseconds(150)), now + milliseconds(350));
}

TEST_F(ScanTimingTest, HintsPutALookOffForTwoSecondsAtMost) {
  MonoTime at{};
  for (int i = 0; i < 30; ++i) at = timing.Hinted(now + i * milliseconds(100));
  EXPECT_EQ(at, now + seconds(2));
}

TEST_F(ScanTimingTest, HintsPutALookAtEverythingOffNoLongerThanItIsDue) {
  const MonoTime begin = now;
  std::optional<MonoTime> looked;
  while (!looked && now < begin + seconds(60)) {
    now += seconds(3);
    if (LookAfterHint() == ScanMode::kSettled) looked = now;
  }
  ASSERT_TRUE(looked);
  EXPECT_LE(*looked, begin + seconds(34));
}

TEST_F(ScanTimingTest, AHintedLookDoesNotMoveTheNextLookAtEverything) {
  const MonoTime begin = now;
  now += seconds(10);
  EXPECT_EQ(LookAfterHint(), ScanMode::kHinted);
  EXPECT_EQ(next->at, begin + seconds(30));
}

TEST_F(ScanTimingTest, WhatIsMissingIsLookedForAtEverything) {
  const auto confirm = timing.Confirm(true, now);
  ASSERT_TRUE(confirm);
  EXPECT_EQ(confirm->how, ScanMode::kSettled);
  EXPECT_EQ(LookAfterHint(), ScanMode::kSettled)
      << "also when a hint of something else comes first";
}

TEST_F(ScanTimingTest, AHintDuringTheLookThatMissesSomethingDoesNotConfirmIt) {
  ASSERT_TRUE(timing.Begin(ScanMode::kSettled, now));
  const MonoTime at = timing.Hinted(now);
  EXPECT_FALSE(timing.End(true, true, now)) << "the hint has set a time";
  EXPECT_FALSE(timing.Confirm(true, now));
  EXPECT_EQ(timing.Begin(ScanMode::kHinted, at), ScanMode::kSettled);
}

TEST_F(ScanTimingTest, ALookThatIsAskedForDuringAnotherFollowsIt) {
  ASSERT_TRUE(timing.Begin(ScanMode::kHinted, now));
  EXPECT_FALSE(timing.Begin(ScanMode::kSettled, now));
  next = timing.End(true, false, now);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->at, now + milliseconds(200));
  EXPECT_EQ(next->how, ScanMode::kSettled);
}

TEST_F(ScanTimingTest, ALookThatIsAskedForIsNotLostToAHint) {
  ASSERT_TRUE(timing.Begin(ScanMode::kHinted, now));
  EXPECT_FALSE(timing.Begin(ScanMode::kSettled, now));
  const MonoTime at = timing.Hinted(now);
  EXPECT_FALSE(timing.End(true, false, now));
  EXPECT_EQ(timing.Begin(ScanMode::kHinted, at), ScanMode::kSettled);
}

TEST_F(ScanTimingTest, WhatCannotBeActedOnIsLookedAtAgainSoon) {
  ASSERT_TRUE(timing.Begin(ScanMode::kFull, now));
  next = timing.End(false, true, now);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->at, now + milliseconds(200));
  EXPECT_EQ(next->how, ScanMode::kFull);
}

}  // namespace
}  // namespace bindery::controller
