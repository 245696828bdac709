#include "cloud/service_probe.h"

#include "cloud/retry_after.h"

namespace bindery::cloud {

Expected<ServiceProbe> ProbeService(Transport& transport, const std::string& service,
                                    const std::string& base_url,
                                    std::chrono::milliseconds timeout) {
  HttpRequest request;
  request.url = base_url + "/";
  request.service = service;
  request.operation = "probe";
  request.timeout = timeout;
  const auto start = std::chrono::steady_clock::now();
  const Expected<HttpResponse> response = transport.Send(request);
  if (!response) return Fail(response.error());
  ServiceProbe probe;
  probe.status = response->status;
  probe.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  if (const auto date = response->Header("date")) probe.date = ParseHttpDate(*date);
  return probe;
}

}  // namespace bindery::cloud
