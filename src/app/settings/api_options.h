#pragma once

#include "config/config.h"
#include "server/api_server.h"

namespace bindery::app {

/// The daemon's own endpoints as the configuration wants them.
[[nodiscard]] server::ApiOptions MakeApiOptions(const config::ServerConfig& config);

}  // namespace bindery::app
