#pragma once

#include <string>
#include <vector>

namespace bindery::report {

/// What answers about access leave out, in words: a principal may hold more, or less, for these
/// reasons. The only list: texts, JSON and pages show it. `inherited`: what is not known of
/// inherited policies, which comes first. `lists`: the members of some groups are known.
[[nodiscard]] std::vector<std::string> NotConsidered(std::vector<std::string> inherited,
                                                     bool lists);

/// What is not known of inherited policies where nothing was scanned.
inline constexpr const char* kNothingScanned =
    "inherited policies that were not read: no scan tells the folders and organizations of targets";

}  // namespace bindery::report
