#pragma once

#include <string>

#include "cloud/transport.h"
#include "core/base/expected.h"

namespace bindery::tracing {

/// The headers in a file: `Name: value` a line, `#` begins a comment line. No name: none.
/// kUnauthenticated when it cannot be read, kInvalidArgument with the line's number, never its
/// text, when a line is none.
[[nodiscard]] Expected<cloud::HttpHeaders> ReadHeaderFile(const std::string& path);

}  // namespace bindery::tracing
