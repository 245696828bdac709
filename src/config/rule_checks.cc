#include "config/rule_checks.h"

#include <algorithm>

namespace bindery::config {

namespace {

/// A fault was reported for the key, or for a key inside.
bool AnyFault(const Reading& reading, const std::string& path) {
  return std::ranges::any_of(reading.problems, [&path](const ConfigProblem& problem) {
    return problem.path.starts_with(path);
  });
}

}  // namespace

void CheckRule(Reading& reading, const SeverityRule& /*rule*/, const std::string& place,
               yaml::Position at) {
  if (reading.Given(place + ".severity")) return;
  reading.Add(at, place + ".severity", "is missing: low, medium, high or critical");
}

void CheckRule(Reading& reading, const TargetRule& rule, const std::string& place,
               yaml::Position at) {
  if (rule.match.empty() && !reading.Faulty(place + ".match")) {
    reading.Add(at, place + ".match", "is missing: the pattern of a target's name");
  }
  if (reading.Given(place + ".condition")) {
    for (const char* setting : {".selfLockout", ".lastOwner"}) {
      if (!reading.Given(place + setting)) continue;
      reading.Add(reading.Where(place + setting), place + setting,
                  "is no matter of single grants: a rule with a condition has undeclaredRoles");
    }
    if (!rule.condition.Restricts() && !AnyFault(reading, place + ".condition")) {
      reading.Add(reading.Where(place + ".condition"), place + ".condition",
                  "fits every condition: name a title, expression or endsWithin");
    }
    if (!reading.Given(place + ".undeclaredRoles")) {
      reading.Add(at, place, "sets nothing: undeclaredRoles");
    }
    return;
  }
  for (const char* setting : {".undeclaredRoles", ".selfLockout", ".lastOwner"}) {
    if (reading.Given(place + setting)) return;
  }
  reading.Add(at, place, "sets nothing: undeclaredRoles, selfLockout or lastOwner");
}

void CheckRule(Reading& reading, const ProtectedGrants& rule, const std::string& place,
               yaml::Position at) {
  if (rule.condition.Restricts() || AnyFault(reading, place + ".condition")) return;
  reading.Add(at, place + ".condition",
              "is missing, or fits every condition: name a title, expression or endsWithin");
}

void CheckRule(Reading& reading, const AcceptedDriftRule& rule, const std::string& place,
               yaml::Position at) {
  const auto require = [&](const char* key, const std::string& text, const char* what) {
    const std::string path = place + "." + key;
    if (reading.Faulty(path) || text.find_first_not_of(" \t\n") != std::string::npos) return;
    const bool given = reading.Given(path);
    reading.Add(given ? reading.Where(path) : at, path,
                std::string(given ? "is empty: " : "is missing: ") + what);
  };
  const std::string match = place + ".match";
  if (!AnyFault(reading, match) && !Restricts(rule)) {
    const bool given = reading.Given(match);
    reading.Add(given ? reading.Where(match) : at, match,
                std::string(given ? "fits every difference" : "is missing") +
                    ": name a target, role, member, class or condition");
  }
  require("reason", rule.acceptance.reason, "why it may stay");
  require("owner", rule.acceptance.owner, "who answers for it");
}

}  // namespace bindery::config
