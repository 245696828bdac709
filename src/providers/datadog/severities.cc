#include "providers/datadog/severities.h"

namespace bindery {
namespace {

SeverityRules MakeRules() {
  SeverityRules rules;
  for (const char* weak : {"viewer", "runner", "resolver"}) {
    rules.push_back({.role = weak, .severity = Severity::kMedium});
  }
  rules.push_back({.member = "org:*", .severity = Severity::kCritical});
  return rules;
}

}  // namespace

const SeverityRules& RestrictionSeverities() {
  static const SeverityRules kRules = MakeRules();
  return kRules;
}

}  // namespace bindery
