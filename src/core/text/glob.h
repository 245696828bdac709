#pragma once

#include <string_view>

namespace bindery {

/// Whether the whole of `text` is of the form: `*` stands for any characters, `?` for one.
[[nodiscard]] bool MatchesGlob(std::string_view pattern, std::string_view text);

}  // namespace bindery
