#pragma once

#include <string>

namespace bindery::telemetry {

/// The name of this machine; "localhost" if unknown.
[[nodiscard]] std::string HostName();

}  // namespace bindery::telemetry
