#pragma once

#include <vector>

#include "config/config.h"
#include "report/checks/preflight_report.h"

namespace bindery {

/// Whether the file with the headers for the collector of traces can be read, and by whom. Nothing:
/// there is no collector, or no such file. Reads the file.
[[nodiscard]] std::vector<PreflightCheck> PreflightOfTracing(const TracingConfig& tracing);

}  // namespace bindery
