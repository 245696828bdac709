#pragma once

#include "config/config.h"
#include "telemetry/log.h"

namespace bindery::app {

/// Warns that a daemon with an empty store enforces on a real cloud: no record says what the
/// manifests directory held before, and a binding replaces the present grants.
void WarnOfFirstStart(const config::Config& config, telemetry::Logger& log);

}  // namespace bindery::app
