#include "app/observe/run_telemetry.h"

#include <utility>

#include "app/process/version.h"

namespace bindery::app {

RunTelemetry::RunTelemetry(const config::Config& config, std::vector<std::string> kinds, bool quiet)
    : progress("checking", clock, ProgressBar::StandardError(quiet)),
      log({.format = config.logging.format,
           .level = config.logging.level,
           .before_line = [this] { progress.Clear(); }}),
      metrics({std::move(kinds), kVersion, BuildCommit()}) {}

}  // namespace bindery::app
