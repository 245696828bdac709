#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bindery {

/// What a file looked like: another stamp, another content. Empty for one that is missing.
using ContentStamp = std::vector<std::int64_t>;

[[nodiscard]] ContentStamp ContentStampOf(const std::filesystem::path& file);

}  // namespace bindery
