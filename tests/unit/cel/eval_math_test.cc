// The math extension.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalMath, Extremes) {
  Check({
      {"math.greatest(1, 2.5, 2u)", "2.5"},
      {"math.greatest([3, 1])", "3"},
      {"math.greatest(1, 1.0)", "1"},
      {"math.least(1, -2.5, 2u)", "-2.5"},
      {"math.least(7)", "7"},
      {"math.least([])", "error: invalid argument"},
      {"math.least()", "error: invalid argument"},
      {"math.greatest(1, 'a')", "error: no such overload: math.greatest(int, string)"},
  });
}

TEST(EvalMath, Rounding) {
  Check({
      {"math.ceil(1.2)", "2.0"},
      {"math.floor(-1.2)", "-2.0"},
      {"math.round(2.5)", "3.0"},
      {"math.round(-2.5)", "-3.0"},
      {"math.trunc(-2.9)", "-2.0"},
      {"math.ceil(1)", "error: no such overload: math.ceil(int)"},
      {"math.sqrt(9)", "3.0"},
      {"math.isNaN(math.sqrt(-1.0))", "true"},
  });
}

TEST(EvalMath, SignsAndKinds) {
  Check({
      {"math.abs(-7)", "7"},
      {"math.abs(-7.5)", "7.5"},
      {"math.abs(-9223372036854775808)", "error: return error for overflow"},
      {"math.sign(-7)", "-1"},
      {"math.sign(7u)", "1u"},
      {"math.sign(0.0)", "0.0"},
      {"math.isInf(1.0 / 0.0) && !math.isFinite(1.0 / 0.0)", "true"},
      {"math.isNaN(1)", "error: no such overload: math.isNaN(int)"},
  });
}

TEST(EvalMath, Bits) {
  Check({
      {"math.bitAnd(6, 3)", "2"},
      {"math.bitOr(6u, 3u)", "7u"},
      {"math.bitXor(-1, 1)", "-2"},
      {"math.bitNot(0u)", "18446744073709551615u"},
      {"math.bitShiftLeft(1, 63)", "-9223372036854775808"},
      {"math.bitShiftLeft(1u, 64)", "0u"},
      {"math.bitShiftRight(-1, 63)", "1"},
      {"math.bitShiftRight(8u, 2)", "2u"},
      {"math.bitShiftRight(8, -1)", "error: invalid argument: negative offset"},
      {"math.bitAnd(1, 1u)", "error: no such overload: math.bitAnd(int, uint)"},
  });
}

}  // namespace
}  // namespace bindery::cel
