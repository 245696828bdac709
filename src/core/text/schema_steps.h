#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bindery {

/// The statements that lead from one version of tables to another. `first`: the version that the
/// first step starts from. Requires: first <= from <= to, and a step for each version.
[[nodiscard]] inline std::string JoinSteps(std::span<const char* const> steps, int first, int from,
                                           int to) {
  std::string statements;
  for (int version = from; version < to; ++version) {
    statements += steps[static_cast<std::size_t>(version - first)];
  }
  return statements;
}

}  // namespace bindery
