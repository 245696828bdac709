#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/audit_feed.h"
#include "app/clouds.h"
#include "app/hardening.h"
#include "app/report_writer.h"
#include "controller/loop.h"
#include "providers/kinds.h"
#include "store/store.h"
#include "telemetry/log.h"

namespace bindery {

/// What a daemon that restarts itself because its store was lost takes over from the one before.
struct RunState {
  Config config;
  Hardened hardened;
  std::string lost = {};  ///< Why it restarted; empty: it did not.
  std::size_t reopenings = 0;
};

// What the parts of the daemon take from a configuration.

[[nodiscard]] std::vector<std::string> KindNames(const Kinds& kinds);
[[nodiscard]] Loop::Storage StorageOf(Store& store);
[[nodiscard]] LoopOptions LoopOptionsOf(const Config& config, bool once);
[[nodiscard]] ReportWriter::Settings ReportSettingsOf(const Config& config, bool once);
[[nodiscard]] AuditFeed::Settings AuditFeedSettingsOf(const Config& config);

// What it says of itself at the start and at the end.

void LogSignIns(Logger& log, const ConnectedProviders& providers);
void LogStart(Logger& log, const Config& config, const Hardened& hardened, const Clouds& clouds);

/// Of what differs, the settings that a reload cannot change.
void WarnOfFixedSettings(Logger& log, const Config& in_force, const Config& wanted,
                         const Hardened& hardened);

/// StoreHealth::PutBack, and what came of it in the log.
void PutBack(StoreHealth& store, const std::filesystem::path& path, Logger& log);

}  // namespace bindery
