#pragma once

#include <filesystem>
#include <vector>

#include "config/config.h"
#include "providers/declared_kinds.h"

namespace bindery::config {

/// The rows of kinds in files, with all errors.
struct KindFiles {
  providers::KindRows rows;
  std::vector<ConfigProblem> problems;  ///< Each with its file, line, column and key.
};

/// Reads files of rows (`kinds` in the configuration) and checks them together, as two rows must
/// not claim one name: see DeclaredKinds. A file is a map with the list `kinds`, of at most 1 MiB.
[[nodiscard]] KindFiles ReadKindFiles(const std::vector<std::filesystem::path>& files);

}  // namespace bindery::config
