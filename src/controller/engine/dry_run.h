#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/engine/engine.h"
#include "controller/engine/foreseen.h"
#include "core/base/expected.h"

namespace bindery::controller {

/// A pass that changes nothing: the engine works on real readings, with simulated writes
/// and discarded records. The policy after a simulated write counts as the policy in the
/// cloud.
///
/// No time passes while targets are read; where the engine waits for a time, the dry run does not
/// wait. The reader handles quotas. Used by a single thread, and blocks the thread.
class DryRun final {
 public:
  /// How targets are read.
  struct Reads {
    /// As FetchPolicy(). From several threads at once.
    std::function<Expected<std::string>(const CheckJob&)> fetch = FetchPolicy;
    std::size_t at_once = 1;
    /// Progress: the number of read targets, of all targets to read; may be null.
    std::function<void(std::size_t done, std::size_t all)> told = nullptr;
    /// As for FinishCheck, from several threads at once: the guard judges by who made a difference.
    PolicyReader stored = {};
  };

  /// With a new engine: the caller loads and starts the engine, and passes the scan of the
  /// directory. `kinds` outlive the dry run.
  DryRun(const providers::Kinds& kinds, const EngineSettings& settings, const Now& now);
  /// For all targets of the engine `running`. `running` outlives the dry run and is only read here.
  DryRun(const Engine& running, const Now& now);
  /// The same for the part of the targets: see FindPart().
  DryRun(const Engine& running, const ClaimsPart& part, const Now& now);

  [[nodiscard]] Engine& engine() { return engine_; }
  [[nodiscard]] const Catalog& catalog() const { return engine_.catalog(); }
  [[nodiscard]] const Now& now() const { return now_; }

  /// The scan of the directory; missing manifests count as missing twice. Call after Engine::Start.
  void Scan(const ScanInput& scan);
  /// What came into force by now is taken to have been so, as declared, for long: what goes with
  /// the scans to come goes in the clouds too.
  void AssumeInForce();
  /// Manifests that wait for outputs of further manifests.
  [[nodiscard]] std::vector<std::string> AwaitingValues() const;
  /// Works until the pass is over: on all targets, or on the needs of the named resources.
  void Work(const std::vector<std::string>& names, const Reads& reads);

  /// By target: all targets, and the targets that went in the pass.
  [[nodiscard]] const ForeseenTargets::All& foreseen() const { return foreseen_.all(); }
  [[nodiscard]] const Guard& guard() const { return engine_.removals().guard(); }
  /// Why a target is paused.
  [[nodiscard]] std::string WhyPaused(const Target& target) const {
    return engine_.oscillation().WhyPaused(catalog().claims().MakeKey(target));
  }
  /// The error of the directory, as it would be recorded; empty where nothing was scanned.
  [[nodiscard]] const std::vector<store::ManifestProblemRecord>& problems() const {
    return problems_;
  }

 private:
  class Readings;
  /// What a target is answered with from now on.
  struct Answer {
    Expected<std::string> body;
    std::optional<reconcilers::Observation> written = {};  ///< What replaces it.
  };

  void NoteProblems(std::vector<store::StoreChange> changes);
  [[nodiscard]] bool CarryOut(Engine::Actions actions, Readings& readings);
  void Check(Engine::CheckTask task, Readings& readings);
  void Checked(const TargetKey& key, CheckResult result);
  void Write(Engine::WriteTask task);
  [[nodiscard]] bool BeginWanted(Readings& readings);
  [[nodiscard]] std::set<TargetKey> NeededTargets() const;

  ForeseenTargets foreseen_;
  Engine engine_;  ///< Tells foreseen_.
  Now now_;
  std::vector<std::string> names_;
  ByTarget<Answer> answers_;
  ByTarget<std::shared_ptr<const CheckJob>> unwanted_;  ///< Begun, and not read for now.
  std::vector<store::ManifestProblemRecord> problems_;
};

}  // namespace bindery::controller
