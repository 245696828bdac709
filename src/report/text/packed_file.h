#pragma once

#include <atomic>
#include <filesystem>

namespace bindery::report {

/// Replaces a file by the same compressed, "FILE.zst" beside it (zstd, RFC 8878), for `zstd -d`.
/// Under "…/.NAME.zst" until it is whole. What fails, or is `dropped` from another thread, leaves
/// the file as it is. `dropped` may be null.
void PackFile(const std::filesystem::path& file, const std::atomic<bool>* dropped);

}  // namespace bindery::report
