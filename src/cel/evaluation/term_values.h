#pragma once

#include "cel/syntax/ast.h"

namespace bindery::cel {

/// Whether `outer` holds for every value of some term at which `inner` may hold, whatever else is
/// true. A term is what `outer` compares with constants: `request.time.getHours("Europe/Berlin")`,
/// `destination.port`, `resource.name.extract("/objects/{folder}/")`. False without a proof. Pure.
[[nodiscard]] bool HoldsByValues(const Expr& inner, const Expr& outer);

}  // namespace bindery::cel
