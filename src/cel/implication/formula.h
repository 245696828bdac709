#pragma once

// Private to src/cel/implication.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cel/implication/truth.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// The parts of expressions that no logical operator joins, each text once.
class Leaves {
 public:
  /// The number of the leaf.
  std::size_t Add(const Expr& expr);
  [[nodiscard]] const std::vector<const Expr*>& all() const { return all_; }

 private:
  std::vector<const Expr*> all_;
  std::map<std::string, std::size_t> by_text_;
};

/// An expression as logical operators over leaves. The expression outlives it.
class Formula {
 public:
  Formula(const Expr& expr, Leaves& leaves) : root_(Add(expr, leaves)) {}

  /// The outcome if each leaf has one of its outcomes.
  [[nodiscard]] Truth Judge(const std::vector<Truth>& leaves) const { return At(root_, leaves); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  enum class Operator { kLeaf, kConstant, kNot, kAnd, kOr, kChoice };
  struct Node {
    Operator is = Operator::kLeaf;
    std::size_t leaf = 0;
    Truth constant = kAnyTruth;
    std::vector<std::size_t> args = {};
  };

  std::size_t Add(const Expr& expr, Leaves& leaves);
  [[nodiscard]] Truth At(std::size_t node, const std::vector<Truth>& leaves) const;

  std::vector<Node> nodes_;
  std::size_t root_;
};

}  // namespace bindery::cel
