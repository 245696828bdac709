#include "providers/datadog/clients/api_call.h"

#include <utility>

#include "core/base/json_text.h"
#include "providers/datadog/clients/error_dialect.h"

namespace bindery {

HttpRequest DatadogRequest(const char* method, std::string url, const char* operation,
                           const Json& body) {
  HttpRequest request;
  request.method = method;
  request.url = std::move(url);
  request.operation = operation;
  if (!body.is_null()) request.body = CompactJson(body);
  return request;
}

PolicyCall DatadogCall(HttpRequest request, std::string service, std::chrono::milliseconds timeout,
                       std::string expected_id) {
  PolicyCall call;
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

}  // namespace bindery
