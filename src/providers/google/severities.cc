#include "providers/google/severities.h"

namespace bindery {
namespace {

SeverityRules MakeRules() {
  SeverityRules rules;
  for (const char* everybody : {"allUsers", "allAuthenticatedUsers"}) {
    rules.push_back({.member = everybody, .severity = Severity::kCritical});
  }
  // Roles that let their holder change access itself, or everything.
  for (const char* owner : {"roles/owner", "roles/editor", "*admin*", "*owner"}) {
    rules.push_back({.role = owner, .severity = Severity::kCritical});
  }
  return rules;
}

}  // namespace

const SeverityRules& IamSeverities() {
  static const SeverityRules kRules = MakeRules();
  return kRules;
}

}  // namespace bindery
