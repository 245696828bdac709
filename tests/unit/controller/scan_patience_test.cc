#include "controller/scan_patience.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery {
namespace {

using std::chrono::seconds;
using ::testing::EndsWith;

MonoTime At(int second) { return MonoTime(seconds(100 + second)); }

Error Stale() {
  Error error;
  error.code = Code::kAborted;
  error.message = "stale file handle";
  return error;
}

TEST(ScanPatience, AScanThatEndsInTimeIsNoFailure) {
  ScanPatience patience;
  EXPECT_FALSE(patience.Overdue(At(0)));
  patience.Began(At(0));
  EXPECT_FALSE(patience.Overdue(At(29)));
  patience.Ended(true, nullptr);
  EXPECT_FALSE(patience.Overdue(At(1000)));
}

TEST(ScanPatience, OneThatHangsIsAFailureUntilItEnds) {
  ScanPatience patience;
  patience.Began(At(0));
  const auto late = patience.Overdue(At(30));
  ASSERT_TRUE(late);
  EXPECT_EQ(late->code, Code::kDeadlineExceeded);
  EXPECT_THAT(late->message, EndsWith("its file system does not answer"));
  EXPECT_EQ(patience.Overdue(At(90))->message, late->message) << "one failure, one text";
  patience.Ended(true, nullptr);
  EXPECT_FALSE(patience.Overdue(At(91)));
}

TEST(ScanPatience, ScansThatAreNeverUsableAreAFailureThatSaysWhy) {
  ScanPatience patience;
  const Error stale = Stale();
  for (int second = 0; second < 30; ++second) {
    patience.Began(At(second));
    patience.Ended(false, &stale);
    EXPECT_FALSE(patience.Overdue(At(second)));
  }
  patience.Began(At(30));
  patience.Ended(false, &stale);
  EXPECT_THAT(patience.Overdue(At(30))->message, EndsWith("stale file handle"));
  patience.Began(At(31));
  patience.Ended(false, nullptr);
  EXPECT_THAT(patience.Overdue(At(31))->message, EndsWith("it changes all the time"));
  patience.Began(At(32));
  patience.Ended(true, nullptr);
  patience.Began(At(100));
  EXPECT_FALSE(patience.Overdue(At(129))) << "counted from the last result";
}

}  // namespace
}  // namespace bindery
