#pragma once

#include <string>
#include <vector>

#include "controller/engine/engine.h"
#include "server/control.h"

namespace bindery::app {

/// The state of the daemon in one line: for the service manager and `systemctl status`. Looks at
/// every resource and target.
[[nodiscard]] std::string StatusLine(const controller::Engine& engine,
                                     const std::vector<server::HealthCheck>& checks);

}  // namespace bindery::app
