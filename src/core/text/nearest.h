#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bindery {

/// The candidate that the writer of `word` most likely meant: equal except for case, `_` and `-`,
/// or at most two edits away (one for words under five letters), where swapped neighbours are one
/// edit. Nothing without a near candidate.
[[nodiscard]] std::optional<std::string> NearestSpelling(std::string_view word,
                                                         std::span<const std::string> candidates);

/// `, did you mean "X"?` with the candidate; empty when none is near.
[[nodiscard]] std::string NearestSuggestion(std::string_view word,
                                            std::span<const std::string> candidates);

}  // namespace bindery
