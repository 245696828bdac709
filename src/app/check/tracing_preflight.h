#pragma once

#include <vector>

#include "config/config.h"
#include "report/checks/preflight_report.h"

namespace bindery::app {

/// Whether the file with the headers for the collector of traces can be read, and by whom. Nothing:
/// there is no collector, or no such file. Reads the file.
[[nodiscard]] std::vector<report::PreflightCheck> PreflightOfTracing(
    const config::TracingConfig& tracing);

}  // namespace bindery::app
