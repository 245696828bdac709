#include "cel/evaluation/term_values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

/// More values are not tried: the answer is "no proof" then.
constexpr std::size_t kMostValues = 200;

/// The possible outcomes of an expression, as a sum of these.
using Truth = unsigned;
constexpr Truth kTrue = 1;
constexpr Truth kFalse = 2;
constexpr Truth kError = 4;
constexpr Truth kUnknown = kTrue | kFalse | kError;

/// A value that no constant of the expressions equals.
struct OtherValue {};
/// The term has no value, and its use fails.
struct NoValue {};
using TermValue = std::variant<std::int64_t, std::string, OtherValue, NoValue>;

constexpr std::string_view kComparisons[] = {"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"};

/// The operator with its operands exchanged.
std::string_view Mirrored(std::string_view name) {
  if (name == "_<_") return "_>_";
  if (name == "_<=_") return "_>=_";
  if (name == "_>_") return "_<_";
  return name == "_>=_" ? "_<=_" : name;
}

bool IsUsable(const Expr& expr) {
  return expr.kind == ExprKind::kConstant && (std::get_if<std::int64_t>(&expr.value) != nullptr ||
                                              std::get_if<std::string>(&expr.value) != nullptr);
}

/// `term OPERATOR constant`, `term in [constants]` or `term.startsWith(constant)`.
struct TermTest {
  const Expr* term = nullptr;
  std::string_view name;
  std::vector<const Expr*> constants;
};

std::optional<TermTest> MembershipIn(const Expr& expr) {
  if (!IsCall(expr, "_in_", 2) || expr.args[1]->kind != ExprKind::kList) return std::nullopt;
  TermTest test = {expr.args[0].get(), "_in_", {}};
  for (const ExprPtr& item : expr.args[1]->args) {
    if (!IsUsable(*item)) return std::nullopt;
    test.constants.push_back(item.get());
  }
  return test;
}

std::optional<TermTest> TestIn(const Expr& expr) {
  if (expr.kind == ExprKind::kMember && expr.args.size() == 2 &&
      (expr.name == "startsWith" || expr.name == "endsWith") &&
      StringLiteral(*expr.args[1]) != nullptr) {
    return TermTest{expr.args[0].get(), expr.name, {expr.args[1].get()}};
  }
  const auto* const name = std::find(std::begin(kComparisons), std::end(kComparisons), expr.name);
  if (expr.kind != ExprKind::kCall || expr.args.size() != 2 || name == std::end(kComparisons)) {
    return MembershipIn(expr);
  }
  const Expr& left = *expr.args[0];
  const Expr& right = *expr.args[1];
  if (IsUsable(left) == IsUsable(right)) return std::nullopt;
  if (IsUsable(right)) return TermTest{&left, *name, {&right}};
  return TermTest{&right, Mirrored(*name), {&left}};
}

/// Nothing: the values are of different types.
std::optional<int> Compared(const TermValue& value, const Expr& constant) {
  const auto sign = [](const auto& one, const auto& two) {
    return one == two ? 0 : (one < two ? -1 : 1);
  };
  const auto* number = std::get_if<std::int64_t>(&value);
  const auto* other_number = std::get_if<std::int64_t>(&constant.value);
  if (number != nullptr && other_number != nullptr) return sign(*number, *other_number);
  const auto* text = std::get_if<std::string>(&value);
  const auto* other_text = std::get_if<std::string>(&constant.value);
  if (text != nullptr && other_text != nullptr) return sign(*text, *other_text);
  return std::nullopt;
}

Truth MakeTruth(bool holds) { return holds ? kTrue : kFalse; }

Truth JudgeOrder(std::string_view name, const std::optional<int>& sign) {
  if (!sign) return kUnknown;
  if (name == "_<_") return MakeTruth(*sign < 0);
  if (name == "_<=_") return MakeTruth(*sign <= 0);
  return name == "_>_" ? MakeTruth(*sign > 0) : MakeTruth(*sign >= 0);
}

Truth Tested(const TermTest& test, const TermValue& value) {
  if (std::holds_alternative<NoValue>(value)) return kError;
  if (test.name == "startsWith" || test.name == "endsWith") {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return kUnknown;
    const std::string& part = *StringLiteral(*test.constants.front());
    return MakeTruth(test.name == "startsWith" ? text->starts_with(part) : text->ends_with(part));
  }
  const bool equal = std::ranges::any_of(
      test.constants, [&](const Expr* constant) { return Compared(value, *constant) == 0; });
  if (test.name == "_==_" || test.name == "_in_") return MakeTruth(equal);
  if (test.name == "_!=_") return MakeTruth(!equal);
  return JudgeOrder(test.name, Compared(value, *test.constants.front()));
}

Truth Negated(Truth truth) {
  return (truth & kError) | ((truth & kTrue) != 0 ? kFalse : 0U) |
         ((truth & kFalse) != 0 ? kTrue : 0U);
}

