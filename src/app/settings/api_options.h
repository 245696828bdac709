#pragma once

#include "config/config.h"
#include "server/api_server.h"

namespace bindery {

/// The daemon's own endpoints as the configuration wants them.
[[nodiscard]] ApiOptions MakeApiOptions(const ServerConfig& config);

}  // namespace bindery
