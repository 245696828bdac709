#pragma once

#include <optional>

#include "cel/token.h"

namespace bindery::cel {

/// The value of a number (a kInt, kUint or kDouble), negative when a minus sign belongs to it.
/// Nothing when it does not fit into 64 bits.
[[nodiscard]] std::optional<Constant> NumberOf(const Token& token, bool negative);

}  // namespace bindery::cel
