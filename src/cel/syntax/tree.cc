#include "cel/syntax/tree.h"

namespace bindery::cel {

// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
std::optional<std::string> MakePath(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent) {
    return expr.name.front() == '.' ? expr.name.substr(1) : expr.name;
  }
  if (expr.kind != ExprKind::kSelect || !expr.optional.empty()) return std::nullopt;
  std::optional<std::string> path = MakePath(*expr.args[0]);
  if (path) *path += "." + expr.name;
  return path;
}

bool IsPath(const Expr& expr, std::string_view path) {
  const std::optional<std::string> found = MakePath(expr);
  return found && *found == path;
}

bool IsCall(const Expr& expr, std::string_view name, std::size_t arguments) {
  return expr.kind == ExprKind::kCall && expr.name == name && expr.args.size() == arguments;
}

const std::string* StringLiteral(const Expr& expr) {
  return expr.kind == ExprKind::kConstant ? std::get_if<std::string>(&expr.value) : nullptr;
}

}  // namespace bindery::cel
