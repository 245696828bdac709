#pragma once

#include "cloud/error_dialect.h"

namespace bindery::datadog {

/// {"errors": ["text", …]}, read leniently: entries may be objects with `detail` or `title`.
[[nodiscard]] const cloud::ErrorDialect& DatadogErrors();

}  // namespace bindery::datadog
