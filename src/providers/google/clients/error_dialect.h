#pragma once

#include "cloud/error_dialect.h"

namespace bindery::google {

/// {"error": {"code", "message", "status", "details": […]}}, and OAuth's {"error":
/// "invalid_grant"}. The code comes from `status` if any; texts are never matched.
[[nodiscard]] const cloud::ErrorDialect& GoogleErrors();

}  // namespace bindery::google
