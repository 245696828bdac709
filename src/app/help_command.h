#pragma once

#include <CLI/CLI.hpp>

#include "app/command_line.h"

namespace bindery {

/// `bindery help COMMAND`: "help store backup" is "store backup --help".
void AddHelpCommand(CLI::App& app, CommandLine& line);

/// Gives each command -c of its own, so that its help names it.
void AddConfigToAll(CLI::App& app, CommandLine& line);

}  // namespace bindery
