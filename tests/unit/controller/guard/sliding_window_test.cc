#include "controller/guard/sliding_window.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

/// An hour, told the time in minutes.
class Window : public ::testing::Test {
 protected:
  Window() {
    window.SetLength(hours(1));
    At(0);
  }
  void At(int minute) { At(minute, minute); }
  void At(int mono_minute, int wall_minute) {
    window.PassTime({MonoTime(hours(10)) + minutes(mono_minute),
                     WallTime(hours(500'000)) + minutes(wall_minute)});
  }
  void Remove(const std::string& target, std::int64_t count) {
    window.Reserve({target, "p", count});
    window.Sent(target);
    window.Answered(target, true);
  }
  SlidingWindow window;
};

TEST_F(Window, ARemovalCountsForAsLongAsItIsAndNotLonger) {
  Remove("a", 30);
  At(59);
  EXPECT_EQ(window.Total(), 30);
  At(60);
  EXPECT_EQ(window.Total(), 0);
}

TEST_F(Window, ItMovesOnInsteadOfBeginningAnew) {
  for (int minute = 0; minute < 120; minute += 10) {
    At(minute);
    Remove("t" + std::to_string(minute), 10);
    EXPECT_LE(window.Total(), 60);
  }
  EXPECT_EQ(window.Total(), 60);
}

TEST_F(Window, CountsByProviderAndTarget) {
  Remove("a", 3);
  window.Reserve({"b", "q", 4});
  EXPECT_EQ(window.Total(), 7);
  EXPECT_EQ(window.OnProvider("p"), 3);
  EXPECT_EQ(window.OnProvider("q"), 4);
  EXPECT_EQ(window.OnProvider("r"), 0);
  EXPECT_EQ(window.OnTarget("b"), 4);
}

TEST_F(Window, WhatIsRemovedAgainCountsAgain) {
  Remove("a", 3);
  Remove("a", 3);
  EXPECT_EQ(window.OnTarget("a"), 6);
}

TEST_F(Window, WhatWasRefusedOrNeverSentDoesNotCount) {
  window.Reserve({"a", "p", 3});
  window.Reserve({"a", "p", 5});
  EXPECT_EQ(window.Total(), 5) << "the newer plan takes the place of the older one";
  window.Sent("a");
  window.Release("a");
  EXPECT_EQ(window.Total(), 5) << "it was sent";
  window.Answered("a", false);
  EXPECT_EQ(window.Total(), 0);
  window.Reserve({"a", "p", 5});
  window.Release("a");
  EXPECT_EQ(window.Total(), 0);
}

TEST_F(Window, WhatMayHaveHappenedCountsUntilItIsKnown) {
  window.Reserve({"a", "p", 5});
  window.Sent("a");
  At(200);
  EXPECT_EQ(window.Total(), 5) << "however long its outcome is unknown";
  window.Answered("a", true);
  At(259);
  EXPECT_EQ(window.Total(), 5);
  At(260);
  EXPECT_EQ(window.Total(), 0);
}

TEST_F(Window, AnotherAttemptBesideOneWithoutAnOutcomeCountsToo) {
  window.Reserve({"a", "p", 5});
  window.Sent("a");
  window.Reserve({"a", "p", 5});
  window.Sent("a");
  EXPECT_EQ(window.Total(), 10);
}

TEST_F(Window, AClockSetForwardDoesNotShortenIt) {
  Remove("a", 5);
  At(10, 10 + 60 * 24 * 300);
  EXPECT_EQ(window.Total(), 5);
}

TEST_F(Window, ASuspendedMachineDoesNotLengthenItByWallTimeAlone) {
  Remove("a", 5);
  At(61, 30);
  EXPECT_EQ(window.Total(), 5) << "by the wall clock it is half an hour old";
  At(61, 60);
  EXPECT_EQ(window.Total(), 0);
}

TEST_F(Window, AClockSetBackDoesNotMakeItCountForEver) {
  Remove("a", 5);
  At(60, -60 * 24 * 300);
  EXPECT_EQ(window.Total(), 0);
}

TEST_F(Window, OutlivesARestart) {
  const WallTime now(hours(500'000));
  window.Restore({"old", "p", 1}, now - minutes(61), false);
  window.Restore({"young", "p", 2}, now - minutes(40), false);
  window.Restore({"open", "p", 4}, now - minutes(90), true);
  window.Restore({"future", "p", 8}, now + minutes(90), false);
  EXPECT_EQ(window.Total(), 14);
  At(20);
  EXPECT_EQ(window.Total(), 12);
  window.Answered("open", false);
  EXPECT_EQ(window.Total(), 8);
  At(60, 150);
  EXPECT_EQ(window.Total(), 0);
}

TEST(HighestWithin, IsTheMostOfAnyMomentInTheSpan) {
  HighestWithin highest;
  highest.SetLength(hours(1));
  const auto at = [](int minute) { return MonoTime(hours(10)) + minutes(minute); };
  EXPECT_EQ(highest.Value(at(0)), 0);
  highest.Note(138, at(0));
  EXPECT_EQ(highest.Value(at(600)), 138) << "nothing took its place";
  highest.Note(100, at(600));
  highest.Note(90, at(610));
  EXPECT_EQ(highest.Value(at(650)), 138);
  EXPECT_EQ(highest.Value(at(661)), 100);
  EXPECT_EQ(highest.Value(at(671)), 90);
  highest.Note(200, at(680));
  EXPECT_EQ(highest.Value(at(680)), 200);
}

}  // namespace
}  // namespace bindery::controller
