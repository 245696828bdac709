#pragma once

#include "cloud/error_dialect.h"

namespace bindery {

/// {"errors": ["text", …]}, read leniently: entries may be objects with `detail` or `title`.
[[nodiscard]] const ErrorDialect& DatadogErrors();

}  // namespace bindery
