#pragma once

#include <span>
#include <string_view>

#include "cel/functions.h"

namespace bindery::cel {

/// The text with "%s", "%d", "%b", "%o", "%x", "%X", "%f", "%e" (both also as "%.3f") replaced by
/// the arguments in turn, "%%" by "%".
[[nodiscard]] Outcome FormatText(std::string_view text, std::span<const Value> args, Meter& meter);

}  // namespace bindery::cel
