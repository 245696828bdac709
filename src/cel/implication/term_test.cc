#include "cel/implication/term_test.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/evaluator.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

constexpr std::string_view kComparisons[] = {"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"};

/// The operator with its operands exchanged.
std::string_view WithExchangedSides(std::string_view name) {
  if (name == "_<_") return "_>_";
  if (name == "_<=_") return "_>=_";
  if (name == "_>_") return "_<_";
  return name == "_>=_" ? "_<=_" : name;
}

/// The text or number that an expression always is.
std::optional<TestConstant> ConstantIn(const Expr& expr) {
  const Outcome outcome = Evaluate(expr, IamActivation());
  const Value* value = std::get_if<Value>(&outcome);
  if (value == nullptr) return std::nullopt;
  if (const auto* number = value->As<std::int64_t>()) return *number;
  if (const auto* text = value->As<std::string>()) return *text;
  return std::nullopt;
}

std::optional<TermTest> MembershipIn(const Expr& expr) {
  if (!IsCall(expr, "_in_", 2) || expr.args[1]->kind != ExprKind::kList) return std::nullopt;
  TermTest test = {expr.args[0].get(), "_in_", {}};
  for (const ExprPtr& item : expr.args[1]->args) {
    std::optional<TestConstant> constant = ConstantIn(*item);
    if (!constant) return std::nullopt;
    test.constants.push_back(*std::move(constant));
  }
  return test;
}

/// "a" of name.startsWith("a").
std::optional<TermTest> PartTestIn(const Expr& expr) {
  const bool part = expr.kind == ExprKind::kMember && expr.args.size() == 2 &&
                    (expr.name == "startsWith" || expr.name == "endsWith");
  std::optional<TestConstant> constant = part ? ConstantIn(*expr.args[1]) : std::nullopt;
  if (!constant || !std::holds_alternative<std::string>(*constant)) return std::nullopt;
  return TermTest{expr.args[0].get(), expr.name, {*std::move(constant)}};
}

std::optional<TermTest> ComparisonIn(const Expr& expr) {
  const auto* const name = std::find(std::begin(kComparisons), std::end(kComparisons), expr.name);
  if (expr.kind != ExprKind::kCall || expr.args.size() != 2 || name == std::end(kComparisons)) {
    return std::nullopt;
  }
  std::optional<TestConstant> left = ConstantIn(*expr.args[0]);
  std::optional<TestConstant> right = ConstantIn(*expr.args[1]);
  if (left.has_value() == right.has_value()) return std::nullopt;
  if (right) return TermTest{expr.args[0].get(), *name, {*std::move(right)}};
  return TermTest{expr.args[1].get(), WithExchangedSides(*name), {*std::move(left)}};
}

/// -1, 0 or 1. Nothing: the values are of different types, or the text is not known.
std::optional<int> Compared(const TermValue& value, const TestConstant& constant) {
  const auto sign = [](const auto& one, const auto& two) {
    return one == two ? 0 : (one < two ? -1 : 1);
  };
  const auto* number = std::get_if<std::int64_t>(&value);
  const auto* other_number = std::get_if<std::int64_t>(&constant);
  if (number != nullptr && other_number != nullptr) return sign(*number, *other_number);
  const auto* text = std::get_if<std::string>(&value);
  const auto* other_text = std::get_if<std::string>(&constant);
  if (text != nullptr && other_text != nullptr) return sign(*text, *other_text);
  return std::nullopt;
}

Truth JudgeOrder(std::string_view name, const std::optional<int>& sign) {
  if (!sign) return kAnyTruth;
  if (name == "_<_") return MakeTruth(*sign < 0);
  if (name == "_<=_") return MakeTruth(*sign <= 0);
  return name == "_>_" ? MakeTruth(*sign > 0) : MakeTruth(*sign >= 0);
}

Truth JudgePart(const TermTest& test, const TermValue& value) {
  const std::string& part = std::get<std::string>(test.constants.front());
  const bool begins = test.name == "startsWith";
  if (const auto* text = std::get_if<std::string>(&value)) {
    return MakeTruth(begins ? text->starts_with(part) : text->ends_with(part));
  }
  if (const auto* other = std::get_if<OtherText>(&value)) {
    return MakeTruth(begins ? other->begin.starts_with(part) : other->end.ends_with(part));
  }
  return kAnyTruth;
}

}  // namespace

std::optional<TermTest> TestIn(const Expr& expr) {
  if (auto part = PartTestIn(expr)) return part;
  if (auto comparison = ComparisonIn(expr)) return comparison;
  return MembershipIn(expr);
}

bool IsPartTest(const TermTest& test) {
  return test.name == "startsWith" || test.name == "endsWith";
}

Truth Judge(const TermTest& test, const TermValue& value) {
  if (std::holds_alternative<NoValue>(value)) return kError;
  if (IsPartTest(test)) return JudgePart(test, value);
  const bool equal = std::ranges::any_of(
      test.constants, [&](const TestConstant& constant) { return Compared(value, constant) == 0; });
  if (test.name == "_==_" || test.name == "_in_") return MakeTruth(equal);
  if (test.name == "_!=_") return MakeTruth(!equal);
  return JudgeOrder(test.name, Compared(value, test.constants.front()));
}

}  // namespace bindery::cel
