#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/json.h"

namespace bindery {

/// One request to Datadog's API, without headers. `body` null: none.
[[nodiscard]] HttpRequest DatadogRequest(const char* method, std::string url, const char* operation,
                                         const Json& body = nullptr);

/// A call that begins with `request`, which says its method, URL, body and operation. `service` is
/// its name in metrics. With a body it says that this, and what follows it, is JSON.
[[nodiscard]] PolicyCall DatadogCall(HttpRequest request, std::string service,
                                     std::chrono::milliseconds timeout,
                                     std::string expected_id = {});

}  // namespace bindery
