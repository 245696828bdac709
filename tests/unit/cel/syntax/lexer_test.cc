#include "cel/syntax/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/cel/trees.h"

namespace bindery::cel {
namespace {

using namespace std::string_literals;

struct Literal {
  std::string_view source;
  Constant value;
};

TEST(Literals, HaveTheValuesThatTheirFormsGive) {
  const Literal kLiterals[] = {
      {"null", nullptr},
      {"true", true},
      {"0x7F", std::int64_t{127}},
      {"-0x10", std::int64_t{-16}},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"- 5", std::int64_t{-5}},
      {"18446744073709551615u", std::numeric_limits<std::uint64_t>::max()},
      {"0xFFU", std::uint64_t{255}},
      {"1.5", 1.5},
      {".25e2", 25.0},
      {"1e3", 1000.0},
      {"-2.5E-1", -0.25},
      {"1e-9999", 0.0},
      {"\"\"", ""s},
      {"'it'", "it"s},
      {R"("a\"b")", "a\"b"s},
      {R"('\a\b\f\n\r\t\v\\\?\`\'')", "\a\b\f\n\r\t\v\\?`'"s},
      {R"("\x41\X42\103\u00e9\U0001F600")", "ABC\xC3\xA9\xF0\x9F\x98\x80"s},
      {R"("\377")", "\xC3\xBF"s},
      {R"(r"\n")", "\\n"s},
      {R"(R'\')", "\\"s},
      {"'''a\nb'c\"'''", "a\nb'c\""s},
      {"\"\"\"\r\n\"\"\"", "\r\n"s},
      {R"(r"""\""")", "\\"s},
      {R"(b"\377\xfe")", Bytes{"\xFF\xFE"}},
      {"B'\xC3\xBF'", Bytes{"\xC3\xBF"}},
      {R"(br"\x")", Bytes{"\\x"}},
      {R"(bR'''\''')", Bytes{"\\"}},
  };
  for (const Literal& literal : kLiterals) {
    const ExprPtr tree = MustParse(literal.source);
    ASSERT_NE(tree, nullptr) << literal.source;
    EXPECT_EQ(tree->kind, ExprKind::kConstant) << literal.source;
    EXPECT_EQ(tree->value, literal.value) << literal.source;
    EXPECT_EQ(tree->end, literal.source.size()) << literal.source;
  }
}

struct BadLiteral {
  std::string source;
  std::string_view message;  ///< "line:column: message"
};

std::string FirstError(std::string_view source) {
  const ParseResult result = ParseAll(source);
  if (result.errors.empty()) return "accepted";
  const SyntaxError& error = result.errors.front();
  return std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + ": " +
         error.message;
}

TEST(Literals, AreRefusedWithTheirPlace) {
  const BadLiteral kBad[] = {
      {"9223372036854775808", "1:1: invalid int literal: out of range"},
      {"-9223372036854775809", "1:1: invalid int literal: out of range"},
      {"1 + 0x1FFFFFFFFFFFFFFFF", "1:5: invalid int literal: out of range"},
      {"18446744073709551616u", "1:1: invalid uint literal: out of range"},
      {"1e400", "1:1: invalid double literal: out of range"},
      {"a + \"b", "1:5: Syntax error: token recognition error at: '\"b': the string has no end"},
      {"'a\nb'", "1:1: Syntax error: token recognition error at: ''a': the string has no end"},
      {R"("a\qb")", R"(1:3: Syntax error: unknown escape sequence at: '\q')"},
      {R"("\x4")", R"(1:2: Syntax error: '\x' takes two hexadecimal digits at: '\x')"},
      {R"("\477")", R"(1:2: Syntax error: unknown escape sequence at: '\4')"},
      {R"("\18")", R"(1:2: Syntax error: an octal escape takes three digits at: '\1')"},
      {R"("\ud800")", R"(1:2: Syntax error: invalid unicode code point at: '\u')"},
      {R"("\U00110000")", R"(1:2: Syntax error: invalid unicode code point at: '\U')"},
      {R"(b"\u0041")", R"(1:3: Syntax error: bytes take no '\u' or '\U' at: '\u')"},
      {"rb'a'", "1:3: Syntax error: extraneous input ''a'' expecting <EOF>"},
      {"a \xFF", "1:3: Syntax error: the expression is not UTF-8"},
      {"\xC3\xA9 == 1", "1:1: Syntax error: token recognition error at: '\xC3\xA9'"},
      {"a.`b$`", "1:3: Syntax error: token recognition error at: '`b$'"},
  };
  for (const BadLiteral& bad : kBad) EXPECT_EQ(FirstError(bad.source), bad.message) << bad.source;
}

TEST(Tokenize, ReportsAllThatIsNoToken) {
  const Tokens read = Tokenize("a = b & c # d", 100);
  std::vector<std::string> messages;
  for (const SyntaxError& error : read.errors) messages.push_back(error.message);
  EXPECT_THAT(messages, ::testing::ElementsAre("Syntax error: token recognition error at: '= '",
                                               "Syntax error: token recognition error at: '& '",
                                               "Syntax error: token recognition error at: '#'"));
}

TEST(Tokenize, GivesUpAfterTenErrors) {
  EXPECT_EQ(Tokenize(std::string(1000, '#'), 10'000).errors.size(), 10U);
}

TEST(Tokenize, CountsColumnsInCodePoints) {
  const Tokens read = Tokenize("'\xC3\xA9' // \xC3\xA9\n\t+ x", 100);
  ASSERT_EQ(read.tokens.size(), 4U);
  EXPECT_EQ(read.tokens[1].at.line, 2);
  EXPECT_EQ(read.tokens[1].at.column, 2);
  EXPECT_EQ(read.tokens[2].at.column, 4);
}

}  // namespace
}  // namespace bindery::cel
