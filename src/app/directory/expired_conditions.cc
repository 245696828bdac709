#include "app/directory/expired_conditions.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "cel/expiry/expiry.h"
#include "cel/syntax/excerpt.h"
#include "cel/syntax/parser.h"
#include "manifests/documents/spec.h"

namespace bindery::app {

std::optional<manifests::Problem> ExpiredCondition(const manifests::Manifest& manifest,
                                                   WallTime now) {
  if (manifest.references != nullptr) return std::nullopt;
  const std::string expression = manifests::TimedExpression(manifest.spec);
  if (expression.empty()) return std::nullopt;
  const Expected<cel::ExprPtr> tree = cel::Parse(expression);
  if (!tree) return std::nullopt;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
  const auto finding = cel::ExpiredFinding(**tree, cel::Timestamp{seconds.count(), 0});
  if (!finding) return std::nullopt;
  manifests::Problem problem;
  problem.file = manifest.source.file;
  problem.line = manifest.source.line;
  problem.path = "spec.condition.expression";
  problem.severity = manifests::ProblemSeverity::kWarning;
  problem.code = finding->unit;
  problem.message = finding->message;
  problem.resource = manifest.name;
  problem.excerpt = cel::Excerpt(expression, finding->at);
  return problem;
}

report::ExpiredManifest MakeExpiredManifest(const manifests::Problem& expired) {
  return {expired.resource, expired.file, expired.line};
}

std::vector<report::ExpiredManifest> ExpiredIn(const controller::DryRun& run,
                                               const std::vector<std::string>& names) {
  std::vector<report::ExpiredManifest> expired;
  for (const auto& [name, entry] : run.catalog().claims().resources()) {
    const bool asked = names.empty() || std::ranges::find(names, name) != names.end();
    if (!asked || !entry.accepted || entry.leaving()) continue;
    if (const auto found = ExpiredCondition(*entry.manifest, run.now().wall)) {
      expired.push_back(MakeExpiredManifest(*found));
    }
  }
  std::ranges::sort(
      expired, {}, [](const report::ExpiredManifest& one) { return std::tie(one.file, one.line); });
  return expired;
}

}  // namespace bindery::app
