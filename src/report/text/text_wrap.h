#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/text/text.h"

namespace bindery::report {

/// The text in lines of at most `width` characters, broken at blanks alone: a longer word stays
/// whole. At least one line.
[[nodiscard]] std::vector<std::string> WrapText(std::string_view text, std::size_t width);

/// The line as it fits a terminal: what is too long goes on in further lines, indented by `indent`.
/// Without the width of a terminal the line stays as it is.
[[nodiscard]] std::string FitLine(std::string_view line, std::size_t indent,
                                  const TextStyle& style);

}  // namespace bindery::report