/// `decides` is the outcome of an operand that makes the other operand unimportant.
Truth Joined(Truth one, Truth two, Truth decides) {
  const Truth neutral = Negated(decides);
  const Truth errors = (one | two) & kError;
  Truth joined = (one | two) & decides;
  if ((one & two & neutral) != 0) joined |= neutral;
  // An error counts unless the other operand decides.
  const bool stays = (one & (neutral | kError)) != 0 && (two & (neutral | kError)) != 0;
  return stays ? joined | errors : joined;
}

/// A term, and the constants that the expressions compare with the term.
struct Term {
  bool integer = false;  ///< Of no other type.
  std::set<std::int64_t> numbers;
  std::set<std::string> texts;
};

bool IsInteger(const Expr& term) {
  // The getters of a time.
  const bool getter =
      term.kind == ExprKind::kMember && term.name.starts_with("get") && term.name != "getAttribute";
  return getter || IsPath(term, "destination.port");
}

/// Values of the term such that all other values fare like one of these.
std::vector<TermValue> ValuesFor(const Term& term) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::vector<TermValue> values = {NoValue{}};
  if (!term.integer) values.emplace_back(OtherValue{});
  std::set<std::int64_t> numbers = term.numbers;
  for (const std::int64_t number : term.numbers) {
    if (number != kLeast) numbers.insert(number - 1);
    if (number != kMost) numbers.insert(number + 1);
  }
  values.insert(values.end(), numbers.begin(), numbers.end());
  values.insert(values.end(), term.texts.begin(), term.texts.end());
  return values;
}

bool MayHold(Truth truth) { return (truth & kTrue) != 0; }

/// The tests of two expressions, and their terms by text.
class Terms {
 public:
  // NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
  void Add(const Expr& expr) {
    if (std::optional<TermTest> test = TestIn(expr)) return AddTest(expr, *std::move(test));
    for (const ExprPtr& operand : expr.args) {
      if (IsLogical(expr)) Add(*operand);
    }
  }

  /// Of the expressions so far.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : terms_) names.push_back(entry.first);
    return names;
  }

  [[nodiscard]] bool Prove(const std::string& term, const Expr& inner, const Expr& outer) const {
    const std::vector<TermValue> values = ValuesFor(terms_.at(term));
    if (values.size() > kMostValues) return false;
    return std::ranges::all_of(values, [&](const TermValue& value) {
      return !MayHold(TruthAt(inner, term, value)) || TruthAt(outer, term, value) == kTrue;
    });
  }

 private:
  struct KnownTest {
    TermTest test;
    std::string term;
  };

  static bool IsLogical(const Expr& expr) {
    return IsCall(expr, "_&&_", 2) || IsCall(expr, "_||_", 2) || IsCall(expr, "!_", 1);
  }

  void AddTest(const Expr& expr, TermTest test) {
    std::string name = Print(*test.term);
    Term& term = terms_[name];
    term.integer = IsInteger(*test.term);
    for (const Expr* constant : test.constants) {
      if (const auto* number = std::get_if<std::int64_t>(&constant->value)) {
        term.numbers.insert(*number);
      } else {
        term.texts.insert(std::get<std::string>(constant->value));
      }
    }
    tests_.emplace(&expr, KnownTest{std::move(test), std::move(name)});
  }

  /// The truth of an expression if the term has the value, and nothing else is known.
  // NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
  [[nodiscard]] Truth TruthAt(const Expr& expr, const std::string& term,
                              const TermValue& value) const {
    if (expr.kind == ExprKind::kConstant) {
      const bool* known = std::get_if<bool>(&expr.value);
      return known == nullptr ? kUnknown : MakeTruth(*known);
    }
    const auto operand = [&](std::size_t i) { return TruthAt(*expr.args[i], term, value); };
    if (IsCall(expr, "_&&_", 2)) return Joined(operand(0), operand(1), kFalse);
    if (IsCall(expr, "_||_", 2)) return Joined(operand(0), operand(1), kTrue);
    if (IsCall(expr, "!_", 1)) return Negated(operand(0));
    const auto found = tests_.find(&expr);
    const bool known = found != tests_.end() && found->second.term == term;
    return known ? Tested(found->second.test, value) : kUnknown;
  }

  std::map<std::string, Term> terms_;
  std::map<const Expr*, KnownTest> tests_;
};

}  // namespace

bool HoldsByValues(const Expr& inner, const Expr& outer) {
  Terms terms;
  terms.Add(outer);
  const std::vector<std::string> names = terms.names();
  if (names.empty()) return false;
  terms.Add(inner);
  return std::ranges::any_of(
      names, [&](const std::string& name) { return terms.Prove(name, inner, outer); });
}

}  // namespace bindery::cel
