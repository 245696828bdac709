#pragma once

#include "config/config.h"
#include "telemetry/log.h"

namespace bindery {

/// Warns that a daemon with an empty store enforces on a real cloud: nothing says yet what the
/// manifests directory held before, and a binding replaces what is there.
void WarnOfFirstStart(const Config& config, Logger& log);

}  // namespace bindery
