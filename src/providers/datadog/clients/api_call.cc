#include "providers/datadog/clients/api_call.h"

#include <utility>

#include "core/base/json_text.h"
#include "providers/datadog/clients/error_dialect.h"

namespace bindery::datadog {

cloud::HttpRequest DatadogRequest(const char* method, std::string url, const char* operation,
                                  const Json& body) {
  cloud::HttpRequest request;
  request.method = method;
  request.url = std::move(url);
  request.operation = operation;
  if (!body.is_null()) request.body = CompactJson(body);
  return request;
}

cloud::PolicyCall DatadogCall(cloud::HttpRequest request, std::string service,
                              std::chrono::milliseconds timeout, std::string expected_id) {
  cloud::PolicyCall call;
  call.request = std::move(request);
  call.request.timeout = timeout;
  call.request.service = std::move(service);
  call.request.headers = {{"Accept", "application/json"}};
  if (!call.request.body.empty()) {
    call.request.headers.emplace_back("Content-Type", "application/json");
  }
  call.dialect = &DatadogErrors();
  call.expected_id = std::move(expected_id);
  return call;
}

}  // namespace bindery::datadog
