#include "reconcilers/condition_order.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/evaluator.h"
#include "cel/evaluation/term_values.h"
#include "cel/expiry/time_effect.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"

namespace bindery {
namespace {

/// More comparisons of parts are not made: the answer is "not proved" then.
constexpr std::size_t kMostSteps = 2'000;

/// And not so often by the values of a term.
constexpr std::size_t kMostTrials = 50;

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

bool IsMethod(const cel::Expr& expr, std::string_view name, std::size_t arguments) {
  return expr.kind == cel::ExprKind::kMember && expr.name == name &&
         expr.args.size() == arguments + 1;
}

/// "resource.name" and "projects/a" of resource.name.startsWith("projects/a").
std::optional<FixedAttribute> PartIn(const cel::Expr& expr, std::string_view method) {
  if (!IsMethod(expr, method, 1)) return std::nullopt;
  const std::string* text = cel::StringLiteral(*expr.args[1]);
  return text != nullptr ? std::optional(FixedAttribute{cel::Print(*expr.args[0]), *text})
                         : std::nullopt;
}

/// Whether both name the same text, which `inner` fixes further.
bool IsLongerPart(const cel::Expr& inner, const cel::Expr& outer) {
  for (const std::string_view method : {"startsWith", "endsWith"}) {
    const auto longer = PartIn(inner, method);
    const auto shorter = PartIn(outer, method);
    if (!longer || !shorter || longer->path != shorter->path) continue;
    return method == "startsWith" ? longer->text.starts_with(shorter->text)
                                  : longer->text.ends_with(shorter->text);
  }
  return false;
}

/// The same of api.getAttribute(…).hasOnly(["roles/viewer"]) beside a longer list.
bool IsShorterList(const cel::Expr& inner, const cel::Expr& outer) {
  if (!IsMethod(inner, "hasOnly", 1) || !IsMethod(outer, "hasOnly", 1)) return false;
  if (cel::Print(*inner.args[0]) != cel::Print(*outer.args[0])) return false;
  const cel::Expr& wanted = *inner.args[1];
  const cel::Expr& allowed = *outer.args[1];
  if (wanted.kind != cel::ExprKind::kList || allowed.kind != cel::ExprKind::kList) return false;
  return std::ranges::all_of(wanted.args, [&](const cel::ExprPtr& item) {
    return std::ranges::any_of(allowed.args, [&](const cel::ExprPtr& other) {
      return cel::Print(*item) == cel::Print(*other);
    });
  });
}

/// A resource with a value of the tag has the tag.
bool IsTagWithValue(const cel::Expr& inner, const cel::Expr& outer) {
  const bool by_name = IsMethod(inner, "matchTag", 2) && IsMethod(outer, "hasTagKey", 1);
  const bool by_id = IsMethod(inner, "matchTagId", 2) && IsMethod(outer, "hasTagKeyId", 1);
  return (by_name || by_id) && cel::Print(*inner.args[0]) == cel::Print(*outer.args[0]) &&
         cel::Print(*inner.args[1]) == cel::Print(*outer.args[1]);
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
    if (cel::Print(inner) == cel::Print(outer) || HoldsByValues(inner, outer)) return true;
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
    return IsLongerPart(inner, outer) || IsShorterList(inner, outer) ||
           IsTagWithValue(inner, outer) || HoldsWhereFixed(inner, outer);
  }

 private:
  [[nodiscard]] bool HoldsByValues(const cel::Expr& inner, const cel::Expr& outer) {
    if (++trials_ > kMostTrials) return false;
    return cel::HoldsByValues(inner, outer);
  }

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
  std::size_t trials_ = 0;
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

}  // namespace bindery
