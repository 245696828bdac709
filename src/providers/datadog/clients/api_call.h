#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/base/json.h"

namespace bindery::datadog {

/// One request to Datadog's API, without headers. `body` null: none.
[[nodiscard]] cloud::HttpRequest DatadogRequest(const char* method, std::string url,
                                                const char* operation, const Json& body = nullptr);

/// A call that begins with `request`, with its method, URL, body and operation. `service` is the
/// name in metrics. With a body, this request and later requests are declared as JSON.
[[nodiscard]] cloud::PolicyCall DatadogCall(cloud::HttpRequest request, std::string service,
                                            std::chrono::milliseconds timeout,
                                            std::string expected_id = {});

}  // namespace bindery::datadog
