#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/clouds/clouds.h"
#include "app/process/hardening.h"
#include "app/reporting/audit_feed.h"
#include "app/reporting/report_writer.h"
#include "app/run/daemon.h"
#include "app/settings/config_watch.h"
#include "controller/loop/loop.h"
#include "providers/registry/kinds.h"
#include "store/ports/store.h"
#include "store/witness/witness.h"
#include "telemetry/log.h"

namespace bindery::app {

/// The state that a daemon takes over when restarting itself because its store was lost.
struct RunState {
  config::Config config;  ///< In force.
  Hardened hardened;
  RunOptions options;
  std::optional<store::StoreFault> lost = {};  ///< Why it restarted; nothing: it did not.
  std::size_t reopenings = 0;
  /// The observations of the store, also known to the next start of the process.
  std::shared_ptr<store::StoreWitness> witness = nullptr;
};

// What the parts of the daemon take from a configuration.

/// The built-in kinds that are written, as metrics name them.
[[nodiscard]] std::vector<std::string> KindNames(const providers::Kinds& kinds);
[[nodiscard]] controller::Loop::Storage MakeStorage(store::Store& store);
[[nodiscard]] controller::LoopOptions MakeLoopOptions(const config::Config& config, bool once);
[[nodiscard]] ReportWriter::Settings MakeReportSettings(const config::Config& config, bool once);
[[nodiscard]] AuditFeed::Settings MakeAuditFeedSettings(const config::Config& config);

// Reports at the start and at the end.

void LogSignIns(telemetry::Logger& log, const ConnectedProviders& providers);
void LogStart(telemetry::Logger& log, const config::Config& config, const Hardened& hardened,
              const Clouds& clouds);

/// The present configuration file; nothing when the file has faults, which are reported.
[[nodiscard]] std::optional<config::Config> LoadConfigAgain(const std::filesystem::path& file,
                                                            telemetry::Logger& log);

/// Takes over changes of the file since the reading: a daemon may have stood by for weeks. Settings
/// that are fixed at the start stay.
void TakeLaterConfig(ConfigWatch& watch, const std::filesystem::path& file,
                     const Hardened& hardened, config::Config& config, telemetry::Logger& log);

/// Among the changed settings, those that a reload cannot change.
void WarnOfFixedSettings(telemetry::Logger& log, const config::Config& in_force,
                         const config::Config& wanted, const Hardened& hardened);

/// To the log and, as events, to the journal: that the store was damaged when opened, and that the
/// store was `lost` before; nothing: not lost. For a store that may be older than the last, later
/// grants and removals are unknown: an operator is asked before any removal.
Expected<void> TellOfOpening(store::Store& store, telemetry::Logger& log,
                             const std::optional<store::StoreFault>& lost);

/// StoreHealth::PutBack, with its result in the log.
void PutBack(store::StoreHealth& store, const std::filesystem::path& path, telemetry::Logger& log);

}  // namespace bindery::app
