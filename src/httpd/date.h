#pragma once

#include <string>

#include "core/base/clock.h"

namespace bindery::httpd {

/// As the Date header has it (RFC 9110): "Sat, 21 Nov 2026 10:20:30 GMT".
[[nodiscard]] std::string HttpDate(WallTime time);

}  // namespace bindery::httpd
