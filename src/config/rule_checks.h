#pragma once

// Private to the reading of a configuration: what a rule must have.

#include <string>

#include "config/reading.h"

namespace bindery::config {

// Reports what is missing or makes no sense. `place` is the path of the rule, which is at `at`.
void CheckRule(Reading& reading, const SeverityRule& rule, const std::string& place,
               yaml::Position at);
void CheckRule(Reading& reading, const TargetRule& rule, const std::string& place,
               yaml::Position at);
void CheckRule(Reading& reading, const ProtectedGrants& rule, const std::string& place,
               yaml::Position at);
void CheckRule(Reading& reading, const AcceptedDriftRule& rule, const std::string& place,
               yaml::Position at);

}  // namespace bindery::config
