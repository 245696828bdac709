#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace bindery {

/// The keys of settings that differ and that a running daemon cannot change: what is new of them
/// takes effect at its next start.
[[nodiscard]] std::vector<std::string> FixedSettingsThatDiffer(const Config& in_force,
                                                               const Config& wanted);

}  // namespace bindery
