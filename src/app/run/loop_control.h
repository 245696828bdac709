#pragma once

#include "app/observe/run_observer.h"
#include "app/planning/plan_desk.h"
#include "controller/loop/loop.h"
#include "core/base/mutex.h"
#include "server/control.h"
#include "server/requests/operator_command.h"
#include "store/ports/report_reader.h"
#include "store/ports/state_writer.h"

namespace bindery::app {

/// The running controller as the server sees it: every request is a task on the loop thread.
class LoopControl final : public server::Control {
 public:
  /// The used parts of the store.
  struct Storage {
    store::StateWriter& writer;
    const store::ReportReader& reader;
  };

  /// All must outlive the object.
  LoopControl(controller::Loop& loop, Storage store, RunObserver& observer,
              telemetry::Metrics& metrics, const Clock& clock);
  ~LoopControl() override = default;
  LoopControl(const LoopControl&) = delete;
  LoopControl& operator=(const LoopControl&) = delete;

  /// From any thread.
  void SetReportSettings(report::DriftSettings settings);

  void Execute(server::OperatorCommand command, std::string actor, Reply reply) override;
  void Plan(std::vector<std::string> names, server::PlanAsker asker,
            std::shared_ptr<server::PlanLines> lines, Reply reply) override;
  void PlanDirectory(server::PlanUpload upload, server::PlanAsker asker, Reply reply) override;
  void Metrics(std::function<void(std::string)> reply) override;
  [[nodiscard]] report::ActivityReport Activity() const override;
  [[nodiscard]] std::vector<server::HealthCheck> Health() const override;
  [[nodiscard]] report::DriftSettings ReportSettings() const override;

 private:
  void Start(server::command::Reconcile wanted, std::string actor, Reply reply);
  void Start(server::command::WaiveSettling wanted, std::string actor, Reply reply);
  void Start(server::command::Suspend wanted, std::string actor, Reply reply);
  void Start(server::command::Forget wanted, std::string actor, Reply reply);
  void Start(server::command::Approve wanted, std::string actor, Reply reply);
  void Start(server::command::Deny wanted, std::string actor, Reply reply);
  void Start(server::command::Rollback wanted, std::string actor, Reply reply);
  /// Sends the reply when all earlier decisions of the engine are durable: a reader of the store
  /// after the answer finds the answered state.
  [[nodiscard]] Reply AfterCommit(Reply reply);

  /// The errors of the manifests since the last load. Reads the store.
  [[nodiscard]] Expected<void> AddProblemsOnRecord(report::PassPlan& plan,
                                                   const std::vector<std::string>& names) const;

  controller::Loop& loop_;
  const Storage store_;
  RunObserver& observer_;
  telemetry::Metrics& metrics_;
  const Clock& clock_;
  mutable Mutex mutex_;
  report::DriftSettings report_settings_ GUARDED_BY(mutex_);
  PlanDesk plans_;  ///< Last: its thread uses what is above.
};

}  // namespace bindery::app
