#pragma once

#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/finding.h"
#include "providers/google/conditions/checker.h"

namespace bindery::google::conditions {

/// Adds warnings about the literals of one expression, without its operands, that no request has:
/// a misspelt attribute, a text that is no role, tag or name of the resource. A warning is only
/// added where Google documents the form of the values.
void WarnOfUnmetLiterals(const cel::Expr& expr, const CheckContext& context,
                         std::vector<cel::Finding>& findings);

}  // namespace bindery::google::conditions
