#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace bindery {

/// The keys of changed settings that a running daemon cannot change: their new values take effect
/// at the next start.
[[nodiscard]] std::vector<std::string> FixedSettingsThatDiffer(const Config& in_force,
                                                               const Config& wanted);

}  // namespace bindery
