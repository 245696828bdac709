#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "controller/guard/guard.h"
#include "core/access/canonical_json.h"

namespace bindery::testing {

inline controller::Removals Of(const std::string& target, int count, int first = 0) {
  controller::Removals removals;
  removals.target = {"Kind", "", target};
  removals.provider = "p";
  for (int i = first; i < first + count; ++i) {
    removals.grants.push_back({{"role", "user:u" + std::to_string(i) + "@example.com"}});
  }
  removals.resources = {"m-" + target};
  return removals;
}

inline controller::Removals Caused(controller::RemovalCause cause, controller::Removals removals) {
  for (controller::Removal& removal : removals.grants) removal.cause = cause;
  return removals;
}

inline controller::Removals Weighing(Severity severity, controller::Removals removals) {
  for (controller::Removal& removal : removals.grants) removal.severity = severity;
  return removals;
}

/// The grants of the removals are wanted, and no others.
inline std::function<bool(const Grant&)> Among(const controller::Removals& removals) {
  return [keys = controller::MakeGrantKeys(removals)](const Grant& grant) {
    return keys.contains(CanonicalGrant(grant));
  };
}

/// A reason that is told by a text alone.
inline std::vector<controller::GuardReason> Because(const std::string& text) {
  controller::GuardReason reason;
  reason.limit = controller::GuardReason::Limit::kRecorded;
  reason.name = text;
  return {reason};
}

inline controller::GuardLimits Limits(std::int64_t max, double fraction) {
  controller::GuardLimits limits;
  limits.max_removed_grants = max;
  limits.max_removed_fraction = fraction;
  return limits;
}

/// Why not all of them may go; empty: they may.
inline std::string ReasonAgainst(const controller::Guard& guard,
                                 const std::vector<controller::Removals>& together) {
  std::string reason;
  for (const auto& decision : guard.Judge(together, {})) {
    EXPECT_EQ(decision.allowed(), decision.reasons.empty() && decision.denied.grants.empty());
    if (reason.empty()) reason = controller::InWords(decision.reasons);
  }
  return reason;
}
inline bool MayGo(const controller::Guard& guard, const controller::Removals& removals) {
  return guard.Judge({removals}, {}).front().allowed();
}

/// It is that many minutes later than at the beginning.
inline controller::Now At(int minute) {
  return {MonoTime(std::chrono::hours(10)) + std::chrono::minutes(minute),
          WallTime(std::chrono::hours(500'000)) + std::chrono::minutes(minute)};
}

inline void CarryOut(controller::Guard& guard, const controller::Removals& removals) {
  guard.LetGo(removals);
  guard.recent().Sent(removals.target);
  guard.recent().Answered(removals.target, controller::RecentRemovals::Outcome::kHappened);
  std::vector<Grant> grants;
  for (const controller::Removal& removal : removals.grants) grants.push_back(removal.grant);
  guard.answers().CarriedOut(removals.target, grants);
}

}  // namespace bindery::testing
