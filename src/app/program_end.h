#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/shell/commands.h"

namespace bindery::app {

/// How the program's exit code speaks, by the words it was started with: also where they cannot be
/// understood as a whole, 2 must not read as "changes" to who asked for --detailed-exitcode.
[[nodiscard]] ExitStyle StyleOfWords(const std::vector<std::string>& words);

/// The error of the words of a command line, on standard error; or on standard output the help or
/// version that was asked for. Gives the exit code.
[[nodiscard]] int EndOfParsing(const CLI::App& app, const CLI::ParseError& failure,
                               ExitStyle style);

/// Flushes the output. `code`, unless the output could not be written: a write error is reported on
/// standard error. A reader that stops early (a pipe to head) is no error.
[[nodiscard]] int WithOutputWritten(int code, ExitStyle style);

}  // namespace bindery::app
