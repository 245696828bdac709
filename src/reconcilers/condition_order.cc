#include "reconcilers/condition_order.h"

#include <cstddef>
#include <string>
#include <variant>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/evaluator.h"
#include "cel/expiry/time_effect.h"
#include "cel/implication/implication.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"

namespace bindery::reconcilers {
namespace {

/// More comparisons of parts are not made: the answer is "not proved" then.
constexpr std::size_t kMostSteps = 2'000;

/// The attribute of `attribute == "text"`; nothing for any other expression.
struct FixedAttribute {
  std::string path;
  std::string text;
};

std::optional<FixedAttribute> FixedIn(const cel::Expr& expr) {
  if (!cel::IsCall(expr, "_==_", 2)) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const auto path = cel::MakePath(*expr.args[side]);
    const std::string* text = cel::StringLiteral(*expr.args[1 - side]);
    if (path && text != nullptr) return FixedAttribute{*path, *text};
  }
  return std::nullopt;
}

// NOLINTBEGIN(misc-no-recursion): the parser bounds the depth of a tree

void Fix(const cel::Expr& expr, cel::Activation& activation) {
  if (cel::IsCall(expr, "_&&_", 2)) {
    Fix(*expr.args[0], activation);
    Fix(*expr.args[1], activation);
  } else if (const auto fixed = FixedIn(expr)) {
    activation.Set(fixed->path, cel::Value(fixed->text));
  }
}

/// One question: whether the whole of `inner` is within the whole of `outer`.
class Proof {
 public:
  explicit Proof(const cel::Expr& inner) : can_hold_(cel::FindTimeEffect(inner).can_hold) {}

  [[nodiscard]] bool Implies(const cel::Expr& inner, const cel::Expr& outer) {
    if (++steps_ > kMostSteps) return false;
    // A part that fails at no moment at which the whole can hold, holds at these moments.
    if (can_hold_.And(cel::FindTimeEffect(outer).can_fail).IsNone()) return true;
    if (cel::Print(inner) == cel::Print(outer)) return true;
    if (cel::Implies(inner, outer, budget_)) return true;
    if (cel::IsCall(outer, "_&&_", 2)) {
      return Implies(inner, *outer.args[0]) && Implies(inner, *outer.args[1]);
    }
    if (cel::IsCall(inner, "_||_", 2)) {
      return Implies(*inner.args[0], outer) && Implies(*inner.args[1], outer);
    }
    if (cel::IsCall(outer, "_||_", 2) &&
        (Implies(inner, *outer.args[0]) || Implies(inner, *outer.args[1]))) {
      return true;
    }
    if (cel::IsCall(inner, "_&&_", 2) &&
        (Implies(*inner.args[0], outer) || Implies(*inner.args[1], outer))) {
      return true;
    }
    return HoldsWhereFixed(inner, outer);
  }

 private:
  [[nodiscard]] static bool HoldsWhereFixed(const cel::Expr& inner, const cel::Expr& outer) {
    cel::Activation activation = cel::IamActivation();
    Fix(inner, activation);
    const cel::Outcome outcome = cel::Evaluate(outer, activation);
    const auto* value = std::get_if<cel::Value>(&outcome);
    const bool* holds = value == nullptr ? nullptr : value->As<bool>();
    return holds != nullptr && *holds;
  }

  cel::TimeSet can_hold_;
  std::size_t steps_ = 0;
  cel::ProofBudget budget_;
};

// NOLINTEND(misc-no-recursion)

}  // namespace

bool IsContained(const std::optional<Condition>& inner, const std::optional<Condition>& outer) {
  if (!outer) return true;
  if (inner && inner->expression == outer->expression) return true;
  const auto outer_tree = cel::Parse(outer->expression);
  const auto inner_tree = cel::Parse(inner ? inner->expression : "true");
  if (!inner_tree || !outer_tree) return false;
  return Proof(**inner_tree).Implies(**inner_tree, **outer_tree);
}

}  // namespace bindery::reconcilers
