#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/calls/cloud_calls.h"
#include "controller/claims/claims.h"
#include "controller/gates/engine_work.h"
#include "controller/gates/target_work.h"
#include "controller/outbox/engine_observer.h"

namespace bindery::controller {

/// The engine's decision about a target in a pass.
struct ForeseenTarget {
  std::vector<std::string> names = {};  ///< The manifests that declare something there, each once.
  std::optional<Error> unread = {};     ///< Why it could not be read in the end.
  bool judged = false;                  ///< It was compared with what is declared.
  // At the first comparison
  bool exists = false;     ///< As Observation::exists.
  std::size_t grants = 0;  ///< That it held.
  // Over all of the pass
  reconcilers::TargetPlan written = {};   ///< What all writes come to together.
  std::optional<Severity> severity = {};  ///< Of the worst difference.
  std::optional<Error> unwritten = {};    ///< Why a write would fail.
  // At the last comparison
  std::vector<reconcilers::Claim> claims = {};  ///< Without what they declare.
  /// Resources that cannot reach their declared state, with the status.
  std::vector<std::pair<std::string, ResourceStatus>> refused = {};
  reconcilers::TargetPlan plan = {};  ///< With the verdicts of all gates.
};

/// Collects the outcome of a pass for each target, from the reports of the engine to its observer
/// and from the answers.
///
/// Invariant: a grant is not both added and removed; a grant that one write adds and a later write
/// removes counts as neither. Used by a single thread.
class ForeseenTargets final : public EngineObserver {
 public:
  using All = std::map<Target, ForeseenTarget>;
  [[nodiscard]] const All& all() const { return all_; }

  /// The engine wants that target read for the first time.
  void NoteWanted(const CheckJob& job);
  /// The result of a reading of the target.
  void NoteRead(const Target& target, const CheckResult& result);
  /// What a write of the plan came to, or would.
  void NoteWritten(const Target& target, const reconcilers::TargetPlan& plan,
                   const WriteResult& result);
  /// The pass is over: targets that needed no call were never wanted, and belong to it too.
  void AddUntouched(const Claims& claims, const CloudCalls& calls);

  void Judged(const TargetUnderWork& work) override;

 private:
  All all_;
};

}  // namespace bindery::controller
