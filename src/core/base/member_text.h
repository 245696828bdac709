#pragma once

#include <string_view>

namespace bindery {

/// The spelling of one member of an object: `text` is one JSON object. Empty: there is no such
/// member. Looks only where each member begins and ends: `text` may be faulty within. Copies
/// nothing. For large texts of which little is needed; else MemberTexts().
[[nodiscard]] std::string_view MemberText(std::string_view text, std::string_view name);

}  // namespace bindery
