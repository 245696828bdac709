#include "emulator/google/condition.h"

#include "cel/syntax/finding.h"
#include "providers/google/conditions/checker.h"

namespace bindery::emulator {
namespace {

/// "ERROR: Parse expression:1:4: token recognition error at: '=f'", columns from 0.
std::string CompileError(const cel::Finding& finding) {
  constexpr std::string_view kSyntax = "Syntax error: ";
  const bool syntax = finding.message.rfind(kSyntax, 0) == 0;
  return std::string(syntax ? "ERROR: Parse expression:" : "ERROR: expression:") +
         std::to_string(finding.at.line) + ":" + std::to_string(finding.at.column - 1) + ": " +
         finding.message.substr(syntax ? kSyntax.size() : 0);
}

}  // namespace

std::optional<std::string> LintCondition(std::string_view expression) {
  for (const cel::Finding& finding : google::conditions::CheckCondition(expression)) {
    if (finding.severity != cel::Severity::kError) continue;
    const bool compile = finding.unit == "ConditionCompileCheck";
    return "LintValidationUnits/" + finding.unit +
           " Error: " + (compile ? CompileError(finding) : finding.message);
  }
  return std::nullopt;
}

}  // namespace bindery::emulator
