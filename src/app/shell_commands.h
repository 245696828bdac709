#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_line.h"

namespace bindery::app {

/// Runs what shells and the package ask for, which is in no help text: `__complete WORD...` prints
/// what the last word may become, `__man FOLDER` writes the manual pages. Nothing when `arguments`
/// ask for something else. The exit code.
[[nodiscard]] std::optional<int> RunForShell(const CLI::App& app,
                                             const std::vector<std::string>& arguments);

}  // namespace bindery::app
