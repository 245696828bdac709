#pragma once

#include <cstddef>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/outcome.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// Limits of an evaluation, so that no evaluation runs or grows without bound.
struct EvaluationLimits {
  /// Parts of the expression evaluated, elements walked through, sixteen bytes of text each.
  std::size_t max_steps = 100'000;
  /// Of one value (Value::Weight): a list of shared lists is small to hold and endless to compare.
  std::size_t max_weight = 100'000;
  int max_depth = 100;  ///< Of lists within lists.
};

/// The value of the expression under the activation. Operators and functions that need all their
/// arguments are unknown with an unknown argument, else fail with a failed argument. `&&` and `||`
/// evaluate both sides: a false (true) side decides whatever the second side is; likewise all() and
/// exists(). Beyond a limit the whole evaluation fails.
///
/// Supports the functions and macros of the CEL standard and the functions that IAM adds. Does not
/// support the extensions of CEL (strings, lists, math, base64, networks, optionals, bindings,
/// macros with two variables) and messages.
[[nodiscard]] Outcome Evaluate(const Expr& expr, const Activation& activation,
                               const EvaluationLimits& limits = {});

}  // namespace bindery::cel
