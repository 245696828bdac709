#pragma once

#include <cstdint>
#include <optional>

#include "controller/engine_actions.h"
#include "controller/operator_commands.h"
#include "controller/scan_intake.h"
#include "controller/work_flow.h"
#include "store/change.h"

namespace bindery {

/// The controller without threads, sockets and clocks: it is told what happened and when, and
/// answers what to do. It gives its parts their turns; what they decide is written at their heads.
///
/// One target goes through: waiting → checking (a read) → [parked until its pass can be judged] →
/// [writing] → waiting for its next check. Never two of these at once.
///
/// Belongs to the loop thread; kinds and observer outlive it.
class Engine {
 public:
  using CheckTask = EngineActions::CheckTask;
  using WriteTask = EngineActions::WriteTask;
  using Actions = EngineActions;
  using Connections = CloudCalls::Connections;
  using Dates = TimeWatch::Dates;
  using Scanned = ScanIntake::Scanned;
  using Reply = Requesters::Reply;
  using Decided = RemovalHolds::Decided;

  Engine(const Kinds& kinds, EngineObserver& observer, std::uint64_t seed);

  /// Knows all that a different one does, and has nothing under way nor due: to try out what would
  /// follow. Takes over its connections, but neither its quotas nor what services say of the time.
  /// `from` outlives the object.
  Engine(const Engine& from, EngineObserver& observer);

  /// They may be called again when the configuration was reloaded.
  void SetSettings(const EngineSettings& settings);
  void SetConnections(Connections connections);
  /// What the services of each provider say of the time.
  void SetDates(Dates dates) { time_.SetDates(std::move(dates)); }

  /// What the last run left besides what the catalog has loaded by now; every known target becomes
  /// due. Nothing is taken up before the first scan, or a few seconds when none comes: the
  /// knowledge may be outdated.
  void Start(const StoredState& stored, const Now& now);

  /// What the directory says.
  [[nodiscard]] ScanIntake& scans() { return scans_; }
  /// What people ask for.
  [[nodiscard]] OperatorCommands& commands() { return commands_; }
  /// What the tasks came to.
  [[nodiscard]] WorkFlow& flow() { return flow_; }

  /// Everything to do now.
  [[nodiscard]] Actions Step(const Now& now);
  /// Only what must be recorded or answered; takes up no new work. For shutdown.
  [[nodiscard]] Actions DrainRecords();
  /// When to call Step again if nothing happens before.
  [[nodiscard]] std::optional<MonoTime> NextWake() const;
  /// Nothing runs or waits that belongs to the pass; re-checks may. Targets that failed more than
  /// `patience` times in a row are not waited for, nor what a service put off beyond `until`.
  [[nodiscard]] bool Settled(int patience, MonoTime until = MonoTime::max()) const;
  /// Unchanged targets are recorded within a second. This records them with the next actions, so
  /// that a requested check has its time on record when it is answered.
  void RecordTouches() { outbox_.RecordTouches(); }

  // For those who look on.
  [[nodiscard]] Catalog& catalog() { return catalog_; }
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] const EngineSettings& settings() const { return settings_; }
  [[nodiscard]] const RemovalControl& removals() const { return removals_; }
  [[nodiscard]] const Guard& guard() const { return removals_.guard(); }
  [[nodiscard]] WorkSchedule& schedule() { return schedule_; }
  [[nodiscard]] const WorkSchedule& schedule() const { return schedule_; }
  [[nodiscard]] const TimeWatch& time() const { return time_; }
  [[nodiscard]] const OscillationWatch& oscillation() const { return oscillation_; }

 private:
  void RestoreRollback(const StoredState::Rollback& stored, StoreChange& change, const Now& now);
  void PassTime(const Now& now);

  Catalog catalog_;
  EngineSettings settings_;
  Outbox outbox_;
  Rollbacks rollbacks_;
  RemovalControl removals_;
  OscillationWatch oscillation_;
  TimeWatch time_;
  AcceptanceWatch acceptances_;
  WorkSchedule schedule_;
  WorkFlow flow_;
  ScanIntake scans_;
  OperatorCommands commands_;
};

}  // namespace bindery
