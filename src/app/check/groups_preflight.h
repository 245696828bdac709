#pragma once

#include <vector>

#include "app/clouds/clouds.h"
#include "config/config.h"
#include "controller/gates/target_work.h"
#include "report/checks/preflight_report.h"

namespace bindery::app {

/// Whether the services that are to tell the members of groups do so: each provider whose
/// configuration asks one is asked for the first group that the declarations of the jobs name.
/// Changes nothing. `clouds`: with the connections of providers that could sign in.
[[nodiscard]] std::vector<report::PreflightCheck> PreflightOfGroups(
    const config::Config& config, const Clouds& clouds,
    const std::vector<controller::CheckJob>& jobs);

}  // namespace bindery::app
