#include "controller/loop/scan_patience.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using ::testing::EndsWith;

MonoTime AtSecond(int second) { return MonoTime(seconds(100 + second)); }

Error Stale() {
  Error error;
  error.code = Code::kAborted;
  error.message = "stale file handle";
  return error;
}

TEST(ScanPatience, AScanThatEndsInTimeIsNoFailure) {
  ScanPatience patience;
  EXPECT_FALSE(patience.Overdue(AtSecond(0)));
  patience.Began(AtSecond(0));
  EXPECT_FALSE(patience.Overdue(AtSecond(29)));
  patience.Ended(true, nullptr);
  EXPECT_FALSE(patience.Overdue(AtSecond(1000)));
}

TEST(ScanPatience, OneThatHangsIsAFailureUntilItEnds) {
  ScanPatience patience;
  patience.Began(AtSecond(0));
  const auto late = patience.Overdue(AtSecond(30));
  ASSERT_TRUE(late);
  EXPECT_EQ(late->code, Code::kDeadlineExceeded);
  EXPECT_THAT(late->message, EndsWith("its file system does not answer"));
  EXPECT_EQ(patience.Overdue(AtSecond(90))->message, late->message) << "one failure, one text";
  patience.Ended(true, nullptr);
  EXPECT_FALSE(patience.Overdue(AtSecond(91)));
}

TEST(ScanPatience, ScansThatAreNeverUsableAreAFailureThatSaysWhy) {
  ScanPatience patience;
  const Error stale = Stale();
  for (int second = 0; second < 30; ++second) {
    patience.Began(AtSecond(second));
    patience.Ended(false, &stale);
    EXPECT_FALSE(patience.Overdue(AtSecond(second)));
  }
  patience.Began(AtSecond(30));
  patience.Ended(false, &stale);
  EXPECT_THAT(patience.Overdue(AtSecond(30))->message, EndsWith("stale file handle"));
  patience.Began(AtSecond(31));
  patience.Ended(false, nullptr);
  EXPECT_THAT(patience.Overdue(AtSecond(31))->message, EndsWith("it changes all the time"));
  patience.Began(AtSecond(32));
  patience.Ended(true, nullptr);
  patience.Began(AtSecond(100));
  EXPECT_FALSE(patience.Overdue(AtSecond(129))) << "counted from the last result";
}

}  // namespace
}  // namespace bindery::controller
