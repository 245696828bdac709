#include "providers/datadog/clients/error_dialect.h"

#include <string>
#include <utility>

namespace bindery::datadog {
namespace {

std::optional<cloud::ServiceError> ReadDatadogError(const Json& body, int status) {
  const Json* errors = FindMember(body, "errors");
  if (errors == nullptr || !errors->is_array()) return std::nullopt;
  std::string message;
  for (const Json& error : *errors) {
    std::string text = error.is_string() ? error.get<std::string>() : StringMember(error, "detail");
    if (text.empty()) text = StringMember(error, "title");
    if (text.empty()) continue;
    message += (message.empty() ? "" : "; ") + text;
  }
  // The service names the missing object.
  if (message.empty() && cloud::CodeFromHttpStatus(status) == Code::kNotFound) return std::nullopt;
  return cloud::ServiceError{cloud::CodeFromHttpStatus(status), std::move(message)};
}

}  // namespace

const cloud::ErrorDialect& DatadogErrors() {
  static constexpr cloud::ErrorDialect kDialect{ReadDatadogError, nullptr};
  return kDialect;
}

}  // namespace bindery::datadog
