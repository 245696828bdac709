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

namespace bindery::app {

/// The server's requests at a standby: answers about health and metrics, and passes changes and
/// requests for the engine to the replica at work.
///
/// Thread-safe.
class StandbyControl final : public server::Control {
 public:
  /// `metrics` and `relay` must outlive the object.
  StandbyControl(telemetry::Metrics& metrics, report::DriftSettings settings, RequestRelay& relay)
      : metrics_(metrics), settings_(std::move(settings)), relay_(relay) {}

  /// The holder of the lease, or with null that the database does not answer, and why.
  void Tell(const store::LeaseHolder* holder, const std::string& why);

  void Execute(server::OperatorCommand command, std::string actor, Reply reply) override;
  void Plan(std::vector<std::string> names, server::PlanAsker asker,
            std::shared_ptr<server::PlanLines> lines, Reply reply) override;
  void PlanDirectory(server::PlanUpload upload, server::PlanAsker asker, Reply reply) override;
  void Metrics(std::function<void(std::string)> reply) override;
  [[nodiscard]] report::ActivityReport Activity() const override;
  [[nodiscard]] std::vector<server::HealthCheck> Health() const override;
  [[nodiscard]] report::DriftSettings ReportSettings() const override { return settings_; }

 private:
  telemetry::Metrics& metrics_;
  const report::DriftSettings settings_;
  RequestRelay& relay_;
  mutable Mutex mutex_;
  std::optional<store::LeaseHolder> holder_ GUARDED_BY(mutex_);
  std::string why_ GUARDED_BY(mutex_);
};

}  // namespace bindery::app
