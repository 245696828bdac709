#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "controller/claims/lent_check.h"
#include "core/access/drift.h"
#include "core/access/event.h"
#include "core/access/target.h"
#include "core/access/work.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "telemetry/trace.h"

namespace bindery::controller {

/// How the work on a target ended, for counters and logs.
struct TargetReport {
  Target target;
  std::string resources;  ///< Names, comma-separated, at most a few.
  WorkResult result = WorkResult::kSuccess;
  WorkAction action = WorkAction::kUnchanged;
  std::string message;
  std::chrono::nanoseconds duration{0};
  std::chrono::nanoseconds queued{0};    ///< From due to taken.
  std::chrono::nanoseconds lateness{0};  ///< Of a periodic check, against its interval.
  reconcilers::ChangeCounts written;     ///< What a write did.
  std::optional<Code> error;             ///< What it failed with.
  bool unexpected = false;               ///< As Error::unexpected.
  Priority trigger = Priority::kPeriodic;
  std::string_view provider;
  telemetry::TraceContext trace;
  std::uint64_t trace_parent = 0;  ///< The span of the requester; 0: none.
  telemetry::TraceContext pass;    ///< What it was part of; not valid() outside of passes.
  MonoTime started;                ///< When it was taken up.
};

/// A pass with removals to judge.
struct PassReport {
  telemetry::TraceContext trace;
  MonoTime started;
  std::size_t targets = 0;
  std::size_t unread = 0;  ///< Of them, those that were not waited for any longer.
};

struct TargetUnderWork;

/// Told what the engine does, on the loop thread. Must be quick.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  virtual void Worked(const TargetReport& /*report*/) {}
  virtual void Happened(const Event& /*event*/) {}
  /// A target was compared, and the decision about the present work is made: a write follows, or
  /// nothing changes. Called before any record.
  virtual void Judged(const TargetUnderWork& /*work*/) {}
  virtual void DriftFound(const Target& /*target*/, const DriftItem& /*item*/) {}
  virtual void DriftCorrected(const Target& /*target*/, const DriftItem& /*item*/) {}
  /// Some difference of the target is over.
  virtual void DriftGone(const Target& /*target*/) {}
  /// A check read the policy, or only the etag of the policy.
  virtual void PolicyRead(const Target& /*target*/, bool /*etag_only*/) {}
  /// A standby was asked to check the target, with this result.
  virtual void CheckedElsewhere(const Target& /*target*/, LentAnswer /*answer*/) {}
  /// What was read right after a write is not the written data.
  virtual void WriteContested(const Target& /*target*/) {}
  /// The target will be checked, now or later. `retry`: after a failure.
  virtual void Queued(const Target& /*target*/, bool /*retry*/) {}
  virtual void Taken(const Target& /*target*/, std::chrono::nanoseconds /*waited*/) {}
  virtual void PassJudged(const PassReport& /*pass*/) {}
};

/// The answer to a request for work on a target, at the end of the work.
struct WorkAnswer {
  bool done = false;    ///< The target is as wanted.
  std::string held;     ///< The guard withholds removals; the digest to approve.
  std::string message;  ///< One line for people.
};

}  // namespace bindery::controller
