#include "cel/syntax/parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "cel/syntax/builder.h"
#include "cel/syntax/excerpt.h"
#include "cel/syntax/lexer.h"
#include "cel/syntax/literals.h"
#include "cel/syntax/macros.h"

namespace bindery::cel {
namespace {

bool IsReserved(std::string_view word) {
  constexpr std::array<std::string_view, 17> kWords = {
      "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
      "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// Binary operators, the loosest first; operators of one level group to the left.
using Operators = std::array<std::string_view, 7>;
constexpr std::array<Operators, 3> kLevels = {Operators{"<", "<=", ">=", ">", "==", "!=", "in"},
                                              Operators{"+", "-"}, Operators{"*", "/", "%"}};

std::string NameOfToken(const Token& name) {
  return name.kind == TokenKind::kEscapedIdent ? name.value : std::string(name.text);
}

/// Recursive descent, one function per rule. A function that returns no expression has reported the
/// error, and its callers give up.
class Parser : private Builder {
 public:
  using Builder::Builder;

  ParseResult Run() {
    Part whole = Expression();
    if (whole && Current().kind != TokenKind::kEnd) {
      FailHere("extraneous input " + Shown() + " expecting <EOF>");
    }
    ParseResult result;
    result.errors = TakeErrors();
    if (result.errors.empty()) result.tree = std::move(whole.expr);
    return result;
  }

 private:
  // NOLINTBEGIN(misc-no-recursion): brackets are counted, and so are levels of the tree
  Part Expression() {
    if (!Enter()) return {};
    Part part = Conditional();
    Leave();
    return part;
  }

  Part Conditional() {
    Part condition = Logical("||");
    if (!condition || !Current().Is("?")) return condition;
    const Token& mark = Take();
    Part yes = Logical("||");
    if (!yes || !Expect(":")) return {};
    Part no = Expression();
    if (!no) return {};
    Part node = Start(ExprKind::kCall, mark.at, condition.begin);
    node.expr->name = "_?_:_";
    Adopt(node, std::move(condition));
    Adopt(node, std::move(yes));
    Adopt(node, std::move(no));
    return Finish(std::move(node));
  }

  Part Logical(std::string_view symbol) {
    std::vector<Part> terms;
    std::vector<Position> marks;
    while (true) {
      terms.push_back(symbol == "||" ? Logical("&&") : Binary(0));
      if (!terms.back()) return {};
      if (!Current().Is(symbol)) break;
      marks.push_back(Take().at);
    }
    return Balance(std::span(terms), std::span(marks), "_" + std::string(symbol) + "_");
  }

  /// Terms are many before they are deep: a tree of 10,000 has fourteen levels.
  Part Balance(std::span<Part> terms, std::span<const Position> marks, const std::string& name) {
    if (terms.size() == 1) return std::move(terms.front());
    const std::size_t left = TermsToTheLeft(terms.size());
    Part node = Start(ExprKind::kCall, marks[left - 1], terms.front().begin);
    node.expr->name = name;
    const std::size_t end = terms.back().end;
    Adopt(node, Balance(terms.first(left), marks.first(left - 1), name));
    Adopt(node, Balance(terms.subspan(left), marks.subspan(left), name));
    return Finish(std::move(node), end);
  }

  Part Binary(std::size_t level) {
    if (level == kLevels.size()) return Unary();
    Part left = Binary(level + 1);
    while (left && IsAny(kLevels[level])) {
      const Token& symbol = Take();
      Part right = Binary(level + 1);
      if (!right) return {};
      Part node = Start(ExprKind::kCall, symbol.at, left.begin);
      node.expr->name = "_" + std::string(symbol.text) + "_";
      Adopt(node, std::move(left));
      Adopt(node, std::move(right));
      left = Finish(std::move(node));
    }
    return left;
  }

  Part Unary() {
    std::vector<Token> signs;
    const bool negation = Current().Is("-") && !IsSignedNumberAhead(*this);
    if (negation || Current().Is("!")) {
      const std::string_view symbol = Current().text;
      while (Current().Is(symbol)) signs.push_back(Take());
    }
    Part part = Member();
    for (auto sign = signs.rbegin(); part && sign != signs.rend(); ++sign) {
      Part node = Start(ExprKind::kCall, sign->at, sign->at);
      node.expr->name = std::string(sign->text) + "_";
      Adopt(node, std::move(part));
      part = Finish(std::move(node));
    }
    return part;
  }

  Part Member() {
    Part part = Primary();
    while (part) {
      if (Current().Is(".")) {
        part = Selection(std::move(part));
      } else if (Current().Is("[")) {
        part = Index(std::move(part));
      } else {
        break;
      }
    }
    return part;
  }

  Part Selection(Part target) {
    Take();
    const bool optional = TakeIf("?");
    const Token name = Current();
    if (name.kind != TokenKind::kIdent && name.kind != TokenKind::kEscapedIdent) {
      return FailHere("mismatched input " + Shown() + " expecting IDENTIFIER");
    }
    Take();
    if (!optional && name.kind == TokenKind::kIdent && Current().Is("(")) {
      return MemberCall(std::move(target), name);
    }
    Part node = Start(ExprKind::kSelect, name.at, target.begin);
    node.expr->name = NameOfToken(name);
    if (optional) node.expr->optional = {true};
    Adopt(node, std::move(target));
    return Finish(std::move(node));
  }

  Part MemberCall(Part target, const Token& name) {
    Part node = Start(ExprKind::kMember, name.at, target.begin);
    node.expr->name = name.text;
    Adopt(node, std::move(target));
    if (!Arguments(node)) return {};
    return Finish(std::move(node));
  }

  Part Index(Part target) {
    Part node = Start(ExprKind::kIndex, Take().at, target.begin);
    if (TakeIf("?")) node.expr->optional = {true};
    Adopt(node, std::move(target));
    Part index = Expression();
    if (!index || !Expect("]")) return {};
    Adopt(node, std::move(index));
    return Finish(std::move(node));
  }

  Part Primary() {
    const Token& first = Current();
    switch (first.kind) {
      case TokenKind::kInt:
      case TokenKind::kUint:
      case TokenKind::kDouble:
        return ReadNumber(*this, /*negative=*/false);
      case TokenKind::kString:
      case TokenKind::kBytes:
        return ReadText(*this);
      case TokenKind::kIdent:
        return Named();
      case TokenKind::kSymbol:
        return PrimaryOfSymbol(first);
      default:
        return FailHere("mismatched input " + Shown() + " expecting an expression");
    }
  }

  Part PrimaryOfSymbol(const Token& first) {
    if (first.Is("(")) return Bracketed();
    if (first.Is("[")) return List();
    if (first.Is("{")) return Map();
    if (first.Is(".") && Ahead(1).kind == TokenKind::kIdent) return Named();
    if (IsSignedNumberAhead(*this)) return ReadNumber(*this, /*negative=*/true);
    if (first.Is("true") || first.Is("false")) return ReadConstant(*this, first.Is("true"));
    if (first.Is("null")) return ReadConstant(*this, nullptr);
    return FailHere("mismatched input " + Shown() + " expecting an expression");
  }

  Part Bracketed() {
    const Position begin = Take().at;
    Part part = Expression();
    if (!part || !Expect(")")) return {};
    part.begin = begin;
    part.end = EndOfLast();
    return part;
  }

  /// A name, a call of a function, or a message.
  Part Named() {
    const Position begin = Current().at;
    if (IsMessageAhead()) return Message();
    const bool rooted = TakeIf(".");
    const Token& word = Take();
    if (IsReserved(word.text)) Report(word.at, "reserved identifier: " + std::string(word.text));
    const bool call = Current().Is("(");
    Part node = Start(call ? ExprKind::kCall : ExprKind::kIdent, begin, begin);
    node.expr->name = (rooted ? "." : "") + std::string(word.text);
    if (call && !Arguments(node)) return {};
    return Finish(std::move(node));
  }

  /// Whether names joined by dots are followed by a '{'.
  [[nodiscard]] bool IsMessageAhead() const {
    std::size_t at = Current().Is(".") ? 1 : 0;
    while (Ahead(at).kind == TokenKind::kIdent && Ahead(at + 1).Is(".")) at += 2;
    return Ahead(at).kind == TokenKind::kIdent && Ahead(at + 1).Is("{");
  }

  Part Message() {
    Part node = Start(ExprKind::kMessage, Current().at, Current().at);
    while (!Current().Is("{")) node.expr->name += Take().text;
    Take();
    while (!Current().Is("}") && !Current().Is(",")) {
      const bool optional = TakeIf("?");
      const Token name = Current();
      if (name.kind != TokenKind::kIdent && name.kind != TokenKind::kEscapedIdent) {
        return FailHere("mismatched input " + Shown() + " expecting a field name or '}'");
      }
      Take();
      if (!Expect(":")) return {};
      Part value = Expression();
      if (!value) return {};
      node.expr->fields.push_back(NameOfToken(name));
      MarkOptional(*node.expr, node.expr->args.size(), optional);
      Adopt(node, std::move(value));
      if (!NextEntry("}")) return {};
    }
    return Close(std::move(node), "}");
  }

  Part List() {
    Part node = Start(ExprKind::kList, Current().at, Current().at);
    Take();
    while (!Current().Is("]") && !Current().Is(",")) {
      MarkOptional(*node.expr, node.expr->args.size(), TakeIf("?"));
      Part item = Expression();
      if (!item) return {};
      Adopt(node, std::move(item));
      if (!NextEntry("]")) return {};
    }
    return Close(std::move(node), "]");
  }

  Part Map() {
    Part node = Start(ExprKind::kMap, Current().at, Current().at);
    Take();
    while (!Current().Is("}") && !Current().Is(",")) {
      MarkOptional(*node.expr, node.expr->args.size() / 2, TakeIf("?"));
      Part key = Expression();
      if (!key || !Expect(":")) return {};
      Part value = Expression();
      if (!value) return {};
      Adopt(node, std::move(key));
      Adopt(node, std::move(value));
      if (!NextEntry("}")) return {};
    }
    return Close(std::move(node), "}");
  }

  /// The arguments of a call, from its '(' on; makes a macro of a matching call.
  bool Arguments(Part& node) {
    Take();
    while (!Current().Is(")")) {
      Part argument = Expression();
      if (!argument) return false;
      Adopt(node, std::move(argument));
      if (Current().Is(")")) break;
      if (!Expect(",")) return false;
      if (Current().Is(")")) return static_cast<bool>(Primary());  // Which reports it.
    }
    Take();
    if (auto error = MarkMacro(*node.expr)) Report(error->at, std::move(error->message));
    return true;
  }
  // NOLINTEND(misc-no-recursion)

  /// After an entry: its comma, or the end ahead.
  bool NextEntry(std::string_view closing) {
    if (Current().Is(closing)) return true;
    if (!Current().Is(",")) {
      FailHere("mismatched input " + Shown() + " expecting ',' or '" + std::string(closing) + "'");
      return false;
    }
    // A comma may come last; the closing bracket is then next for the caller.
    if (Ahead(1).Is(closing)) return true;
    Take();
    if (Current().Is(",")) {
      FailHere("mismatched input ',' expecting an expression");
      return false;
    }
    return true;
  }

  Part Close(Part node, std::string_view closing) {
    TakeIf(",");
    if (!Expect(closing)) return {};
    return Finish(std::move(node));
  }

  [[nodiscard]] bool IsAny(const Operators& symbols) const {
    return Current().kind == TokenKind::kSymbol &&
           std::find(symbols.begin(), symbols.end(), Current().text) != symbols.end();
  }
};

}  // namespace

std::string ParseResult::ErrorTexts(std::string_view source, std::string_view name) const {
  std::string text;
  for (const SyntaxError& error : errors) {
    if (!text.empty()) text += '\n';
    text += ErrorText(source, error.at, error.message, name);
  }
  return text;
}

ParseResult ParseAll(std::string_view source, const Limits& limits) {
  Tokens read = Tokenize(source, limits.max_code_points);
  if (!read.errors.empty()) return {nullptr, std::move(read.errors)};
  return Parser(std::move(read.tokens), limits).Run();
}

Expected<ExprPtr> Parse(std::string_view source, const Limits& limits) {
  ParseResult result = ParseAll(source, limits);
  if (!result.errors.empty()) return Fail(Code::kInvalidArgument, result.ErrorTexts(source));
  return std::move(result.tree);
}

}  // namespace bindery::cel
