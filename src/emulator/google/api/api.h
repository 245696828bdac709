#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// How a service's answer differs from the present state.
struct Distortion {
  Staleness staleness{0};
  /// The etag of every policy; writes do not compare it. Nothing: etags move normally.
  std::optional<std::string> etag = {};
  bool drops_conditions = false;  ///< What is written is stored without conditions.
};

/// Answers a call of one of Google's services like the service.
[[nodiscard]] httpd::Response ServeGoogle(Cloud& cloud, const Call& asked,
                                          const httpd::Request& request,
                                          const Distortion& distortion);

/// Who calls, by the bearer token of the request.
[[nodiscard]] Access GoogleAccess(Cloud& cloud, const Call& call, const httpd::Request& request);

/// An error in the form of the service ("pubsub"), indented unless the request asked otherwise.
[[nodiscard]] httpd::Response GoogleErrorResponse(const GoogleError& error,
                                                  std::string_view service,
                                                  const httpd::Request& request);

/// What Google's front end says of a method and path it does not know: HTML, not JSON.
[[nodiscard]] httpd::Response UnknownPath(const httpd::Request& request);

}  // namespace bindery::emulator
