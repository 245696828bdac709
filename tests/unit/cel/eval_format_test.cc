// "…".format([…])

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalFormat, Strings) {
  Check({
      {"'%s and %s, 100%%'.format(['a', 1])", "\"a and 1, 100%\""},
      {"'%s'.format([[1, 'a', null, 2.5, {'k': true}]])", "\"[1, a, null, 2.5, {k: true}]\""},
      {"'%s'.format([{'b': 1, 'a': 2u}])", "\"{a: 2, b: 1}\""},
      {"'%s %s'.format([timestamp(0), duration('1.5s')])", "\"1970-01-01T00:00:00Z 1.5s\""},
      {"'%s'.format([1e6])", "\"1000000\""},
      {"'%s'.format([int])", "\"int\""},
      {"'%s'.format([optional.none()])", "error: error during formatting: string clause"},
  });
}

TEST(EvalFormat, Numbers) {
  Check({
      {"'%d %d'.format([-5, 7u])", "\"-5 7\""},
      {"'%b %b %b'.format([5, -5, true])", "\"101 -101 1\""},
      {"'%o'.format([64])", "\"100\""},
      {"'%x %X %x'.format([-255, 255u, 'Az'])", "\"-ff FF 417a\""},
      {"'%X'.format([b'\\xab'])", "\"AB\""},
      {"'%d'.format([-9223372036854775808])", "\"-9223372036854775808\""},
      {"'%f %.2f %.0f'.format([1.5, 2.345, 0.5])", "\"1.500000 2.35 0\""},
      {"'%e %.1e'.format([1234.5, 1234.5])", "\"1.234500e+03 1.2e+03\""},
      {"'%f'.format([2])", "\"2.000000\""},
      {"'%f %d'.format([0.0 / 0.0, -1.0 / 0.0])", "\"NaN -Infinity\""},
  });
}

TEST(EvalFormat, Mistakes) {
  Check({
      {"'%s'.format([])", "error: index 0 out of range"},
      {"'%y'.format([1])",
       "error: could not parse formatting clause: unrecognized formatting clause \"y\""},
      {"'%'.format([1])", "error: could not parse formatting clause"},
      {"'%.f'.format([1.0])", "error: could not parse formatting clause"},
      {"'%.9999f'.format([1.0])", "error: could not parse formatting clause"},
      {"'%d'.format(['a'])",
       "error: error during formatting: decimal clause can only be used on integers, was given "
       "string"},
      {"'%d'.format([1.5])", "error: error during formatting"},
      {"'%s'.format([b'\\xff'])", "error: error during formatting: invalid UTF-8 in bytes"},
      {"'%f'.format(['a'])", "error: error during formatting: fixed-point clause"},
      {"'%b'.format([null])", "error: error during formatting: only integers and bools"},
      {"'%x'.format([1.5])", "error: error during formatting: only integers, byte buffers"},
  });
}

}  // namespace
}  // namespace bindery::cel
