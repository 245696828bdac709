#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "access/group_asker.h"
#include "app/clouds/access_facts.h"
#include "cloud/connection.h"
#include "config/config.h"
#include "controller/claims/catalog_settings.h"
#include "controller/outbox/recheck_hints.h"
#include "core/access/inventory.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "inventory/inventory_scan.h"
#include "report/values/drift_values.h"
#include "server/inventory_port.h"
#include "store/ports/store.h"
#include "telemetry/inventory_metrics.h"
#include "telemetry/log.h"

namespace bindery::app {

/// Makes the scans of a daemon, one at a time, on the desk's thread, and answers with the results.
/// A scan decides no write: resources on declared targets with changes in the scan are checked.
/// Only a scan that this desk read from the beginning to the end gives hints, and the next scan
/// that fails takes the hints back.
///
/// Threads: any; End() and the destructor are the owner's.
class ScanDesk final : public server::InventoryPort {
 public:
  using Connections = std::map<std::string, std::shared_ptr<const cloud::Connection>>;

  /// The parts that the desk works with. All parts must outlive the desk.
  struct Parts {
    store::Store& store;
    const Clock& clock;
    telemetry::Logger& log;
    telemetry::MetricRegistry& metrics;
    /// Gets the names of the resources to check, on the desk's thread.
    std::function<void(std::vector<std::string> names)> check;
    /// Gets the targets that scans watch from now on, on any thread.
    std::function<void(controller::HintedTargets hinted)> hint;
  };

  explicit ScanDesk(Parts parts);
  ~ScanDesk() override { End(); }
  ScanDesk(const ScanDesk&) = delete;
  ScanDesk& operator=(const ScanDesk&) = delete;

  /// Sets the ways to reach providers, the scans made from time to time, and the accepted grants of
  /// the configuration, from now on. A scan under way keeps its connection.
  void Configure(const config::Config& config, Connections connections,
                 controller::CatalogSettings settings);

  [[nodiscard]] Expected<report::Coverage> MakeCoverage(
      const server::CoverageAsked& asked) const override;
  [[nodiscard]] Expected<report::InventoryList> Scans() const override;
  [[nodiscard]] Expected<report::AccessRecords> RecordsWith(
      const store::ReportReader& store, const std::string& permission) const override;
  Expected<report::InventoryLine> Begin(const std::string& scope, const std::string& provider,
                                        const std::string& actor) override;

  /// Looks up, after Configure(), when scans are due. Blocks on the store.
  void PlanAhead();

  /// What the last scans show on targets that nobody manages; null: nothing is scanned, or the
  /// store cannot be read. Kept until a scan, the record or the configuration changes, and then up
  /// to a minute. Blocks on the store.
  [[nodiscard]] std::shared_ptr<const report::UnmanagedGrants> Unmanaged();

  /// Begins the due scan, if any. Quick.
  void Tick();

  /// Counts the coverage for the metrics. Blocks on the store.
  void Measure();

  /// Ends a scan under way after the call that the scan waits for, and refuses further scans.
  void End();

 private:
  struct Order {
    std::string scope;
    std::shared_ptr<const cloud::Connection> connection;
  };
  /// A scan made from time to time.
  struct Plan {
    std::string provider;
    std::string scope;
    std::chrono::milliseconds interval{0};
    bool hints = false;                ///< As InventoryPlan::hints.
    std::optional<WallTime> due = {};  ///< Not set: not known yet.
  };
  /// The last comparison of a scan with the targets: it holds while nothing changes.
  struct Comparison {
    std::int64_t scan = 0;
    std::optional<std::uint64_t> content = {};  ///< As ReportReader::ContentVersion.
    std::shared_ptr<const controller::TargetPolicies> unchanged = {};
  };
  /// What the scans of a plan with hints leave for the next one.
  struct Memory {
    std::uint64_t configuration = 0;  ///< As State::configuration, when the scan began.
    inventory::ScanMemory pages = {};
    std::optional<Comparison> comparison = {};
  };
  struct KeptUnmanaged {
    std::vector<InventoryRecord> scans = {};
    std::optional<std::uint64_t> content = {};  ///< As ReportReader::ContentVersion.
    std::uint64_t configuration = 0;            ///< As State::configuration.
    MonoTime counted = {};
    std::shared_ptr<const report::UnmanagedGrants> grants = {};
  };
  struct State {
    Connections connections = {};
    controller::CatalogSettings settings = {};
    std::vector<Plan> plans = {};
    AccessFiles files = {};
    std::shared_ptr<access::GroupAsker> group_asker = {};
    std::uint64_t configuration = 0;  ///< How often the desk was configured.
    std::optional<report::InventoryLine> running = {};
    std::optional<report::InventoryLine> failed = {};  ///< The last one that was cut off.
    bool ending = false;
  };

  [[nodiscard]] Expected<std::shared_ptr<const cloud::Connection>> FindConnection(
      const std::string& provider, const std::string& scope) const REQUIRES(mutex_);
  void Work(const Order& order);
  /// Has targets checked that the scan shows changed, and counts the coverage anew. Nothing: the
  /// scan could not be compared.
  std::optional<Comparison> CheckChanged(const InventoryRecord& scan);
  /// Does the same where anything changed, and gives the unchanged targets as hints, unless the
  /// desk was configured meanwhile. `began`: when the scan began to read.
  void Compare(const InventoryRecord& scan, const Plan& plan, MonoTime began);
  /// The age of the coverage, which is otherwise as before.
  void MeasureAge();
  /// The plan with hints for a scan that begins now, if any; its memory is ready.
  [[nodiscard]] std::optional<Plan> HintingPlan(const std::string& provider,
                                                const std::string& scope);
  [[nodiscard]] std::vector<Plan> Plans() const;
  /// When the next scan of a plan begins, by the last scan on record.
  [[nodiscard]] WallTime GetDueTime(const Plan& plan) const;
  /// False when the desk must end.
  bool Wait(std::chrono::milliseconds time);
  void Note(const InventoryRecord& scan);
  [[nodiscard]] controller::CatalogSettings Settings() const;

  const Parts parts_;
  telemetry::InventoryMetrics metrics_;
  /// By provider and scope. Only for the scanning thread.
  std::map<std::pair<std::string, std::string>, Memory> memories_;

  mutable Mutex mutex_;
  CondVar changed_;
  State state_ GUARDED_BY(mutex_);
  KeptUnmanaged unmanaged_ GUARDED_BY(mutex_);
  std::thread worker_ GUARDED_BY(mutex_);
};

/// As ReadUnmanaged(), of these settings. Blocks on the store.
[[nodiscard]] Expected<std::shared_ptr<const report::UnmanagedGrants>> UnmanagedIn(
    const store::Store& store, const controller::CatalogSettings& settings, WallTime now);

/// The requested coverage, of these settings. Blocks on the store.
[[nodiscard]] Expected<report::Coverage> CoverageFrom(const store::Store& store,
                                                      const controller::CatalogSettings& settings,
                                                      const server::CoverageAsked& asked,
                                                      WallTime now);

}  // namespace bindery::app
