#pragma once

#include "cloud/error_dialect.h"

namespace bindery::google {

/// {"error": {"code", "message", "status", "details": […]}}, and OAuth's {"error":
/// "invalid_grant"}. The code comes from `status` if any, and from the text where services word
/// several causes with one status.
[[nodiscard]] const cloud::ErrorDialect& GoogleErrors();

}  // namespace bindery::google
