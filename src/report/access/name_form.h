#pragma once

#include <optional>
#include <string>

#include "cel/syntax/ast.h"

namespace bindery::report {

/// What the form of all values of resource.name (providers::TargetPart::form) says of the tests of
/// resource.name in the condition: "!(resource.name.endsWith(\"/b\")) && …". Empty: nothing.
/// Pure.
[[nodiscard]] std::string ListNameFacts(const cel::Expr& condition, const std::string& form);

}  // namespace bindery::report
