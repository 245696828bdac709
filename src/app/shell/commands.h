#pragma once

#include <filesystem>
#include <string>

#include "core/access/drift.h"

namespace bindery::app {

/// The forms of -o that several commands have; each command knows its further forms.
enum class Output { kText, kJson, kYaml, kSarif, kCsv, kWide, kName };

/// How the exit code speaks: like diff (0 same, 1 differs, 2 error), or like
/// `terraform plan -detailed-exitcode` (0 same, 1 error, 2 differs).
enum class ExitStyle { kDiff, kTerraform };

/// What every command is told. A command prints its result to standard output and everything else
/// to standard error, and returns the exit code.
struct CommandContext {
  std::filesystem::path config_file;
  bool config_given = false;  ///< On the command line or by $BINDERY_CONFIG.
  Output output = Output::kText;
  std::string form = "text";  ///< The same as it was given.
  bool no_headers = false;    ///< Tables without titles.
  bool quiet = false;         ///< No progress on standard error.
  ExitStyle exit_style = ExitStyle::kDiff;
};

}  // namespace bindery::app
