#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "controller/calls/project_questions.h"
#include "controller/removals/engine_settings.h"
#include "controller/removals/removal_control.h"
#include "controller/watch/oscillation_watch.h"
#include "controller/work/work_schedule.h"

namespace bindery::controller {

/// Brings the directory into force: scans, the due targets, and the facts that must be known before
/// a scan can be understood.
///
/// Invariants: the targets that a scan changes are due now and judged as one pass. While the first
/// scan is waited for, nothing may be taken up: the recorded state may be outdated. Belongs to the
/// loop thread; all arguments outlive the object. Reads no clock: callers pass the time.
class ScanIntake {
 public:
  /// The parts of the object.
  struct Parts {
    Catalog& catalog;
    const EngineSettings& settings;
    Outbox& outbox;
    WorkSchedule& schedule;
    RemovalControl& removals;
    OscillationWatch& oscillation;
  };
  explicit ScanIntake(const Parts& parts)
      : parts_(parts), questions_(parts.catalog.project_names()) {}

  /// Every known target is due, and waits for the first scan, or a few seconds when none comes.
  void AwaitFirst(const Now& now);
  /// Every target is due, and all are judged as one pass.
  void CheckAll(const Now& now);
  [[nodiscard]] bool awaits_first() const { return first_by_.has_value(); }

  /// A consistent scan. Returns its changes; the store change is among the next actions.
  struct Scanned {
    bool confirm = false;  ///< Scan once more soon: manifests are missing.
    std::vector<manifests::Problem> conflicts;
    std::vector<std::string> previews;
    std::size_t changed_targets = 0;
  };
  Scanned Scan(const ScanInput& scan, const Now& now);
  /// A scan that found everything as in force updates the knowledge of the files.
  void Remember(const ScanInput& scan, const Now& now);
  /// A scan failed, or found the directory changing (`why` is empty then): removals that wait for
  /// the directory to settle continue to wait.
  void ScanFailed(const std::string& why, const Now& now);
  /// A change could not be recorded: the next start must not rely on the store for what the
  /// directory says. Told to the store as soon as it can be written again.
  void OnStoreWriteFailed(const Now& now);
  /// The answer to a question of what project a number is.
  void Identified(const ProjectNames::Question& question,
                  const Expected<reconcilers::ProjectIdentity>& answer, const Now& now);

  /// To be called at each step before anything is taken up: nothing may go by an output that is no
  /// more.
  void PassTime(const Now& now);
  /// Targets whose removals wait for a new cause are read again, as one pass.
  void CheckWithheld(const Now& now);
  /// Nothing is to be done about the target any more.
  void ReleaseTarget(const TargetKey& key, const Now& now);
  [[nodiscard]] bool asks_questions() const { return questions_.any_under_way(); }
  /// When PassTime has something to do if nothing happens before.
  [[nodiscard]] std::optional<MonoTime> NextWake() const;

 private:
  Scanned TakeScan(const ScanInput& scan, bool all_wait, const Now& now);
  void MakeDue(const std::vector<TargetKey>& targets, const Now& now);
  void LookEnded(const std::vector<TargetKey>& changed, const Now& now);
  void AskQuestions(const Now& now);

  Parts parts_;
  ProjectQuestions questions_;
  std::optional<MonoTime> first_by_;
  std::optional<MonoTime> distrust_at_;  ///< When to tell the store that it lacks a change.
};

}  // namespace bindery::controller
