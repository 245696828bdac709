#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bindery::app {

/// The manual page (roff, section 1) of the program or of one of its commands, from the same
/// description of the command line as the parser and `--help`.
[[nodiscard]] std::string ManualPage(const CLI::App& app);

/// The name of the page: "bindery", "bindery-access-who-can".
[[nodiscard]] std::string ManualName(const CLI::App& app);

/// The program and every visible command below.
[[nodiscard]] std::vector<const CLI::App*> WithManual(const CLI::App& app);

}  // namespace bindery::app
