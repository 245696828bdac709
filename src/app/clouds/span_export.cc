#include "app/clouds/span_export.h"

#include <unistd.h>

#include <utility>

#include "app/clouds/clouds.h"
#include "app/process/version.h"
#include "cloud/secret_file_warning.h"
#include "telemetry/host_name.h"
#include "tracing/header_file.h"

namespace bindery {
namespace {

SpanOrigin GetOrigin(const Config& config) {
  return {{{"service.name", config.tracing.service_name},
           {"service.version", std::string(kVersion)},
           {"host.name", HostName()},
           {"process.pid", std::int64_t{::getpid()}},
           {"telemetry.sdk.name", "bindery"},
           {"telemetry.sdk.language", "cpp"},
           {"telemetry.sdk.version", std::string(kVersion)}},
          kVersion};
}

}  // namespace

Expected<std::shared_ptr<SpanExporter>> StartSpanExport(const Config& config, Logger& log,
                                                        Metrics& metrics) {
  const TracingConfig& tracing = config.tracing;
  if (tracing.endpoint.empty()) return std::shared_ptr<SpanExporter>();
  const std::string headers_file = tracing.headers_file.string();
  if (auto headers = ReadHeaderFile(headers_file); !headers) {
    return Fail(headers.error().Wrap("tracing.headersFile"));
  }
  if (!headers_file.empty()) {
    if (const auto warning = AccessWarning(headers_file)) log.Warn(*warning);
  }
  const auto transport = std::make_shared<CurlTransport>(MakeTransportOptions(config));
  SpanExporterOptions options;
  options.endpoint = tracing.endpoint;
  options.headers_file = headers_file;
  options.origin = GetOrigin(config);
  options.timeout = tracing.timeout;
  options.counted = [&metrics](std::string_view outcome, std::size_t count) {
    metrics.exports.spans.Increment(count, {outcome});
  };
  options.told = [&log, endpoint = tracing.endpoint](const Error* error) {
    if (error == nullptr) return log.Info("traces are exported again", {{"endpoint", endpoint}});
    log.Warn("traces cannot be exported", {{"endpoint", endpoint}, {"reason", ToString(*error)}});
  };
  options.cancel = [transport] { transport->CancelAll(); };
  return std::make_shared<SpanExporter>(std::move(options), transport);
}

}  // namespace bindery
