#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cel/evaluation/value.h"
#include "cel/syntax/ast.h"

namespace bindery::cel {

/// The expression has no value: "divide by zero", "no such key: …", "no such overload: …".
struct Failure {
  std::string message;
  Position at = {0, 0, 0};  ///< Of the part of the expression that failed; line 0: not said.
};

/// The value depends on what is not known here.
struct Unknown {
  std::vector<std::string> attributes;  ///< "resource.name", …: sorted, each once.
};

/// What an evaluation comes to. In IAM only the value `true` grants.
using Outcome = std::variant<Value, Failure, Unknown>;

/// Both sets together.
[[nodiscard]] Unknown Merge(const Unknown& left, const Unknown& right);

}  // namespace bindery::cel
