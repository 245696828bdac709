#include "app/check/tracing_preflight.h"

#include "cloud/secret_file_warning.h"
#include "tracing/header_file.h"

namespace bindery {

std::vector<PreflightCheck> PreflightOfTracing(const TracingConfig& tracing) {
  const std::string file = tracing.headers_file.string();
  if (tracing.endpoint.empty() || file.empty()) return {};
  const auto headers = ReadHeaderFile(file);
  if (!headers) {
    return {{"tracing", tracing.endpoint, CheckState::kFailed,
             ToString(headers.error().Wrap("tracing.headersFile")),
             "correct what the message names"}};
  }
  if (const auto warning = AccessWarning(file)) {
    return {{"tracing", tracing.endpoint, CheckState::kWarning, *warning,
             "let only the user read it whom the daemon runs as"}};
  }
  return {{"tracing", tracing.endpoint, CheckState::kOk, "headers of \"" + file + "\"", ""}};
}

}  // namespace bindery
