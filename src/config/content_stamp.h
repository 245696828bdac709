#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bindery::config {

/// The stamp of a file: a different stamp means a different content. Empty for a missing file.
using ContentStamp = std::vector<std::int64_t>;

[[nodiscard]] ContentStamp MakeContentStamp(const std::filesystem::path& file);

}  // namespace bindery::config
