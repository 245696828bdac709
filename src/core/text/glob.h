#pragma once

#include <string>
#include <string_view>

namespace bindery {

/// Whether the whole of `text` is of the form: `*` stands for any characters, `?` for one, `\*` and
/// `\?` for themselves.
[[nodiscard]] bool MatchesGlob(std::string_view pattern, std::string_view text);

/// The pattern that `text` alone is of the form of.
[[nodiscard]] std::string EscapeGlob(std::string_view text);

}  // namespace bindery
