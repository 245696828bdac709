#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery::manifests {

/// The id that git gives to a file of the content, in hex digits: of SHA-1 where ids have 40 of
/// them, of SHA-256 where they have 64. Filters (`autocrlf`) are not considered. Nothing: there are
/// no ids of the length, or the system refuses the algorithm.
[[nodiscard]] std::optional<std::string> GitBlobId(std::string_view content, std::size_t digits);

}  // namespace bindery::manifests
