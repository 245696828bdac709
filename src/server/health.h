#pragma once

#include <string_view>
#include <vector>

#include "httpd/message.h"
#include "server/control.h"

namespace bindery::server {

/// Answers /livez, /readyz or /healthz the way Kubernetes' own endpoints do: 200 "ok", or 500 with
/// one line for each check. `?verbose` always lists them, and says why one fails; `?exclude=NAME`,
/// any number of times, leaves checks out of the judgement. `endpoint` is "livez", …; livez looks
/// at the checks of liveness only.
[[nodiscard]] httpd::Response HealthReply(std::string_view endpoint,
                                          const std::vector<HealthCheck>& checks,
                                          const httpd::Request& request);

/// Answers /readyz/NAME: only the named check, with its detail.
[[nodiscard]] httpd::Response SingleHealthReply(std::string_view endpoint, std::string_view name,
                                                const std::vector<HealthCheck>& checks);

}  // namespace bindery::server
