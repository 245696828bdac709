#pragma once

#include <string>

#include "core/base/expected.h"

namespace bindery::app {

/// The text of an export, with at most kLargestExport bytes; "-": standard input. kNotFound: the
/// file cannot be read. kInvalidArgument: it is too large.
[[nodiscard]] Expected<std::string> ReadExportText(const std::string& name);

}  // namespace bindery::app
