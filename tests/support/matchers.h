#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/expected.h"

namespace bindery::testing {

/// EXPECT_THAT(result, IsOk()): prints the error when it is one.
MATCHER(IsOk, "is a value") {
  if (arg.has_value()) return true;
  *result_listener << "error " << ToString(arg.error());
  return false;
}

/// EXPECT_THAT(result, FailsWith(Code::kNotFound, HasSubstr("…")))
MATCHER_P2(FailsWith, code, message, "fails with the code and message") {
  if (arg.has_value()) {
    *result_listener << "a value";
    return false;
  }
  *result_listener << "error " << ToString(arg.error());
  return arg.error().code == code &&
         ::testing::ExplainMatchResult(message, arg.error().message, result_listener);
}

}  // namespace bindery::testing
