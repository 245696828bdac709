#include "cel/syntax/printer.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "cel/syntax/lexer.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/unescape.h"

namespace bindery::cel {
namespace {

/// How tightly a form binds; an operand that binds less than its place asks for is bracketed.
enum Level { kTernary, kOr, kAnd, kRelation, kSum, kProduct, kUnary, kMember };

struct Infix {
  std::string_view name;
  std::string_view symbol;
  Level level;
};
constexpr std::array<Infix, 14> kInfix = {{{"_||_", " || ", kOr},
                                           {"_&&_", " && ", kAnd},
                                           {"_<_", " < ", kRelation},
                                           {"_<=_", " <= ", kRelation},
                                           {"_>=_", " >= ", kRelation},
                                           {"_>_", " > ", kRelation},
                                           {"_==_", " == ", kRelation},
                                           {"_!=_", " != ", kRelation},
                                           {"_in_", " in ", kRelation},
                                           {"_+_", " + ", kSum},
                                           {"_-_", " - ", kSum},
                                           {"_*_", " * ", kProduct},
                                           {"_/_", " / ", kProduct},
                                           {"_%_", " % ", kProduct}}};

const Infix* FindInfix(const Expr& expr) {
  if (expr.kind != ExprKind::kCall) return nullptr;
  for (const Infix& infix : kInfix) {
    if (infix.name == expr.name) return &infix;
  }
  return nullptr;
}

bool IsSign(const Expr& expr) {
  return expr.kind == ExprKind::kCall && (expr.name == "!_" || expr.name == "-_");
}

Level GetLevel(const Expr& expr) {
  if (const Infix* infix = FindInfix(expr)) return infix->level;
  if (IsSign(expr)) return kUnary;
  return expr.kind == ExprKind::kCall && expr.name == "_?_:_" ? kTernary : kMember;
}

std::string Quoted(std::string_view text, bool bytes) {
  constexpr std::string_view kSpecial = "\a\b\f\n\r\t\v\"\\";
  constexpr std::string_view kLetters = "abfnrtv\"\\";
  std::string quoted = bytes ? "b\"" : "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = Utf8Length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t special = kSpecial.find(text[i]);
    if (special != std::string_view::npos) {
      quoted += {'\\', kLetters[special]};
    } else if (length == 0 || byte < 0x20 || byte == 0x7F) {
      std::array<char, 5> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", byte);
      quoted += escape.data();
    } else {
      quoted += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return quoted + '"';
}

std::string DoubleText(double value) {
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), result.ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

struct ConstantText {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value) + "u"; }
  std::string operator()(double value) const { return DoubleText(value); }
  std::string operator()(const std::string& value) const { return Quoted(value, false); }
  std::string operator()(const Bytes& value) const { return Quoted(value.value, true); }
};

std::string FieldText(const std::string& name) {
  return IsPlainName(name) ? name : "`" + name + "`";
}

// NOLINTBEGIN(misc-no-recursion): the parser bounds the depth of a tree

std::size_t TermsUnder(const Expr& expr, const std::string& name) {
  if (expr.kind != ExprKind::kCall || expr.name != name) return 1;
  return TermsUnder(*expr.args[0], name) + TermsUnder(*expr.args[1], name);
}

/// Whether a row of `terms` terms would be parsed into the very tree.
bool IsRow(const Expr& expr, const std::string& name, std::size_t terms) {
  const bool inner = expr.kind == ExprKind::kCall && expr.name == name;
  if (terms == 1) return !inner;
  const std::size_t left = TermsToTheLeft(terms);
  return inner && IsRow(*expr.args[0], name, left) && IsRow(*expr.args[1], name, terms - left);
}

class Printer {
 public:
  std::string Take() { return std::move(out_); }

