#include "controller/work/work_time.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using namespace std::chrono_literals;

const MonoTime kStarted{100h};

TEST(WorkTime, LeavesOutTheWaitForAThread) {
  WorkTime time(kStarted);
  time.Answered(kStarted + 2s);
  time.Comparing(kStarted + 10s);
  EXPECT_EQ(time.UntilAnswer(), 2s);
  EXPECT_EQ(time.Worked(kStarted + 11s), 3s);
  EXPECT_EQ(time.Passed(kStarted + 11s), 11s);
}

TEST(WorkTime, OfSeveralAnswersTheLastOneCounts) {
  WorkTime time(kStarted);
  EXPECT_EQ(time.UntilAnswer(), 0s);
  time.Answered(kStarted + 2s);
  time.Comparing(kStarted + 3s);
  time.Answered(kStarted + 7s);
  time.Comparing(kStarted + 20s);
  EXPECT_EQ(time.Worked(kStarted + 21s), 8s);
}

}  // namespace
}  // namespace bindery::controller
