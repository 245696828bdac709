#include "cel/syntax/printer.h"

#include <gtest/gtest.h>

#include "unit/cel/trees.h"

namespace bindery::cel {
namespace {

struct Printed {
  std::string_view source;
  std::string_view text;
};

TEST(Print, WritesCanonicalText) {
  const Printed kCases[] = {
      {"a+b*c", "a + b * c"},
      {"((a)+((b)))*c", "(a + b) * c"},
      {"a-(b-c)", "a - (b - c)"},
      {"(a-b)-c", "a - b - c"},
      {"(a<b)<c", "a < b < c"},
      {"a<(b<c)", "a < (b < c)"},
      {"a&&(b||c)", "a && (b || c)"},
      {"(a&&b)||c", "a && b || c"},
      {"a||(b||c)", "a || (b || c)"},
      {"(a||b)||c", "a || b || c"},
      {"(a||b)||(c||d)", "a || b || c || d"},
      {"((a||b)||c)||d", "(a || b || c) || d"},
      {"(a?b:c)?d:e", "(a ? b : c) ? d : e"},
      {"a?(b?c:d):(e?f:g)", "a ? (b ? c : d) : e ? f : g"},
      {"!(a&&b)", "!(a && b)"},
      {"!(-a)", "!(-a)"},
      {"! -5", "!-5"},
      {"-(5)", "-(5)"},
      {"-(-5)", "-(-5)"},
      {"- - 5", "--(5)"},
      {"-(-a)", "--a"},
      {"-(5.f)", "-(5.f)"},
      {"(-5).f", "-5.f"},
      {"4 - -4", "4 - -4"},
      {"(a+b).c[d].e(f,g)", "(a + b).c[d].e(f, g)"},
      {"[?a,b,]", "[?a, b]"},
      {"{?'k':v,1u:2}", "{?\"k\": v, 1u: 2}"},
      {".x.y.M{?a:1,`in`:2}", ".x.y.M{?a: 1, `in`: 2}"},
      {"a.`in`.`b`.?`c d`[?e]", "a.`in`.b.?`c d`[?e]"},
      {"l.map(x,x>0,x)", "l.map(x, x > 0, x)"},
      {"has( a . b )", "has(a.b)"},
      {"1.0", "1.0"},
      {"1e100", "1e+100"},
      {"-0.0", "-0.0"},
      {"0x10u", "16u"},
      {"'\\'\"\\x00\\x7f\\n\xC3\xA9'", "\"'\\\"\\x00\\x7f\\n\xC3\xA9\""},
      {"b'\\xff\xC3\xA9\\''", "b\"\\xff\xC3\xA9'\""},
      {"r'''\\\n'''", "\"\\\\\\n\""},
  };
  for (const Printed& one : kCases) {
    const ExprPtr tree = MustParse(one.source);
    ASSERT_NE(tree, nullptr) << one.source;
    EXPECT_EQ(Print(*tree), one.text) << one.source;
  }
}

TEST(Print, GivesTheSameTreeAgain) {
  const std::string_view kSources[] = {
      "request.time < timestamp('2027-06-01T00:00:00Z') && (a || b || c) && !d",
      "a || b && c || (d || e) || f ? g : h ? -i : --j",
      "((a && b) && (c && (d && e))) && f",
      "-9223372036854775808 - -1 * -(1) % -x.y[-2]",
      "{1: [2u, 3.5, b'\\000'], ?'x': null}[true ? 1 : 2].all(v, v in [{}, [], M{f: .g(h)}])",
      "'\\u00e9\\U0001F600' + \"\\a\\\"\\\\`?\" + r'\\d+' + '''\n'''",
      "(a ? b : c).d && (e + f)[g] == (-h).i && (!j ? k : l)",
      "1 < 2 == (3 != (4 in [5]))",
      "m.exists(x, x.y(z).?w.hasValue()) && has(a.`b-c`.d) && .a.b{}.c == 1.0e-7",
  };
  for (const std::string_view source : kSources) {
    const ExprPtr tree = MustParse(source);
    ASSERT_NE(tree, nullptr);
    const std::string text = Print(*tree);
    const ExprPtr again = MustParse(text);
    ASSERT_NE(again, nullptr);
    EXPECT_TRUE(SameTree(*tree, *again)) << text;
    EXPECT_EQ(Print(*again), text);
  }
}

}  // namespace
}  // namespace bindery::cel
