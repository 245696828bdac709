#include "providers/google/conditions/checker.h"

#include <algorithm>
#include <utility>

#include "cel/syntax/excerpt.h"
#include "cel/syntax/parser.h"
#include "cel/types/type_checker.h"
#include "providers/google/conditions/lints.h"

namespace bindery::google::conditions {
namespace {

using cel::Finding;
using cel::Severity;

bool HoldsError(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::kError; });
}

std::vector<Finding> Check(std::string_view expression, const CheckContext& context) {
  std::vector<Finding> findings;
  cel::ParseResult parsed = cel::ParseAll(expression);
  for (cel::SyntaxError& error : parsed.errors) {
    findings.push_back(
        {"ConditionCompileCheck", Severity::kError, error.at, std::move(error.message), {}});
  }
  if (parsed.tree == nullptr) return findings;
  findings = cel::CheckTypes(*parsed.tree);
  // As by the service: what does not compile is not checked further.
  if (HoldsError(findings)) return findings;
  std::vector<Finding> lints = LintCondition(*parsed.tree, context);
  std::move(lints.begin(), lints.end(), std::back_inserter(findings));
  return findings;
}

}  // namespace

std::vector<Finding> CheckCondition(std::string_view expression, const CheckContext& context) {
  constexpr std::size_t kMaxFindings = 20;
  std::vector<Finding> findings = Check(expression, context);
  if (findings.size() > kMaxFindings) {
    // No deciding finding may be lost.
    std::stable_partition(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.severity == Severity::kError;
    });
    findings.resize(kMaxFindings);
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& one, const Finding& two) {
    return one.at.offset < two.at.offset;
  });
  for (Finding& finding : findings) finding.excerpt = cel::Excerpt(expression, finding.at);
  return findings;
}

}  // namespace bindery::google::conditions
