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

#include "controller/removal.h"
#include "controller/removal_evidence.h"
#include "controller/resource_entry.h"
#include "controller/target_work.h"
#include "controller/work_queue.h"
#include "core/target_key.h"
#include "store/records.h"

namespace bindery {

template <typename T>
using ByTarget = std::unordered_map<TargetKey, T, TargetKey::Hash>;

/// Removals of one target that the evidence does not allow yet.
struct WithheldRemovals {
  std::vector<Grant> grants;
  std::vector<std::string> why = {};  ///< Of each of them.
  /// By resource; "": of undeclared roles.
  std::map<std::string, RemovalEvidence::Verdict> by_resource;
};

/// What the claim says is written, not only observed or left alone.
[[nodiscard]] inline bool IsCarriedOut(const Claim& claim) {
  return claim.treatment == ManagementPolicy::kEnforce ||
         claim.treatment == ManagementPolicy::kRemove;
}

/// How far the work on a target is. Which moves are legal says MayMove (work_table.h).
enum class WorkPhase { kChecking, kParked, kReadyToWrite, kWriting };
inline constexpr std::size_t kWorkPhases = 4;

/// One check of a target and what follows from it.
struct TargetUnderWork {
  WorkPhase phase = WorkPhase::kChecking;
  std::optional<WallTime> read_before;  ///< The last reading before it was begun.
  std::shared_ptr<const CheckJob> job;  ///< Never null once the check has begun.
  WorkQueue::Taken taken;
  MonoTime started;
  std::int64_t restores = 0;  ///< The revision that is to come back instead; 0: none.
  Desired desired;            ///< What was wanted when it was read.
  Observation seen;
  Sha256Digest body;  ///< Of what was read.
  PolicyText policy;
  std::string grants_digest;       ///< As CheckResult::grants_digest.
  TargetPlan plan;                 ///< The whole difference.
  TargetPlan permitted;            ///< What may be written of it; without the differences.
  MonoTime ready_at;               ///< Since when the write waits for its turn.
  bool held = false;               ///< Removals wait for the guard, or were denied.
  std::vector<Grant> kept = {};    ///< Those; the denied ones first.
  std::size_t denied = 0;          ///< How many these are.
  CountedRemovals counted = {};    ///< Of what is permitted.
  WithheldRemovals withheld = {};  ///< Removals that wait for better evidence; not in `plan`.
  std::string ask;                 ///< Why those in `plan` wait for an operator, if they do.
  bool paused = false;             ///< Not written now, as it is changed back and forth.
  bool slow = false;               ///< Its last call was answered late or never.
  std::uint64_t rules = 0;         ///< Under which settings it was begun.
  std::string actor = "bindery";
  std::chrono::nanoseconds spent{0};
  std::uint64_t trace_parent = 0;
  TraceContext pass;

  /// The claim of that resource, as it was when the target was read; null: none.
  [[nodiscard]] const Claim* ClaimOf(const std::string& resource) const;
  /// How it was to be treated then; what was not looked at was left alone.
  [[nodiscard]] ManagementPolicy ManagementPolicyOf(const std::string& resource) const;
  /// Differences found in the name of that resource.
  [[nodiscard]] std::size_t DifferencesOf(const std::string& resource) const;
  /// Something is otherwise in its name, or in none's.
  [[nodiscard]] bool Concerns(const std::string& resource) const;
  /// All that is to be removed on the target is in the plan: none of it is only observed,
  /// suspended, or waits for something.
  [[nodiscard]] bool IsJudgedInFull(const TargetEntry& target) const;
};

}  // namespace bindery
