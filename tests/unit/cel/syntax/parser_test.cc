#include "cel/syntax/parser.h"

#include <gtest/gtest.h>

#include "unit/cel/trees.h"

namespace bindery::cel {
namespace {

struct Accepted {
  std::string_view source;
  std::string_view shape;
};

TEST(Parse, GivesOperatorsTheirPrecedence) {
  const Accepted kCases[] = {
      {"1 + 2 * 3 - 4", "(_-_ (_+_ 1 (_*_ 2 3)) 4)"},
      {"a % 2 == 0 && !b || c", "(_||_ (_&&_ (_==_ (_%_ a 2) 0) (!_ b)) c)"},
      {"a < b < c", "(_<_ (_<_ a b) c)"},
      {"a in b != c", "(_!=_ (_in_ a b) c)"},
      {"a ? b : c ? d : e", "(_?_:_ a b (_?_:_ c d e))"},
      {"a || b ? c && d : e", "(_?_:_ (_||_ a b) (_&&_ c d) e)"},
      {"a - b - c", "(_-_ (_-_ a b) c)"},
      {"(a - (b - c))", "(_-_ a (_-_ b c))"},
      {"4--4", "(_-_ 4 -4)"},
      {"--4", "(-_ (-_ 4))"},
      {"-(4)", "(-_ 4)"},
      {"-a.b", "(-_ (select b a))"},
      {"-5.f()", "(.f -5)"},
      {"!-5", "(!_ -5)"},
      {"!!a", "(!_ (!_ a))"},
  };
  for (const Accepted& one : kCases) EXPECT_EQ(Shape(*MustParse(one.source)), one.shape);
}

TEST(Parse, MakesARowOfTermsABalancedTree) {
  const Accepted kCases[] = {
      {"a && b && c", "(_&&_ (_&&_ a b) c)"},
      {"a || b || c || d", "(_||_ (_||_ a b) (_||_ c d))"},
      {"a || (b || c)", "(_||_ a (_||_ b c))"},
      {"a || b && c || d", "(_||_ (_||_ a (_&&_ b c)) d)"},
  };
  for (const Accepted& one : kCases) EXPECT_EQ(Shape(*MustParse(one.source)), one.shape);
  EXPECT_NE(MustParse(Row("a", "||", 20'000)), nullptr);
}

TEST(Parse, ReadsMembersCallsAndCollections) {
  const Accepted kCases[] = {
      {".a.b(c, d)[0].e", "(select e (index (.b .a c d) 0))"},
      {"f()", "(f)"},
      {".f(1)", "(.f 1)"},
      {"a.if.for()", "(.for (select if a))"},
      {"a.`b-c.d`", "(select b-c.d a)"},
      {"a.?b[?c]", "(index ? (select b ? a) c)"},
      {"[]", "(list)"},
      {"[,]", "(list)"},
      {"[1, ?a, 2,]", "(list - ? - 1 a 2)"},
      {"{}", "(map)"},
      {"{'a': 1, ?b: c,}", "(map - ? 'a' 1 b c)"},
      {"M{}", "(message M)"},
      {".a.b.M{x: 1, ?`in`: 2,}.y", "(select y (message .a.b.M x: in: - ? 1 2))"},
      {"let.M{var: 1}", "(message let.M var: 1)"},
      {"a // comment\n  + // another\r\n b", "(_+_ a b)"},
      {"\f(\t(a)\n)", "a"},
  };
  for (const Accepted& one : kCases) {
    const ExprPtr tree = MustParse(one.source);
    ASSERT_NE(tree, nullptr) << one.source;
    EXPECT_EQ(Shape(*tree), one.shape) << one.source;
  }
}

TEST(Parse, KnowsMacrosByTheirShape) {
  const Accepted kCases[] = {
      {"has(a.b)", "(macro has (select b a))"},
      {"has(a.b, c)", "(has (select b a) c)"},
      {"a.has(b)", "(.has a b)"},
      {"l.all(x, x > 0)", "(macro all l x (_>_ x 0))"},
      {"l.exists(x, x)", "(macro exists l x x)"},
      {"l.exists_one(x, x)", "(macro exists_one l x x)"},
      {"l.filter(x, x)", "(macro filter l x x)"},
      {"l.map(x, x)", "(macro map l x x)"},
      {"l.map(x, x, 1)", "(macro map l x x 1)"},
      {"l.all(i, v, i < v)", "(.all l i v (_<_ i v))"},
      {"l.map(x)", "(.map l x)"},
      {"all(x, y)", "(all x y)"},
  };
  for (const Accepted& one : kCases) EXPECT_EQ(Shape(*MustParse(one.source)), one.shape);
}

TEST(Parse, NotesWhereEverythingStands) {
  const std::string source = "(a +\n  bb.cc) * f(x)[1]";
  const ExprPtr product = MustParse(source);
  const auto text = [&](const Expr& expr) {
    return source.substr(expr.begin.offset, expr.end - expr.begin.offset);
  };
  EXPECT_EQ(text(*product), source);
  EXPECT_EQ(source[product->at.offset], '*');
  EXPECT_EQ(product->at.line, 2);
  EXPECT_EQ(product->at.column, 10);
  const Expr& sum = *product->args[0];
  EXPECT_EQ(text(sum), "a +\n  bb.cc");
  EXPECT_EQ(text(*sum.args[1]), "bb.cc");
  EXPECT_EQ(sum.args[1]->at.column, 6);
  const Expr& index = *product->args[1];
  EXPECT_EQ(text(index), "f(x)[1]");
  EXPECT_EQ(source[index.at.offset], '[');
}

}  // namespace
}  // namespace bindery::cel
