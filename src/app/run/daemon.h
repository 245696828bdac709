#pragma once

#include <filesystem>
#include <memory>

#include "config/config.h"
#include "core/access/drift.h"
#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::app {

struct RunOptions {
  std::filesystem::path config_file;
  bool once = false;
  Severity least = Severity::kLow;  ///< With `once`: differences below do not count.
  bool quiet = false;               ///< No progress line on a terminal.
};

/// `bindery run`: composes everything and works until it is told to stop, or with `once` for one
/// pass. Returns the exit code: 0, or with `once` also 1 (differences are left) and 2 (errors). An
/// error means that it could not start.
[[nodiscard]] Expected<int> RunDaemon(const config::Config& config, const RunOptions& options);

}  // namespace bindery::app
