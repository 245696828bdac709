#pragma once

#include <filesystem>
#include <vector>

#include "config/config.h"
#include "providers/google/user_rows.h"

namespace bindery {

/// The rows of kinds that files declare, and everything that is wrong with them.
struct KindFiles {
  std::vector<UserRow> rows;
  std::vector<ConfigProblem> problems;  ///< Each with its file, line, column and key.
};

/// Reads files of rows (`kinds` in the configuration) and checks them together, as two rows must
/// not claim one name: see CheckUserRows. A file is a map with the list `kinds`, of at most 1 MiB.
[[nodiscard]] KindFiles ReadKindFiles(const std::vector<std::filesystem::path>& files);

}  // namespace bindery
