#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/replicas/request_relay.h"
#include "core/base/mutex.h"
#include "report/forms/report_folder.h"
#include "server/control.h"
#include "store/ports/sharing.h"
#include "telemetry/metrics.h"

namespace bindery {

/// The server's requests at a standby: answers about health and metrics, and passes changes and
/// requests for the engine to the replica at work.
///
/// Thread-safe.
class StandbyControl final : public Control {
 public:
  /// `metrics` and `relay` must outlive the object.
  StandbyControl(bindery::Metrics& metrics, DriftSettings settings, RequestRelay& relay)
      : metrics_(metrics), settings_(std::move(settings)), relay_(relay) {}

  /// The holder of the lease, or with null that the database does not answer, and why.
  void Tell(const LeaseHolder* holder, const std::string& why);

  void Execute(OperatorCommand command, std::string actor, Reply reply) override;
  void Plan(std::vector<std::string> names, PlanAsker asker, Reply reply) override;
  void PlanDirectory(PlanUpload upload, PlanAsker asker, Reply reply) override;
  void Metrics(std::function<void(std::string)> reply) override;
  [[nodiscard]] ActivityReport Activity() const override;
  [[nodiscard]] std::vector<HealthCheck> Health() const override;
  [[nodiscard]] DriftSettings ReportSettings() const override { return settings_; }

 private:
  bindery::Metrics& metrics_;
  const DriftSettings settings_;
  RequestRelay& relay_;
  mutable Mutex mutex_;
  std::optional<LeaseHolder> holder_ GUARDED_BY(mutex_);
  std::string why_ GUARDED_BY(mutex_);
};

}  // namespace bindery
