#pragma once

#include "app/observe/run_observer.h"
#include "app/plan/plan_desk.h"
#include "controller/loop/loop.h"
#include "core/base/mutex.h"
#include "server/control.h"
#include "server/requests/operator_command.h"
#include "store/ports/report_reader.h"
#include "store/ports/state_writer.h"

namespace bindery {

/// The running controller as the server sees it: every request is a task on the loop thread.
class LoopControl final : public Control {
 public:
  /// The used parts of the store.
  struct Storage {
    StateWriter& writer;
    const ReportReader& reader;
  };

  /// All must outlive the object.
  LoopControl(Loop& loop, Storage store, RunObserver& observer, bindery::Metrics& metrics,
              const Clock& clock);
  ~LoopControl() override = default;
  LoopControl(const LoopControl&) = delete;
  LoopControl& operator=(const LoopControl&) = delete;

  /// From any thread.
  void SetReportSettings(DriftSettings settings);

  void Execute(OperatorCommand command, std::string actor, Reply reply) override;
  void Plan(std::vector<std::string> names, PlanAsker asker, Reply reply) override;
  void PlanDirectory(PlanUpload upload, PlanAsker asker, Reply reply) override;
  void Metrics(std::function<void(std::string)> reply) override;
  [[nodiscard]] ActivityReport Activity() const override;
  [[nodiscard]] std::vector<HealthCheck> Health() const override;
  [[nodiscard]] DriftSettings ReportSettings() const override;

 private:
  void Start(command::Reconcile wanted, std::string actor, Reply reply);
  void Start(command::WaiveSettling wanted, std::string actor, Reply reply);
  void Start(command::Suspend wanted, std::string actor, Reply reply);
  void Start(command::Forget wanted, std::string actor, Reply reply);
  void Start(command::Approve wanted, std::string actor, Reply reply);
  void Start(command::Deny wanted, std::string actor, Reply reply);
  void Start(command::Rollback wanted, std::string actor, Reply reply);
  /// Sends the reply when all earlier decisions of the engine are durable: a reader of the store
  /// after the answer finds the answered state.
  [[nodiscard]] Reply AfterCommit(Reply reply);

  /// The errors of the manifests since the last load. Reads the store.
  [[nodiscard]] Expected<void> AddProblemsOnRecord(PassPlan& plan,
                                                   const std::vector<std::string>& names) const;

  Loop& loop_;
  const Storage store_;
  RunObserver& observer_;
  bindery::Metrics& metrics_;
  const Clock& clock_;
  mutable Mutex mutex_;
  DriftSettings report_settings_ GUARDED_BY(mutex_);
  PlanDesk plans_;  ///< Last: its thread uses what is above.
};

}  // namespace bindery
