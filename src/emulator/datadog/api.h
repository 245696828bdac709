#pragma once

#include <string>

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Answers a call for a restriction policy, a dataset, a restriction query, the current user, or a
/// list of principals as Datadog would.
[[nodiscard]] httpd::Response ServeDatadog(Cloud& cloud, const Call& call,
                                           const httpd::Request& request, Staleness staleness);

/// Who calls, by the pair of keys or the bearer token of the request.
[[nodiscard]] Access DatadogAccess(Cloud& cloud, const httpd::Request& request);

/// A JSON answer with the headers that all answers of the service have.
[[nodiscard]] httpd::Response DatadogAnswer(int status, const Json& body);

/// {"errors": [text]}
[[nodiscard]] httpd::Response DatadogError(int status, const std::string& text);

}  // namespace bindery::emulator
