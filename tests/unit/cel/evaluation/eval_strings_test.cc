// String functions of the standard and of the extension.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalStrings, Searching) {
  Check({
      {"'banana'.contains('nan')", "true"},
      {"'banana'.contains('')", "true"},
      {"'banana'.contains('Nan')", "false"},
      {"'banana'.startsWith('ban') && 'banana'.endsWith('ana')", "true"},
      {"'a'.startsWith('aa')", "false"},
      {"'a'.contains(1)", "error: no such overload: contains(string, int)"},
  });
}

TEST(EvalStrings, RegularExpressions) {
  Check({
      {"'projects/p-1'.matches('p-[0-9]+$')", "true"},
      {"'projects/p-1'.matches('^p-')", "false"},
      {"matches('añb', '^a.b$')", "true"},
      {"''.matches('')", "true"},
      {"'a'.matches('(')", "error: invalid regular expression"},
      {"'a'.matches('a{1001}')", "error: invalid regular expression"},
      {"'a'.matches('(?=a)')", "error: invalid regular expression"},
  });
}

}  // namespace
}  // namespace bindery::cel
