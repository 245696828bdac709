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

TEST(EvalStrings, PositionsCountCodePoints) {
  Check({
      {"'aéb'.charAt(1)", "\"é\""},
      {"'ab'.charAt(2)", "\"\""},
      {"'ab'.charAt(3)", "error: index out of range: 3"},
      {"'aéb'.indexOf('b')", "2"},
      {"'aba'.indexOf('a', 1)", "2"},
      {"'aba'.indexOf('')", "0"},
      {"'aba'.indexOf('x')", "-1"},
      {"'aba'.indexOf('a', -1)", "error: index out of range: -1"},
      {"'aba'.lastIndexOf('a')", "2"},
      {"'aba'.lastIndexOf('a', 1)", "0"},
      {"'aba'.lastIndexOf('')", "3"},
      {"'aba'.lastIndexOf('x')", "-1"},
      {"'aba'.lastIndexOf('a', 4)", "error: index out of range: 4"},
      {"'aéb'.substring(1)", "\"éb\""},
      {"'aéb'.substring(1, 2)", "\"é\""},
      {"'aéb'.substring(2, 1)", "error: invalid substring range. start: 2, end: 1"},
      {"'aéb'.substring(0, 4)", "error: index out of range: 4"},
  });
}

TEST(EvalStrings, Changing) {
  Check({
      {"'AbÉ'.lowerAscii() + 'aBé'.upperAscii()", "\"abÉABé\""},
      {"' \\t\\u00a0a b\\n'.trim()", "\"a b\""},
      {"'  '.trim()", "\"\""},
      {"'aéb'.reverse()", "\"béa\""},
      {"'a-b-c'.replace('-', '+')", "\"a+b+c\""},
      {"'a-b-c'.replace('-', '+', 1)", "\"a+b-c\""},
      {"'a-b-c'.replace('-', '+', 0)", "\"a-b-c\""},
      {"'aé'.replace('', '.')", "\".a.é.\""},
      {"strings.quote('a\"\\n\\\\')", R"("\"a\\\"\\n\\\\\"")"},
  });
}

TEST(EvalStrings, SplittingAndJoining) {
  Check({
      {"'a,b,,c'.split(',')", "[\"a\", \"b\", \"\", \"c\"]"},
      {"'a,b,c'.split(',', 2)", "[\"a\", \"b,c\"]"},
      {"'a,b'.split(',', 0)", "[]"},
      {"'a,b'.split(',', 1)", "[\"a,b\"]"},
      {"'aé'.split('')", "[\"a\", \"é\"]"},
      {"''.split(',')", "[\"\"]"},
      {"['a', 'b'].join()", "\"ab\""},
      {"['a', 'b'].join(', ')", "\"a, b\""},
      {"[].join('-')", "\"\""},
      {"['a', 1].join()", "error: no such overload: join(list)"},
  });
}

}  // namespace
}  // namespace bindery::cel
