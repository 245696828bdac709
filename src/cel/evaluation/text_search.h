#pragma once

#include <cstddef>
#include <string_view>

namespace bindery::cel {

/// Where `part` begins in `text` at or behind the byte `from`, or npos. Takes time in proportion to
/// the sum of the lengths whatever they hold, where std::string_view::find can take their product.
[[nodiscard]] std::size_t FindText(std::string_view text, std::string_view part, std::size_t from);

}  // namespace bindery::cel
