#include "providers/datadog/severities.h"

namespace bindery::datadog {
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

const GrantSeverities& RestrictionSeverities() {
  static const GrantSeverities kSeverities = {.rules = MakeRules()};
  return kSeverities;
}

}  // namespace bindery::datadog
