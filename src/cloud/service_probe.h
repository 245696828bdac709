#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::cloud {

/// The result of an unauthenticated request to a service.
struct ServiceProbe {
  int status = 0;                         ///< Whatever it answers shows that it is there.
  std::chrono::milliseconds duration{0};  ///< Of the whole exchange.
  std::optional<WallTime> date;           ///< The service's clock, by its Date header; to seconds.
};

/// Asks for the root of a service's base URL, without credentials. Errors are the transport's.
[[nodiscard]] Expected<ServiceProbe> ProbeService(Transport& transport, const std::string& service,
                                                  const std::string& base_url,
                                                  std::chrono::milliseconds timeout);

}  // namespace bindery::cloud
