#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "providers/google/conditions/checker.h"

namespace bindery::google::conditions {

using cel::Finding;
using cel::Severity;

/// "column: message [Unit]" of every finding, "[Unit, warning]" of a warning.
inline std::vector<std::string> FindingsOf(std::string_view expression,
                                           const CheckContext& context = {}) {
  std::vector<std::string> texts;
  for (const Finding& finding : CheckCondition(expression, context)) {
    texts.push_back(std::to_string(finding.at.column) + ": " + finding.message + " [" +
                    finding.unit + (finding.severity == Severity::kWarning ? ", warning]" : "]"));
  }
  return texts;
}

/// An expression and all that is said of it.
struct Checked {
  std::string expression;
  std::vector<std::string> findings;
};

}  // namespace bindery::google::conditions
