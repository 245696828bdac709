#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "controller/claims/evidence_verdict.h"
#include "controller/claims/removal.h"
#include "controller/claims/resource_entry.h"
#include "controller/gates/target_work.h"
#include "controller/gates/work_queue.h"
#include "core/access/target_key.h"
#include "store/ports/records.h"

namespace bindery::controller {

template <typename T>
using ByTarget = std::unordered_map<TargetKey, T, TargetKey::Hash>;

/// What the claim says is written, not only observed or left alone.
[[nodiscard]] inline bool IsCarriedOut(const reconcilers::Claim& claim) {
  return claim.treatment == reconcilers::ManagementPolicy::kEnforce ||
         claim.treatment == reconcilers::ManagementPolicy::kRemove;
}

/// The claim declares the grant.
[[nodiscard]] bool Declares(const reconcilers::Claim& claim, const Grant& grant,
                            const reconcilers::Kind* kind);

/// How far the work on a target is. Which moves are legal says MayMove (work_table.h).
enum class WorkPhase { kChecking, kParked, kReadyToWrite, kWriting };
inline constexpr std::size_t kWorkPhases = 4;

/// The desired and the found state of a target at the same moment.
struct WorkReading : WideGrants {
  std::optional<WallTime> before;  ///< The last reading before the work was begun.
  reconcilers::Desired desired;    ///< What was wanted when it was read.
  reconcilers::Observation seen;   ///< After a write what it left.
  Sha256Digest body;               ///< Of what was read.
  PolicyText policy;               ///< Of `seen`.
  std::string grants_digest;       ///< As CheckResult::grants_digest.
};

/// The decision about the present write.
struct WorkDecision {
  reconcilers::ChangeCounts written = {};  ///< What the write does.
  CountedRemovals counted = {};            ///< Of its removals, what counts for the guard.
  std::string remedy = {};  ///< What helps, if the write was refused and no addition is why.
  bool takes_back = false;  ///< Only what a write gave too much; the rest has its turn after.
};

/// The requester of the work.
struct WorkOrigin {
  std::int64_t restores = 0;  ///< The revision that is to come back instead; 0: none.
  std::string actor = "bindery";
  std::uint64_t trace_parent = 0;  ///< The span of who asked for it; 0: none.
  telemetry::TraceContext pass;    ///< What it is part of; not valid() outside of passes.
};

struct WorkTimes {
  MonoTime started;
  MonoTime ready_at;                  ///< Since when the write waits for its turn.
  std::chrono::nanoseconds spent{0};  ///< In calls.
};

/// One check of a target with its consequences.
struct TargetUnderWork {
  WorkPhase phase = WorkPhase::kChecking;
  std::shared_ptr<const CheckJob> job;  ///< Never null once the check has begun.
  WorkQueue::Taken taken;
  WorkOrigin origin;
  WorkTimes times;
  WorkReading reading;
  reconcilers::TargetPlan plan;  ///< The whole difference.
  WorkDecision decision;
  /// What the evidence does not allow yet, by resource; "": of undeclared roles.
  std::map<std::string, EvidenceVerdict> awaits_evidence = {};
  std::string ask;          ///< Why those in `plan` wait for an operator, if they do.
  bool slow = false;        ///< Its last call was answered late or never.
  std::uint64_t rules = 0;  ///< Under which settings it was begun.

  /// The changes to write now.
  [[nodiscard]] reconcilers::TargetPlan Writes() const;
  /// Removals wait for the guard, or were denied.
  [[nodiscard]] bool IsHeld() const;
  /// Not written now, as the target is changed back and forth.
  [[nodiscard]] bool IsPaused() const { return plan.IsStoppedBy(reconcilers::Gate::kOscillation); }
  /// The claim of the resource, as it was when the target was read; null: none.
  [[nodiscard]] const reconcilers::Claim* FindClaim(const std::string& resource) const;
  /// The management policy at the time of the check; roles that were not checked were left alone.
  [[nodiscard]] reconcilers::ManagementPolicy GetManagementPolicy(
      const std::string& resource) const;
  /// Differences found in the name of the resource.
  [[nodiscard]] std::size_t ListDifferences(const std::string& resource) const;
  /// Something is otherwise in its name, or in none's.
  [[nodiscard]] bool Concerns(const std::string& resource) const;
  /// The grant is to be removed, or may have to be once claims that are observed, suspended or
  /// waiting are judged too.
  [[nodiscard]] bool MayRemove(const Grant& grant, const TargetEntry& target) const;
};

}  // namespace bindery::controller
