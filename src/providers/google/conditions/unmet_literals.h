#pragma once

#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/finding.h"
#include "providers/google/conditions/checker.h"

namespace bindery::google::conditions {

// A warning is only added where Google documents the form of the values.

/// Adds warnings about the literals of one expression, without its operands, that no request has:
/// a misspelt attribute, a text that is no role or tag.
void WarnOfUnmetLiterals(const cel::Expr& expr, std::vector<cel::Finding>& findings);

/// Adds warnings about the parts of a condition, joined by && and ||, that compare the name, the
/// type or the service of the resource with a text that no resource there has. In other places,
/// as under a negation, such a comparison is of use.
void WarnOfUnmetComparisons(const cel::Expr& condition, const CheckContext& context,
                            std::vector<cel::Finding>& findings);

}  // namespace bindery::google::conditions
