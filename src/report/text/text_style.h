#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/text/count.h"
#include "report/text/text.h"

namespace bindery::report {

enum class Colour { kNone, kRed, kGreen, kYellow, kCyan, kBold, kDim };

/// The text in the colour, where the style has colours.
[[nodiscard]] std::string Paint(std::string_view text, Colour colour, const TextStyle& style);

/// The text with everything that could steer a terminal (control characters, C1 codes, changes of
/// writing direction) as an escape such as \x1b or \u202e, and broken UTF-8 as \xff.
[[nodiscard]] std::string Printable(std::string_view text);

/// The printable string member of the name.
[[nodiscard]] std::string Shown(const Json& value, std::string_view name);

/// How many characters a text shows; each code point counts one.
[[nodiscard]] std::size_t ShownWidth(std::string_view text);

/// The text, cut to `width` characters with "…" as the last.
[[nodiscard]] std::string CutTo(std::string_view text, std::size_t width);

/// The same with "…" as the first: its end stays.
[[nodiscard]] std::string CutFromLeft(std::string_view text, std::size_t width);

/// How long ago a time was: "4m10s"; "-" for one that is not known; "0s" for the future.
[[nodiscard]] std::string FormatTimeAge(const std::optional<WallTime>& time,
                                        const TextStyle& style);
/// The same of a time that may never have been set.
[[nodiscard]] std::string FormatTimeAge(WallTime time, const TextStyle& style);
/// In RFC 3339; empty for a time that was never set.
[[nodiscard]] std::string TimeText(WallTime time);

using bindery::Count;

/// "a, b"
[[nodiscard]] std::string JoinShown(const Json& strings);
[[nodiscard]] std::string JoinShown(const std::vector<std::string>& texts);
/// "a, b, c and 7 more", as they are: not made printable.
[[nodiscard]] std::string TakeFirst(const std::vector<std::string>& texts, std::size_t most);

}  // namespace bindery::report
