#pragma once

#include <cstdint>
#include <optional>

#include "controller/calls/cloud_calls.h"
#include "controller/claims/claims_part.h"
#include "controller/engine/operator_commands.h"
#include "controller/engine/scan_intake.h"
#include "controller/outbox/engine_actions.h"
#include "controller/outbox/requesters.h"
#include "controller/work/work_flow.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// The controller without threads, sockets and clocks: callers pass events and times, and receive
/// actions. The engine gives its parts their turns; the head of each part describes the part's
/// decisions.
///
/// A target goes through: waiting → checking (a read) → [parked until its pass can be judged] →
/// [writing] → waiting for its next check. Never two phases at once.
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

  Engine(const providers::Kinds& kinds, EngineObserver& observer, std::uint64_t seed);

  /// Has the knowledge of `from`, without work under way or due work: to try out the consequences
  /// of a change. Takes over the connections, but neither the quotas nor the times of services.
  /// `from` outlives the engine. `part`: the claims it knows; null: all.
  Engine(const Engine& from, EngineObserver& observer, const ClaimsPart* part = nullptr);

  /// They may be called again when the configuration was reloaded.
  void SetSettings(const EngineSettings& settings);
  void SetConnections(Connections connections);
  /// What the services of each provider say of the time.
  void SetDates(Dates dates) { time_.SetDates(std::move(dates)); }

  /// What the last run left besides what the catalog has loaded by now; every known target becomes
  /// due. Nothing is taken up before the first scan, or a few seconds when none comes: the
  /// knowledge may be outdated.
  void Start(const StoredState& stored, const Now& now);

  /// Scans of the directory.
  [[nodiscard]] ScanIntake& scans() { return scans_; }
  /// Requests of people.
  [[nodiscard]] OperatorCommands& commands() { return commands_; }
  /// Results of tasks.
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
  /// Unchanged targets are recorded within a second. RecordTouches() records them with the next
  /// actions, so that the time of a requested check is on record before the answer.
  void RecordTouches() { outbox_.RecordTouches(); }

  // For observers.
  /// While it is the same, so are all resources with their statuses, and the drift of all targets:
  /// whatever changes them is put on record. Not before Start().
  [[nodiscard]] std::uint64_t changes() const { return outbox_.recorded(); }
  [[nodiscard]] Catalog& catalog() { return catalog_; }
  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] const EngineSettings& settings() const { return settings_; }
  [[nodiscard]] const RemovalControl& removals() const { return removals_; }
  [[nodiscard]] WorkSchedule& schedule() { return schedule_; }
  [[nodiscard]] const WorkSchedule& schedule() const { return schedule_; }
  [[nodiscard]] const TimeWatch& time() const { return time_; }
  [[nodiscard]] const OscillationWatch& oscillation() const { return oscillation_; }

 private:
  void RestoreRollback(const StoredState::Rollback& stored, store::StoreChange& change,
                       const Now& now);
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

}  // namespace bindery::controller
