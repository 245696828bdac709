#include "app/clouds/span_export.h"

#include <unistd.h>

#include <utility>

#include "app/clouds/clouds.h"
#include "app/process/version.h"
#include "cloud/secret_file_warning.h"
#include "telemetry/host_name.h"
#include "tracing/header_file.h"

namespace bindery::app {
namespace {

tracing::SpanOrigin GetOrigin(const config::Config& config) {
  return {{{"service.name", config.tracing.service_name},
           {"service.version", std::string(kVersion)},
           {"host.name", telemetry::HostName()},
           {"process.pid", std::int64_t{::getpid()}},
           {"telemetry.sdk.name", "bindery"},
           {"telemetry.sdk.language", "cpp"},
           {"telemetry.sdk.version", std::string(kVersion)}},
          kVersion};
}

}  // namespace

Expected<std::shared_ptr<tracing::SpanExporter>> StartSpanExport(const config::Config& config,
                                                                 telemetry::Logger& log,
                                                                 telemetry::Metrics& metrics) {
  const config::TracingConfig& tracing = config.tracing;
  if (tracing.endpoint.empty()) return std::shared_ptr<tracing::SpanExporter>();
  const std::string headers_file = tracing.headers_file.string();
  if (auto headers = tracing::ReadHeaderFile(headers_file); !headers) {
    return Fail(headers.error().Wrap("tracing.headersFile"));
  }
  if (!headers_file.empty()) {
    if (const auto warning = cloud::AccessWarning(headers_file)) log.Warn(*warning);
  }
  const auto transport = std::make_shared<cloud::CurlTransport>(MakeTransportOptions(config));
  tracing::SpanExporterOptions options;
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
  return std::make_shared<tracing::SpanExporter>(std::move(options), transport);
}

}  // namespace bindery::app
