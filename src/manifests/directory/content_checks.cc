#include "manifests/directory/content_checks.h"

#include <algorithm>
#include <utility>

namespace bindery::manifests {
namespace {

/// FNV-1a.
std::uint64_t Mix(std::uint64_t sum, std::string_view text) {
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return sum;
}

/// Spreads near numbers over all 64 bits, as SplitMix64 does.
std::uint64_t Spread(std::uint64_t number) {
  number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  number = (number ^ (number >> 27U)) * 0x94D049BB133111EBULL;
  return number ^ (number >> 31U);
}

}  // namespace

bool ContentChecks::IsDue(std::uint64_t file, std::int64_t from_ms, std::int64_t to_ms) const {
  const std::int64_t period = period_.count();
  for (std::int64_t one = from_ms / period; one <= to_ms / period; ++one) {
    const std::uint64_t spread = Spread(file + static_cast<std::uint64_t>(one));
    const auto offset = static_cast<std::int64_t>(spread % static_cast<std::uint64_t>(period));
    const std::int64_t at = one * period + offset;
    if (from_ms < at && at <= to_ms) return true;
  }
  return false;
}

void ContentChecks::Mark(std::int64_t now_ns, Listing& listing) {
  if (period_.count() <= 0) return;
  const std::int64_t now_ms = now_ns / 1'000'000;
  const std::int64_t from_ms = std::exchange(last_ms_, now_ms);
  // A clock that was set back tells of no time.
  if (from_ms == 0 || now_ms <= from_ms) return;
  const bool all = now_ms - from_ms >= period_.count();
  for (ListedFolder& folder : listing.folders) {
    const std::uint64_t of_folder = Mix(0xCBF29CE484222325ULL, folder.path);
    for (ListedFile& file : folder.files) {
      if (all || IsDue(Mix(of_folder, folder.GetName(file)), from_ms, now_ms)) {
        file.read_anyway = true;
      }
    }
  }
}

bool HasMarked(const Listing& listing) {
  return std::any_of(listing.folders.begin(), listing.folders.end(),
                     [](const ListedFolder& folder) {
                       if (!folder.stamps_prove && !folder.files.empty()) return true;
                       return std::any_of(folder.files.begin(), folder.files.end(),
                                          [](const ListedFile& file) { return file.read_anyway; });
                     });
}

}  // namespace bindery::manifests
