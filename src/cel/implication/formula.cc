#include "cel/implication/formula.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>

#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

constexpr std::string_view kTruthOperators[] = {"_&&_", "_||_", "!_",  "_==_", "_!=_",
                                                "_<_",  "_<=_", "_>_", "_>=_", "_in_"};
constexpr std::string_view kTruthMacros[] = {"has", "all", "exists", "exists_one"};
constexpr std::string_view kTruthMethods[] = {"startsWith", "endsWith",  "hasOnly",    "matchTag",
                                              "matchTagId", "hasTagKey", "hasTagKeyId"};

const bool* BoolIn(const Expr& expr) {
  return expr.kind == ExprKind::kConstant ? std::get_if<bool>(&expr.value) : nullptr;
}

/// The expression is true, false or an error, and nothing else.
bool IsTruth(const Expr& expr) {
  const auto names = [&expr](const auto& list) {
    return std::find(std::begin(list), std::end(list), expr.name) != std::end(list);
  };
  return (expr.kind == ExprKind::kCall && names(kTruthOperators)) ||
         (expr.kind == ExprKind::kMember && names(kTruthMethods)) ||
         (expr.kind == ExprKind::kMacro && names(kTruthMacros));
}

/// `part == true` and the like.
struct TruthComparison {
  const Expr* part = nullptr;
  bool negated = false;
};

TruthComparison ComparisonWithTruth(const Expr& expr) {
  const bool equal = IsCall(expr, "_==_", 2);
  if (!equal && !IsCall(expr, "_!=_", 2)) return {};
  for (const std::size_t side : {0U, 1U}) {
    const bool* constant = BoolIn(*expr.args[1 - side]);
    const Expr& part = *expr.args[side];
    if (constant != nullptr && IsTruth(part)) return {&part, *constant != equal};
  }
  return {};
}

}  // namespace

std::size_t Leaves::Add(const Expr& expr) {
  const auto [at, added] = by_text_.emplace(Print(expr), all_.size());
  if (added) all_.push_back(&expr);
  return at->second;
}

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
std::size_t Formula::Add(const Expr& expr, Leaves& leaves) {
  Node node;
  if (const bool* constant = BoolIn(expr)) {
    node = {Operator::kConstant, 0, MakeTruth(*constant)};
  } else if (const TruthComparison comparison = ComparisonWithTruth(expr);
             comparison.part != nullptr) {
    const std::size_t part = Add(*comparison.part, leaves);
    if (!comparison.negated) return part;
    node.is = Operator::kNot;
    node.args = {part};
  } else {
    const std::pair<std::string_view, Operator> operators[] = {{"_&&_", Operator::kAnd},
                                                               {"_||_", Operator::kOr},
                                                               {"!_", Operator::kNot},
                                                               {"_?_:_", Operator::kChoice}};
    const auto* const found =
        std::find_if(std::begin(operators), std::end(operators),
                     [&expr](const auto& each) { return each.first == expr.name; });
    if (expr.kind == ExprKind::kCall && found != std::end(operators)) {
      node.is = found->second;
      for (const ExprPtr& operand : expr.args) node.args.push_back(Add(*operand, leaves));
    } else {
      node.leaf = leaves.Add(expr);
    }
  }
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
Truth Formula::At(std::size_t node, const std::vector<Truth>& leaves) const {
  const Node& here = nodes_[node];
  const auto operand = [&](std::size_t i) { return At(here.args[i], leaves); };
  switch (here.is) {
    case Operator::kLeaf:
      return leaves[here.leaf];
    case Operator::kConstant:
      return here.constant;
    case Operator::kNot:
      return Negated(operand(0));
    case Operator::kAnd:
      return Joined(operand(0), operand(1), kFalse);
    case Operator::kOr:
      return Joined(operand(0), operand(1), kTrue);
    case Operator::kChoice:
      break;
  }
  return Chosen(operand(0), operand(1), operand(2));
}

}  // namespace bindery::cel
