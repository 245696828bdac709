#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/claims.h"
#include "controller/cloud_calls.h"
#include "controller/engine_observer.h"
#include "controller/engine_work.h"
#include "controller/target_work.h"

namespace bindery {

/// What a pass would do about one target, as the engine decided it.
struct ForeseenTarget {
  std::vector<std::string> names = {};  ///< Who declares something there, former claims included.
  std::optional<Error> unread = {};     ///< Why it could not be read in the end.
  bool judged = false;                  ///< It was compared with what is declared.
  // When it was compared first
  bool exists = false;     ///< As Observation::exists.
  std::size_t grants = 0;  ///< That it held.
  // Over all of the pass
  TargetPlan written = {};                ///< What all writes come to together.
  std::optional<Severity> severity = {};  ///< Of the worst difference.
  std::optional<Error> unwritten = {};    ///< Why a write would fail.
  // When it was compared last
  std::vector<Claim> claims = {};  ///< Without what they declare.
  /// Resources that cannot be brought to what they declare, and why.
  std::vector<std::pair<std::string, ResourceStatus>> refused = {};
  TargetPlan plan = {};  ///< With the verdicts of all gates.
};

/// Puts together what a pass would do about each target: from what the engine tells its observer,
/// and from what it was answered.
///
/// Invariant: a grant is not both added and removed; what one write adds and a later one removes is
/// neither. Used by one thread.
class ForeseenTargets final : public EngineObserver {
 public:
  using All = std::map<Target, ForeseenTarget>;
  [[nodiscard]] const All& all() const { return all_; }

  /// The engine wants that target read for the first time.
  void NoteWanted(const CheckJob& job);
  /// What a reading of it came to.
  void NoteRead(const Target& target, const CheckResult& result);
  /// What a write of the plan came to, or would.
  void NoteWritten(const Target& target, const TargetPlan& plan, const WriteResult& result);
  /// The pass is over: targets that needed no call were never wanted, and belong to it too.
  void AddUntouched(const Claims& claims, const CloudCalls& calls);

  void Worked(const TargetReport& /*report*/) override {}
  void Happened(const Event& /*event*/) override {}
  void DriftFound(const Target& /*target*/, const DriftItem& /*item*/) override {}
  void DriftCorrected(const Target& /*target*/, const DriftItem& /*item*/) override {}
  void Queued(const Target& /*target*/, bool /*retry*/) override {}
  void Taken(const Target& /*target*/, std::chrono::nanoseconds /*waited*/) override {}
  void Judged(const TargetUnderWork& work) override;

 private:
  All all_;
};

}  // namespace bindery
