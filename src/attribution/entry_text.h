#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/audit_entry.h"
#include "core/base/json.h"

namespace bindery::attribution {

/// The longest text that is kept of an entry, in bytes.
inline constexpr std::size_t kLongestText = 256;

/// A text of a log, fit to be kept: control characters and changes of writing direction are taken
/// out, and it is cut to kLongestText between two characters.
[[nodiscard]] std::string CleanText(std::string_view text);

/// The text at the end of a path of member names, as it is; empty if none exists.
[[nodiscard]] std::string TextAt(const Json& value, std::initializer_list<std::string_view> path);

/// RFC 3339 of a year that a log can be of.
[[nodiscard]] std::optional<WallTime> TimeIn(std::string_view text);

/// The grants of an array of bindings, in either API's words. Nothing when it is no such array, or
/// has more than an entry is kept with.
[[nodiscard]] std::optional<std::vector<Grant>> GrantsOfBindings(const Json* bindings);

/// Changes are worth keeping only when all are.
inline constexpr std::size_t kMostGrants = 2'000;
inline constexpr std::size_t kMostGrantBytes = 256U << 10U;  ///< Of all their texts.

[[nodiscard]] std::size_t CountTextBytes(const Grant& grant);
/// Adds the texts of one more grant to `bytes`; false when that is more than an entry is kept with.
[[nodiscard]] bool Fits(const Grant& grant, std::size_t& bytes);

}  // namespace bindery::attribution
