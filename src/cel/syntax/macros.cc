#include "cel/syntax/macros.h"

namespace bindery::cel {
namespace {

bool TakesVariable(const Expr& call) {
  const std::size_t arguments = call.args.size() - 1;
  if (call.name == "map") return arguments == 2 || arguments == 3;
  return arguments == 2 && (call.name == "all" || call.name == "exists" ||
                            call.name == "exists_one" || call.name == "filter");
}

}  // namespace

std::optional<SyntaxError> MarkMacro(Expr& call) {
  if (call.kind == ExprKind::kCall && call.name == "has" && call.args.size() == 1) {
    const Expr& field = *call.args[0];
    if (field.kind != ExprKind::kSelect || !field.optional.empty()) {
      return SyntaxError{field.begin,
                         "invalid argument to has() macro: it takes a field, such as "
                         "has(a.b)"};
    }
    call.kind = ExprKind::kMacro;
  }
  if (call.kind == ExprKind::kMember && TakesVariable(call)) {
    const Expr& variable = *call.args[1];
    if (variable.kind != ExprKind::kIdent || variable.name.front() == '.') {
      return SyntaxError{variable.begin,
                         "argument must be a simple name: the variable of " + call.name + "()"};
    }
    call.kind = ExprKind::kMacro;
  }
  return std::nullopt;
}

}  // namespace bindery::cel
