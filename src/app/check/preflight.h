#pragma once

#include <vector>

#include "config/config.h"
#include "report/checks/preflight_report.h"

namespace bindery {

/// Looks at everything a daemon with the configuration would need: manifests, store, each
/// provider's credentials, whether its services answer and agree on the time, and what the caller
/// may do on each declared target. Changes nothing.
[[nodiscard]] std::vector<PreflightCheck> Preflight(const Config& config);

}  // namespace bindery
