#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace bindery::cloud {

/// The content of a failure's body.
struct ServiceError {
  Code code = Code::kInternal;
  std::string message;
};

/// The form of a service's failures: one constant per provider. Both functions are pure.
struct ErrorDialect {
  /// What the body of an answer with the HTTP status says; nothing when the body is not of the
  /// dialect, and so was not written by the service. Null: every answer is such a one.
  std::optional<ServiceError> (*read)(const Json& body, int status) = nullptr;
  /// How long the body asks to wait, besides what the headers ask for. Null: bodies never do.
  std::optional<std::chrono::milliseconds> (*requested_wait)(const Json& body) = nullptr;
};

/// For a call without a dialect.
inline constexpr ErrorDialect kNoDialect{};

/// The canonical code of an HTTP status, for answers that give no code themselves.
[[nodiscard]] Code CodeFromHttpStatus(int status);

/// The same for a body by somebody other than the service: no statement about the resource.
[[nodiscard]] Code CodeOfForeignAnswer(int status);

}  // namespace bindery::cloud
