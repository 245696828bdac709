// Conversions between types, and base64.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalConversions, ToInt) {
  Check({
      {"int(7u)", "7"},
      {"int(-1.9)", "-1"},
      {"int('-12')", "-12"},
      {"int('+12')", "12"},
      {"int(timestamp('1970-01-01T00:01:00.9Z'))", "60"},
      {"int(9223372036854775808u)", "error: range error: 9223372036854775808u is no int"},
      {"int(9223372036854775808.0)", "error: range error"},
      {"int(-9223372036854775808.0)", "error: range error"},
      {"int(0.0 / 0.0)", "error: range error"},
      {"int('')", "error: type conversion error"},
      {"int('1.0')", "error: type conversion error: \"1.0\" is no int"},
      {"int(' 1')", "error: type conversion error"},
      {"int('+-1')", "error: type conversion error"},
      {"int('9223372036854775808')", "error: type conversion error"},
      {"int(true)", "error: no such overload: int(bool)"},
  });
}

TEST(EvalConversions, ToUint) {
  Check({
      {"uint(7)", "7u"},
      {"uint(7.9)", "7u"},
      {"uint('18446744073709551615')", "18446744073709551615u"},
      {"uint(-1)", "error: range error: -1 is no uint"},
      {"uint(-0.1)", "error: range error"},
      {"uint(18446744073709551616.0)", "error: range error"},
      {"uint('-1')", "error: type conversion error"},
  });
}

TEST(EvalConversions, ToDouble) {
  Check({
      {"double(7)", "7.0"},
      {"double(7u)", "7.0"},
      {"double('1e3')", "1000.0"},
      {"double('-Infinity')", "double(\"-Infinity\")"},
      {"double('NaN')", "double(\"NaN\")"},
      {"double('nan(1)')", "error: type conversion error"},
      {"double('1e999')", "error: type conversion error"},
      {"double('0x10')", "error: type conversion error"},
      {"double('1,5')", "error: type conversion error"},
  });
}

TEST(EvalConversions, ToString) {
  Check({
      {"string(-7)", "\"-7\""},
      {"string(7u)", "\"7\""},
      {"string(true)", "\"true\""},
      {"string(0.1)", "\"0.1\""},
      {"string(100000.0)", "\"100000\""},
      {"string(1000000.0)", "\"1e+06\""},
      {"string(0.00001)", "\"1e-05\""},
      {"string(1.0 / 0.0)", "\"Infinity\""},
      {"string(b'a\\xc3\\xa9')", "\"aé\""},
      {"string(b'\\xff')", "error: invalid UTF-8 in bytes"},
      {"string(timestamp('2026-11-21T10:20:30.120+01:00'))", "\"2026-11-21T09:20:30.12Z\""},
      {"string(duration('1h1.5s'))", "\"3601.5s\""},
      {"string([1])", "error: no such overload: string(list)"},
  });
}

TEST(EvalConversions, ToBoolAndBytes) {
  Check({
      {"bool('T') && bool('1') && bool('True')", "true"},
      {"bool('f') || bool('0') || bool('FALSE')", "false"},
      {"bool('yes')", "error: type conversion error: \"yes\" is no bool"},
      {"bytes('é')", "b\"é\""},
      {"bytes(b'a') == bytes('a')", "true"},
      {"bytes(1)", "error: no such overload: bytes(int)"},
  });
}

}  // namespace
}  // namespace bindery::cel
