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
  /// By resource; "": of roles that nobody declares.
  std::map<std::string, RemovalEvidence::Verdict> by_resource;
};

/// A target with removals that wait for better evidence.
struct WithheldTarget {
  RemovalEvidence::Verdict told;               ///< Of what waits longest.
  std::vector<RemovalEvidence::Verdict> each;  ///< Of each claim on it, when it was read.
};

/// How far the work on a target is.
enum class WorkPhase { kChecking, kParked, kReadyToWrite, kWriting };

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
  std::vector<Grant> kept = {};    ///< Those.
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
};

/// A hold an operator approved, and where it still has to be carried out.
struct Approval {
  HoldRecord hold;
  std::set<Target> targets;
};

/// A recorded policy that is to come back.
struct PendingRollback {
  std::int64_t revision = 0;
  Json policy;
  std::string actor;
  std::vector<std::string> suspended;  ///< Names that were enforced until then.
};

/// A policy that is answered without most of what it held.
struct Doubt {
  std::string digest;  ///< Of the answer.
  MonoTime since;
};
/// A target that is answered with NOT_FOUND.
struct Absence {
  MonoTime since;
  int reads = 0;
};

}  // namespace bindery
