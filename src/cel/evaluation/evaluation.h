#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/evaluation/evaluator.h"
#include "cel/evaluation/functions.h"
#include "cel/evaluation/names.h"

namespace bindery::cel {

/// One evaluation: walks the expression and computes each part's value, with the names in scope and
/// the remaining budget. Activation and limits outlive the object. For one expression and one
/// thread.
class Evaluation {
 public:
  Evaluation(const Activation& activation, const EvaluationLimits& limits)
      : limits_(limits), meter_(limits.max_steps), names_(activation, meter_) {}

  [[nodiscard]] Outcome Run(const Expr& expr);

 private:
  /// The arguments of a strict function, or why it is not called.
  struct Arguments {
    std::vector<Value> values;
    std::optional<Failure> failure;
    std::optional<Unknown> unknown;

    /// False when `outcome` is no value.
    bool Add(Outcome outcome);
    /// Nothing when all are values. An unknown value has precedence over a failure: it may yet
    /// grant.
    [[nodiscard]] std::optional<Outcome> Obstacle() const;
  };
  /// The result of the parts of `&&`, `||`, all() and exists().
  struct Verdict {
    bool decisive = false;  ///< The part that decides: false for `&&`.
    Arguments rest = {};

    /// True when the part decides.
    bool Add(const Outcome& part);
    [[nodiscard]] Outcome Result() const;
  };
  /// The variable of a macro and its range.
  struct Range {
    std::string variable;
    Value collection;  ///< A list or a map.
    std::size_t rounds = 0;

    /// The element or the key.
    [[nodiscard]] Value Item(std::size_t round) const;
  };
  // evaluator.cc
  Outcome Eval(const Expr& expr);
  Outcome EvalCall(const Expr& expr);
  Outcome EvalMember(const Expr& expr);
  Outcome EvalSelect(const Expr& expr);
  Outcome EvalHas(const Expr& select);
  Outcome EvalConditional(const Expr& expr);
  Outcome EvalIndex(const Expr& expr);
  Outcome EvalList(const Expr& expr);
  Outcome EvalMap(const Expr& expr);
  Arguments EvalArguments(const Expr& expr, std::size_t first);
  Outcome CallFunction(Function function, std::string_view name, const Arguments& arguments,
                       const Expr& expr);
  Outcome CallContext(const Activation::Entry& entry, const std::string& name,
                      const Arguments& arguments);
  /// The outcome unless beyond a limit, with the place of the failure.
  Outcome Checked(Outcome outcome, const Expr& expr);

  // evaluator_macros.cc
  /// Nothing when the expression is no macro.
  std::optional<Outcome> EvalMacro(const Expr& expr);
  std::optional<Outcome> MakeRange(const Expr& expr, Range& range);
  Outcome EvalQuantifier(const Expr& expr, const Range& range, bool decisive);
  bool Holds(const Expr& predicate, const Range& range, std::size_t round, Arguments& rest);
  Outcome EvalExistsOne(const Expr& expr, const Range& range);
  Outcome EvalTransform(const Expr& expr, const Range& range);
  /// The expression with the variable of a single round.
  Outcome EvalRound(const Expr& expr, const Range& range, std::size_t round);

  const EvaluationLimits& limits_;
  Meter meter_;
  Names names_;
};

/// "no such overload: int is no condition".
[[nodiscard]] Failure NoCondition(const Value& value);

}  // namespace bindery::cel
