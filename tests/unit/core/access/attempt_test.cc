// Where exceptions end.

#include "core/access/attempt.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace bindery {
namespace {

Error AsError(const std::exception& failure) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = std::string("read: ") + failure.what();
  return error;
}

TEST(Attempt, AResultIsGivenAsAnExpected) {
  const Expected<int> number = AttemptWith(AsError, [] { return 7; });
  EXPECT_EQ(number.value(), 7);
  const Expected<void> nothing = AttemptWith(AsError, [] {});
  EXPECT_TRUE(nothing.has_value());
}

TEST(Attempt, AnExpectedIsNotWrappedAgain) {
  const Expected<int> failed =
      AttemptWith(AsError, []() -> Expected<int> { return Fail(Code::kNotFound, "no row"); });
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().message, "no row");
}

TEST(Attempt, WhatIsThrownBecomesAnError) {
  const Expected<void> failed =
      AttemptWith(AsError, [] { throw std::runtime_error("database is locked"); });
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, Code::kUnavailable);
  EXPECT_EQ(failed.error().message, "read: database is locked");
}

}  // namespace
}  // namespace bindery
