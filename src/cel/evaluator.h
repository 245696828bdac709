#pragma once

#include <cstddef>

#include "cel/activation.h"
#include "cel/ast.h"
#include "cel/outcome.h"

namespace bindery::cel {

/// What an evaluation may take at most, so that none runs or grows without bound.
struct EvaluationLimits {
  /// Parts of the expression evaluated, elements walked through, sixteen bytes of text each.
  std::size_t max_steps = 100'000;
  /// Of one value (Value::Weight): a list of shared lists is small to hold and endless to compare.
  std::size_t max_weight = 100'000;
  int max_depth = 100;  ///< Of lists within lists.
};

/// What the expression means under the activation. Operators and functions that need all their
/// arguments are unknown when one is, else fail when one does. `&&` and `||` ask for both sides: a
/// false (true) side decides whatever the other is; likewise all() and exists(). Beyond a limit the
/// whole evaluation fails.
///
/// Supports the functions and macros of the CEL standard and the functions that IAM adds. Does not
/// support the extensions of CEL (strings, lists, math, base64, networks, optionals, bindings,
/// macros with two variables) and messages.
[[nodiscard]] Outcome Evaluate(const Expr& expr, const Activation& activation,
                               const EvaluationLimits& limits = {});

}  // namespace bindery::cel