  void Write(const Expr& expr, Level least = kTernary) {
    const bool brackets = GetLevel(expr) < least;
    if (brackets) out_ += '(';
    switch (expr.kind) {
      case ExprKind::kConstant:
        out_ += std::visit(ConstantText{}, expr.value);
        break;
      case ExprKind::kIdent:
        out_ += expr.name;
        break;
      case ExprKind::kSelect:
        Write(*expr.args[0], kMember);
        out_ += (IsOptional(expr, 0) ? ".?" : ".") + FieldText(expr.name);
        break;
      case ExprKind::kIndex:
        Write(*expr.args[0], kMember);
        out_ += IsOptional(expr, 0) ? "[?" : "[";
        Write(*expr.args[1]);
        out_ += ']';
        break;
      case ExprKind::kList:
      case ExprKind::kMap:
      case ExprKind::kMessage:
        Entries(expr);
        break;
      case ExprKind::kCall:
      case ExprKind::kMember:
      case ExprKind::kMacro:
        Call(expr);
        break;
    }
    if (brackets) out_ += ')';
  }

 private:
  static bool IsOptional(const Expr& expr, std::size_t entry) {
    return entry < expr.optional.size() && expr.optional[entry];
  }

  void Call(const Expr& expr) {
    const bool member =
        expr.kind == ExprKind::kMember || (expr.kind == ExprKind::kMacro && expr.name != "has");
    if (const Infix* infix = FindInfix(expr)) return Operator(expr, *infix);
    if (IsSign(expr)) return Sign(expr);
    if (expr.kind == ExprKind::kCall && expr.name == "_?_:_") return Ternary(expr);
    if (member) {
      Write(*expr.args[0], kMember);
      out_ += '.';
    }
    out_ += expr.name + '(';
    for (std::size_t i = member ? 1 : 0; i < expr.args.size(); ++i) {
      if (i > (member ? 1U : 0U)) out_ += ", ";
      Write(*expr.args[i]);
    }
    out_ += ')';
  }

  void Operator(const Expr& expr, const Infix& infix) {
    if (infix.level == kOr || infix.level == kAnd) return Logical(expr, infix);
    Write(*expr.args[0], infix.level);
    out_ += infix.symbol;
    Write(*expr.args[1], static_cast<Level>(infix.level + 1));
  }

  /// The terms of a row are made a balanced tree: one of another shape was written with brackets.
  void Logical(const Expr& expr, const Infix& infix) {
    if (IsRow(expr, expr.name, TermsUnder(expr, expr.name))) return Row(expr, infix);
    const auto tighter = static_cast<Level>(infix.level + 1);
    Write(*expr.args[0], tighter);
    out_ += infix.symbol;
    Write(*expr.args[1], tighter);
  }

  void Row(const Expr& expr, const Infix& infix) {
    if (FindInfix(expr) != &infix) return Write(expr, static_cast<Level>(infix.level + 1));
    Row(*expr.args[0], infix);
    out_ += infix.symbol;
    Row(*expr.args[1], infix);
  }

  void Sign(const Expr& expr) {
    const Expr& operand = *expr.args[0];
    out_ += expr.name.front();
    if (IsSign(operand) && operand.name == expr.name) return Write(operand);
    const std::size_t begin = out_.size();
    Write(operand, kMember);
    // A minus before a number would become part of the number, a minus before a sign a row of
    // signs.
    const char first = out_[begin];
    if (expr.name == "-_" && ((first >= '0' && first <= '9') || first == '-')) {
      out_.insert(begin, 1, '(');
      out_ += ')';
    }
  }

  void Ternary(const Expr& expr) {
    Write(*expr.args[0], kOr);
    out_ += " ? ";
    Write(*expr.args[1], kOr);
    out_ += " : ";
    Write(*expr.args[2]);
  }

  void Entries(const Expr& expr) {
    const bool list = expr.kind == ExprKind::kList;
    const bool map = expr.kind == ExprKind::kMap;
    out_ += expr.name + (list ? '[' : '{');
    const std::size_t count = expr.args.size() / (map ? 2 : 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_ += ", ";
      if (IsOptional(expr, i)) out_ += '?';
      if (map) Write(*expr.args[2 * i]);
      if (expr.kind == ExprKind::kMessage) out_ += FieldText(expr.fields[i]);
      if (!list) out_ += ": ";
      Write(*expr.args[map ? 2 * i + 1 : i]);
    }
    out_ += list ? ']' : '}';
  }

  std::string out_;
};

// NOLINTEND(misc-no-recursion)

}  // namespace

std::string Print(const Expr& expr) {
  Printer printer;
  printer.Write(expr);
  return printer.Take();
}

std::string QuotedLiteral(std::string_view text) { return Quoted(text, /*bytes=*/false); }

}  // namespace bindery::cel
