#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/evaluator.h"
#include "cel/functions.h"

namespace bindery::cel {

/// One evaluation: the names in force and what is left to spend.
class Evaluation {
 public:
  Evaluation(const Activation& activation, const EvaluationLimits& limits)
      : activation_(activation), limits_(limits), meter_(limits.max_steps) {}

  [[nodiscard]] Outcome Run(const Expr& expr);

 private:
  /// The arguments of a strict function, or why it is not called.
  struct Arguments {
    std::vector<Value> values;
    std::optional<Failure> failure;
    std::optional<Unknown> unknown;

    /// False when `outcome` is no value.
    bool Add(Outcome outcome);
    /// Nothing when all are values. What is unknown comes before what failed: it may yet grant.
    [[nodiscard]] std::optional<Outcome> Obstacle() const;
  };
  /// What `&&`, `||`, all() and exists() make of their parts.
  struct Verdict {
    bool decisive = false;  ///< The part that decides: false for `&&`.
    Arguments rest = {};

    /// True when the part decides.
    bool Add(const Outcome& part);
    [[nodiscard]] Outcome Result() const;
  };
  /// The variable of a macro and what it ranges over.
  struct Range {
    std::string variable;
    Value collection;  ///< A list or a map.
    std::size_t rounds = 0;

    /// The element or the key.
    [[nodiscard]] Value Item(std::size_t round) const;
  };
  /// A name with what is selected from it: a.b.c.
  struct Path {
    std::vector<std::string> names;
    std::vector<const Expr*> nodes;  ///< Where each name is.
    [[nodiscard]] std::string Join(std::size_t count) const;
  };

  // evaluator.cc
  Outcome Eval(const Expr& expr);
  Outcome EvalCall(const Expr& expr);
  Outcome EvalMember(const Expr& expr);
  Outcome EvalConditional(const Expr& expr);
  Outcome EvalIndex(const Expr& expr);
  Outcome EvalList(const Expr& expr);
  Outcome EvalMap(const Expr& expr);
  Arguments EvalArguments(const Expr& expr, std::size_t first);
  Outcome CallFunction(Function function, std::string_view name, const Arguments& arguments,
                       const Expr& expr);
  Outcome CallContext(const Activation::Entry& entry, const std::string& name,
                      const Arguments& arguments);
  /// The outcome unless it is beyond a limit, with the place of what failed.
  Outcome Checked(Outcome outcome, const Expr& expr);

  // evaluator_names.cc
  Outcome EvalIdent(const Expr& expr);
  Outcome EvalSelect(const Expr& expr);
  Outcome EvalHas(const Expr& select);
  std::optional<Outcome> EvalHasPath(const Path& path);
  /// The entry of the longest beginning of the path, of `taken` names; nothing when there is none.
  const Activation::Entry* FindLongest(const Path& path, std::size_t& taken);
  /// Nothing when the expression is no name with selections, or begins with a local variable.
  [[nodiscard]] std::optional<Path> PathOf(const Expr& expr) const;
  Outcome EvalPath(const Path& path);
  static Outcome SelectField(const Value& value, const Expr& select);
  [[nodiscard]] const Outcome* FindLocal(std::string_view name) const;

  // evaluator_macros.cc
  /// Nothing when the expression is no macro.
  std::optional<Outcome> EvalMacro(const Expr& expr);
  std::optional<Outcome> MakeRange(const Expr& expr, Range& range);
  Outcome EvalQuantifier(const Expr& expr, const Range& range, bool decisive);
  bool Holds(const Expr& predicate, const Range& range, std::size_t round, Arguments& rest);
  Outcome EvalExistsOne(const Expr& expr, const Range& range);
  Outcome EvalTransform(const Expr& expr, const Range& range);
  /// The expression with the variable of one round.
  Outcome EvalRound(const Expr& expr, const Range& range, std::size_t round);

  const Activation& activation_;
  const EvaluationLimits& limits_;
  Meter meter_;
  std::vector<std::pair<std::string, Outcome>> locals_;
};

/// "no such overload: int is no condition".
[[nodiscard]] Failure NoCondition(const Value& value);

/// Optional fields, elements and entries (`a.?b`): IAM does not offer them.
[[nodiscard]] Failure NoOptionals(const Expr& expr);

}  // namespace bindery::cel
