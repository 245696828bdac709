#pragma once

#include <sstream>
#include <string>

#include "controller/engine/dry_run.h"

namespace bindery::testing {

inline std::string GetText(const Grant& grant) { return grant.role + " " + grant.principal; }

/// All that a plan tells of a target.
inline std::string TextOfForeseen(const controller::DryRun& run, const Target& target) {
  const auto found = run.foreseen().find(target);
  if (found == run.foreseen().end()) return "nothing\n";
  const controller::ForeseenTarget& foreseen = found->second;
  std::ostringstream text;
  const auto list = [&text](const char* title, const reconcilers::TargetPlan& plan) {
    for (const reconcilers::GrantChange& change : plan.changes) {
      text << title << static_cast<int>(change.action) << " " << GetText(change.grant) << " "
           << static_cast<int>(change.verdict) << "\n";
    }
  };
  list("written ", foreseen.written);
  list("planned ", foreseen.plan);
  for (const auto& [name, status] : foreseen.refused) text << name << " " << status.reason << "\n";
  for (const std::string& name : foreseen.names) text << name << "\n";
  if (foreseen.unread) text << "unread " << foreseen.unread->message << "\n";
  if (foreseen.unwritten) text << "unwritten " << foreseen.unwritten->message << "\n";
  return text.str();
}

}  // namespace bindery::testing
