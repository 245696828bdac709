#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cel/syntax/excerpt.h"
#include "cel/syntax/parser.h"
#include "core/base/error.h"
#include "unit/cel/trees.h"

namespace bindery::cel {
namespace {

struct Refused {
  std::string source;
  std::vector<std::string> messages;  ///< "line:column: message"
};

std::vector<std::string> ErrorsOf(std::string_view source, const Limits& limits = {}) {
  std::vector<std::string> messages;
  for (const SyntaxError& error : ParseAll(source, limits).errors) {
    messages.push_back(std::to_string(error.at.line) + ":" + std::to_string(error.at.column) +
                       ": " + error.message);
  }
  return messages;
}

TEST(Parse, SaysWhatIsWrongWhere) {
  const Refused kCases[] = {
      {"", {"1:1: Syntax error: mismatched input '<EOF>' expecting an expression"}},
      {"// only\n", {"2:1: Syntax error: mismatched input '<EOF>' expecting an expression"}},
      {"1 + +", {"1:5: Syntax error: mismatched input '+' expecting an expression"}},
      {"1 + 2\n3 +", {"2:1: Syntax error: extraneous input '3' expecting <EOF>"}},
      {"(a", {"1:3: Syntax error: mismatched input '<EOF>' expecting ')'"}},
      {"(a]", {"1:3: Syntax error: mismatched input ']' expecting ')'"}},
      {"a)", {"1:2: Syntax error: extraneous input ')' expecting <EOF>"}},
      {"a &&\n && b", {"2:2: Syntax error: mismatched input '&&' expecting an expression"}},
      {"a ? b", {"1:6: Syntax error: mismatched input '<EOF>' expecting ':'"}},
      {"a ? b ? c : d : e", {"1:7: Syntax error: mismatched input '?' expecting ':'"}},
      {"f(a,)", {"1:5: Syntax error: mismatched input ')' expecting an expression"}},
      {"[1 2]", {"1:4: Syntax error: mismatched input '2' expecting ',' or ']'"}},
      {"[1,,2]", {"1:4: Syntax error: mismatched input ',' expecting an expression"}},
      {"{a}", {"1:3: Syntax error: mismatched input '}' expecting ':'"}},
      {"M{1: 2}", {"1:3: Syntax error: mismatched input '1' expecting a field name or '}'"}},
      {"f(){}", {"1:4: Syntax error: extraneous input '{' expecting <EOF>"}},
      {"(a.b){}", {"1:6: Syntax error: extraneous input '{' expecting <EOF>"}},
      {"a.true", {"1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"}},
      {"a.in", {"1:3: Syntax error: mismatched input 'in' expecting IDENTIFIER"}},
      {"`a`", {"1:1: Syntax error: mismatched input '`a`' expecting an expression"}},
      {"a.`b`()", {"1:6: Syntax error: extraneous input '(' expecting <EOF>"}},
      {"!--a", {"1:2: Syntax error: mismatched input '-' expecting an expression"}},
      {"for", {"1:1: reserved identifier: for"}},
      {"while(1)", {"1:1: reserved identifier: while"}},
      {"has(a)", {"1:5: invalid argument to has() macro: it takes a field, such as has(a.b)"}},
      {"has(a.?b)", {"1:5: invalid argument to has() macro: it takes a field, such as has(a.b)"}},
      {"[].all(1, a)", {"1:8: argument must be a simple name: the variable of all()"}},
      {"[].map(.x, a)", {"1:8: argument must be a simple name: the variable of map()"}},
      {"let + 99999999999999999999 + has(a) +",
       {"1:1: reserved identifier: let", "1:7: invalid int literal: out of range",
        "1:34: invalid argument to has() macro: it takes a field, such as has(a.b)",
        "1:38: Syntax error: mismatched input '<EOF>' expecting an expression"}},
  };
  for (const Refused& one : kCases) {
    EXPECT_THAT(ErrorsOf(one.source), ::testing::ElementsAreArray(one.messages)) << one.source;
  }
}

TEST(Parse, RefusesEveryReservedWordAsAName) {
  for (const char* word :
       {"as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
        "loop", "package", "namespace", "return", "var", "void", "while"}) {
    EXPECT_THAT(ErrorsOf(word),
                ::testing::ElementsAre(std::string("1:1: reserved identifier: ") + word));
    EXPECT_THAT(ErrorsOf("a." + std::string(word) + "()"), ::testing::IsEmpty());
  }
}

TEST(Parse, BoundsDepth) {
  constexpr std::string_view kTooDeep = "expression recursion limit exceeded: 250";
  const std::string kWithin[] = {std::string(249, '(') + "a" + std::string(249, ')'),
                                 Row("a", "+", 250),
                                 "a" + Row(".b", "", 249),
                                 std::string(249, '!') + "a",
                                 std::string(249, '[') + std::string(249, ']'),
                                 Row("a?b:", "", 249) + "c"};
  for (const std::string& source : kWithin) {
    EXPECT_THAT(ErrorsOf(source), ::testing::IsEmpty()) << source.substr(0, 20);
  }
  const std::string kBeyond[] = {std::string(60'000, '('),       std::string(60'000, '['),
                                 std::string(60'000, '!') + "a", std::string(60'000, '-') + "a",
                                 Row("a", "+", 10'000),          "a" + Row(".b", "", 10'000),
                                 Row("a?b:", "", 10'000) + "c",  Row("f(", "", 10'000),
                                 Row("a[", "", 10'000),          Row("{a:", "", 10'000)};
  for (const std::string& source : kBeyond) {
    const std::vector<std::string> errors = ErrorsOf(source);
    ASSERT_FALSE(errors.empty()) << source.substr(0, 20);
    EXPECT_THAT(errors.back(), ::testing::HasSubstr(std::string(kTooDeep))) << source.substr(0, 20);
  }
}

TEST(Parse, BoundsSizeInCodePoints) {
  Limits limits;
  limits.max_code_points = 6;
  EXPECT_THAT(ErrorsOf("'\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9'", limits), ::testing::IsEmpty());
  EXPECT_THAT(ErrorsOf("'123456'", limits),
              ::testing::ElementsAre("1:1: expression code point size exceeds limit: limit 6"));
}

TEST(Parse, GivesOneErrorWithTheTextOfAll) {
  const Expected<ExprPtr> parsed = Parse("a = b\n\t&& \xC3\xA9");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, Code::kInvalidArgument);
  EXPECT_EQ(parsed.error().message,
            "ERROR: <input>:1:3: Syntax error: token recognition error at: '= '\n"
            " | a = b\n"
            " | ..^\n"
            "ERROR: <input>:2:5: Syntax error: token recognition error at: '\xC3\xA9'\n"
            " | \t&& \xC3\xA9\n"
            " | \t...^");
  EXPECT_TRUE(Parse("a"));
}

TEST(Excerpt, CutsLongLinesAroundThePlace) {
  const std::string source = std::string(300, 'a') + " @";
  const std::string excerpt = Excerpt(source, {301, 1, 302});
  EXPECT_EQ(excerpt, " | " + std::string(99, 'a') + " @\n | " + std::string(100, '.') + "^");
  EXPECT_LT(Excerpt(source, {0, 1, 1}).size(), 180U);
  EXPECT_EQ(Excerpt("", {}), " | \n | ^");
}

}  // namespace
}  // namespace bindery::cel
