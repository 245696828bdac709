#pragma once

#include <vector>

#include "config/config.h"
#include "report/checks/preflight_report.h"

namespace bindery::app {

/// Looks at everything a daemon with the configuration would need: manifests, store, each
/// provider's credentials, whether its services answer and agree on the time, and what the caller
/// may do on each declared target. Changes nothing.
[[nodiscard]] std::vector<report::PreflightCheck> Preflight(const config::Config& config);

}  // namespace bindery::app
