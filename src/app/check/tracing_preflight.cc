#include "app/check/tracing_preflight.h"

#include "cloud/secret_file_warning.h"
#include "tracing/header_file.h"

namespace bindery::app {

std::vector<report::PreflightCheck> PreflightOfTracing(const config::TracingConfig& tracing) {
  const std::string file = tracing.headers_file.string();
  if (tracing.endpoint.empty() || file.empty()) return {};
  const auto headers = tracing::ReadHeaderFile(file);
  if (!headers) {
    return {{"tracing", tracing.endpoint, report::CheckState::kFailed,
             ToString(headers.error().Wrap("tracing.headersFile")),
             "correct what the message names"}};
  }
  if (const auto warning = cloud::AccessWarning(file)) {
    return {{"tracing", tracing.endpoint, report::CheckState::kWarning, *warning,
             "let only the user read it whom the daemon runs as"}};
  }
  return {
      {"tracing", tracing.endpoint, report::CheckState::kOk, "headers of \"" + file + "\"", ""}};
}

}  // namespace bindery::app
