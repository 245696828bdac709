#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/engine.h"
#include "controller/foreseen.h"
#include "core/expected.h"

namespace bindery {

/// A pass that changes nothing: the engine at work on policies that are read, with writes that are
/// only thought of and records that are dropped. What it would write is what it finds there from
/// then on.
///
/// No time passes while targets are read, however long that takes; where the engine waits for a
/// time, it does not. Quotas are left to the reader. Used by one thread, which it blocks.
class DryRun final {
 public:
  /// How targets are read.
  struct Reads {
    /// As FetchPolicy(). From several threads at once.
    std::function<Expected<std::string>(const CheckJob&)> fetch = FetchPolicy;
    std::size_t at_once = 1;
    /// Told how many of those that are to be read were; may be null.
    std::function<void(std::size_t done, std::size_t all)> told = nullptr;
    /// As for FinishCheck, from several threads at once: the guard judges by who made a difference.
    PolicyReader stored = {};
  };

  /// With an engine that knows nothing yet: the caller loads and starts it, and tells it what the
  /// directory says. `kinds` outlive this.
  DryRun(const Kinds& kinds, const EngineSettings& settings, const Now& now);
  /// Of all targets of the engine, which outlives this and is only read here.
  DryRun(const Engine& running, const Now& now);

  [[nodiscard]] Engine& engine() { return engine_; }
  [[nodiscard]] const Catalog& catalog() const { return engine_.catalog(); }
  [[nodiscard]] const Now& now() const { return now_; }

  /// What the directory says; of what is missing it is taken to say so again. After Engine::Start.
  void Scan(const ScanInput& scan);
  /// What came into force by now is taken to have been so, as declared, for long: what goes with
  /// the scans to come goes in the clouds too.
  void AssumeInForce();
  /// Manifests that wait for outputs of others.
  [[nodiscard]] std::vector<std::string> AwaitingValues() const;
  /// Works until the pass is over: on all targets, or those that these resources need.
  void Work(const std::vector<std::string>& names, const Reads& reads);

  /// By target: all there are, and those that went in the pass.
  [[nodiscard]] const ForeseenTargets::All& foreseen() const { return foreseen_.all(); }
  [[nodiscard]] const Guard& guard() const { return engine_.guard(); }
  /// Of a target that is paused.
  [[nodiscard]] std::string WhyPaused(const Target& target) const {
    return engine_.oscillation().WhyPaused(catalog().claims().KeyOf(target));
  }
  /// The error of the directory, as it would be recorded; empty where nothing was scanned.
  [[nodiscard]] const std::vector<ManifestProblemRecord>& problems() const { return problems_; }

 private:
  class Readings;
  /// What a target is answered with from now on.
  struct Answer {
    Expected<std::string> body;
    std::optional<Observation> written = {};  ///< What replaces it.
  };

  void NoteProblems(std::vector<StoreChange> changes);
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
  std::vector<ManifestProblemRecord> problems_;
};

}  // namespace bindery
