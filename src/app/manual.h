#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bindery {

/// The manual page (roff, section 1) of the program or of one of its commands, by the same
/// description of the command line that parses it and that `--help` prints.
[[nodiscard]] std::string ManualPage(const CLI::App& app);

/// The name of the page: "bindery", "bindery-access-who-can".
[[nodiscard]] std::string ManualName(const CLI::App& app);

/// The program and every command below it that is not hidden.
[[nodiscard]] std::vector<const CLI::App*> WithManual(const CLI::App& app);

}  // namespace bindery
