#include "providers/datadog/clients/error_dialect.h"

#include <string>
#include <utility>

namespace bindery {
namespace {

std::optional<ServiceError> ReadDatadogError(const Json& body, int status) {
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
  if (message.empty() && CodeFromHttpStatus(status) == Code::kNotFound) return std::nullopt;
  return ServiceError{CodeFromHttpStatus(status), std::move(message)};
}

}  // namespace

const ErrorDialect& DatadogErrors() {
  static constexpr ErrorDialect kDialect{ReadDatadogError, nullptr};
  return kDialect;
}

}  // namespace bindery
