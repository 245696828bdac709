#pragma once

#include <string>

#include "cel/syntax/ast.h"

namespace bindery::cel {

enum class Severity {
  kError,    ///< The service refuses the condition.
  kWarning,  ///< It accepts it, and it likely does not do what was meant.
};

/// The result of a check of a condition.
struct Finding {
  std::string unit;  ///< The check, named as by the service: "ConditionCompileCheck".
  Severity severity = Severity::kError;
  Position at;
  std::string message;  ///< One line.
  std::string excerpt;  ///< The line of the expression and a caret under it; see Excerpt().
};

}  // namespace bindery::cel
