#pragma once

#include <string>
#include <vector>

namespace bindery::report {

/// What answers about access leave out, in words: a principal may hold more, or less, for these
/// reasons. The only list: texts, JSON and pages show it.
[[nodiscard]] const std::vector<std::string>& NotConsidered();

}  // namespace bindery::report
