#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace bindery::app {

/// The keys of changed settings that a running daemon cannot change: their new values take effect
/// at the next start.
[[nodiscard]] std::vector<std::string> FixedSettingsThatDiffer(const config::Config& in_force,
                                                               const config::Config& wanted);

}  // namespace bindery::app
