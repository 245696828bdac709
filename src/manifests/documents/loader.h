#pragma once

#include <span>
#include <string>
#include <string_view>

#include "manifests/documents/file_content.h"
#include "manifests/schema/kind_schemas.h"

namespace bindery::manifests {

/// Reads and checks all documents of one file: YAML, or JSON when the path ends in ".json". Reports
/// every problem, by its place; a bad document does not hide the good ones. A text without
/// documents is fine. Pure and thread-safe: files can be loaded in parallel.
[[nodiscard]] FileContent LoadFile(std::string_view text, const std::string& relative_path,
                                   const KindSchemas& kinds);
[[nodiscard]] FileContent LoadFile(std::string_view text, const std::string& relative_path,
                                   std::span<const KindSchema* const> kinds);

}  // namespace bindery::manifests
