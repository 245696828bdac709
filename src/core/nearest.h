#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bindery {

/// The candidate a writer of `word` most likely meant: equal but for case, `_` and `-`, or at most
/// two single-letter edits away (one for words under five letters). Nothing when none is that near.
[[nodiscard]] std::optional<std::string> NearestSpelling(std::string_view word,
                                                         std::span<const std::string> candidates);

}  // namespace bindery
