#pragma once

#include "config/config.h"
#include "config/web_config.h"
#include "report/checks/preflight_report.h"

namespace bindery::app {

/// Who may read and change something over the network: what `bindery check` says of the listener.
/// Reads the web configuration. Changes nothing.
[[nodiscard]] report::PreflightCheck PreflightOfListener(const config::ServerConfig& server);

}  // namespace bindery::app
