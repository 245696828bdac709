#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace bindery::emulator {

/// A refusal in the form of Google's APIs.
struct GoogleError {
  int http_status = 400;
  std::string status = "INVALID_ARGUMENT";  ///< The google.rpc.Code name.
  std::string message;
  Json details = Json::array();
  /// For services with reasons; empty: the usual reason of the HTTP status.
  std::string reason;
};

template <typename T>
using GoogleResult = tl::expected<T, GoogleError>;

/// One complaint of a google.rpc.BadRequest detail.
struct FieldViolation {
  std::string field;  ///< Empty for a query parameter.
  std::string description;
};

[[nodiscard]] GoogleError InvalidArgument(std::string message);
/// With one BadRequest detail; the message is all descriptions, one per line.
[[nodiscard]] GoogleError BadRequest(const std::vector<FieldViolation>& violations);
[[nodiscard]] GoogleError NotFound(const std::string& resource);
/// Without saying whether the resource exists, as Google does.
[[nodiscard]] GoogleError PermissionDenied(const std::string& permission,
                                           const std::string& resource);
/// 401. `reason` is one of google.api.ErrorReason: "CREDENTIALS_MISSING", "ACCESS_TOKEN_EXPIRED",
/// "JWT_TOKEN_INVALID".
[[nodiscard]] GoogleError Unauthenticated(const std::string& reason, const std::string& service);
/// 403 for a token with the wrong scopes.
[[nodiscard]] GoogleError InsufficientScope(const std::string& service);
/// A google.rpc.ErrorInfo detail.
[[nodiscard]] Json ErrorInfo(std::string_view reason, std::string_view domain, Json metadata);
/// `http_status` as an injected failure: the usual status name and text for it.
[[nodiscard]] GoogleError Injected(int http_status);

/// The decision could not be stored.
[[nodiscard]] GoogleError StoreFailure(const Error& error);

/// HTTP status for an outdated etag, on services that do not answer 409.
inline constexpr int kPreconditionFailed = 412;

/// Of storage, for a stale etag.
[[nodiscard]] GoogleError ConditionNotMet();

/// {"error": {code, message, status, details}} in the form of the service: older ones add `errors`
/// with a reason, and compute and storage have no status.
[[nodiscard]] Json ToJson(const GoogleError& error, std::string_view service);

}  // namespace bindery::emulator
