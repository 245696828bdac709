#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bindery {

/// The candidate a writer of `word` most likely meant: equal but for case, `_` and `-`, or at most
/// two edits away (one for words under five letters), swapped neighbours being one edit. Nothing
/// when none is that near.
[[nodiscard]] std::optional<std::string> NearestSpelling(std::string_view word,
                                                         std::span<const std::string> candidates);

/// `, did you mean "X"?` with the candidate; empty when none is near.
[[nodiscard]] std::string NearestSuggestion(std::string_view word,
                                            std::span<const std::string> candidates);

}  // namespace bindery
