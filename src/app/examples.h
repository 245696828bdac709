#pragma once

#include <CLI/CLI.hpp>

namespace bindery {

/// Gives every command that has none an example, below what its help text says otherwise.
void AddExamples(CLI::App& app);

}  // namespace bindery
