#pragma once

// Private to src/cel: what the names in an expression mean.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/functions.h"
#include "cel/evaluation/outcome.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// A name with its selections: a.b.c.
struct Path {
  std::vector<std::string> names;
  std::vector<const Expr*> nodes;  ///< Where each name is.
  [[nodiscard]] std::string Join(std::size_t count) const;
};

/// The names of one evaluation: the variables of the macros under way, the innermost first, then
/// the content of the activation. Evaluates no expression. The evaluation's meter pays for
/// look-ups. Activation and meter outlive it. Single-threaded.
class Names {
 public:
  Names(const Activation& activation, Meter& meter) : activation_(activation), meter_(meter) {}

  /// A macro gives its variable a value, until the matching Leave().
  void Enter(const std::string& variable, Value value);
  /// Requires: an open Enter().
  void Leave() { locals_.pop_back(); }

  /// For an expression of one name: a local variable, else as GetValue().
  [[nodiscard]] Outcome ValueOfIdent(const Expr& expr);
  /// Nothing when the expression is no name with selections, or begins with a local variable.
  [[nodiscard]] std::optional<Path> MakePath(const Expr& expr) const;
  /// The value of the longest beginning of the path that the activation holds, with the rest
  /// selected from the value.
  [[nodiscard]] Outcome GetValue(const Path& path);
  /// The result of has() on the path. Nothing when the result needs the value in front of the last
  /// name.
  [[nodiscard]] std::optional<Outcome> Has(const Path& path);
  /// A function of the context, or the state of one that is unknown or absent. Null if none exists:
  /// a value is no function.
  [[nodiscard]] const Activation::Entry* FindFunctionEntry(const std::string& name) const;

 private:
  /// The entry of the longest beginning of the path, of `taken` names; null if none exists.
  [[nodiscard]] const Activation::Entry* FindLongest(const Path& path, std::size_t& taken);
  [[nodiscard]] const Outcome* FindLocal(std::string_view name) const;

  const Activation& activation_;
  Meter& meter_;
  std::vector<std::pair<std::string, Outcome>> locals_;
};

/// The field of a map that `select` names.
[[nodiscard]] Outcome SelectField(const Value& value, const Expr& select);

/// Optional fields, elements and entries (`a.?b`): IAM does not offer them.
[[nodiscard]] Failure NoOptionals(const Expr& expr);

}  // namespace bindery::cel
