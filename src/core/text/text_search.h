#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace bindery {

/// `part` is somewhere in `text`, in capital or small letters of ASCII; an empty part is.
[[nodiscard]] inline bool ContainsInAnyCase(std::string_view text, std::string_view part) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end() ||
         part.empty();
}

/// Whether a name, or a path, is a place or beneath the place: "projects/acme" has itself and what
/// follows after a slash. The place may end in a slash.
[[nodiscard]] inline bool IsWithin(std::string_view name, std::string_view place) {
  if (!name.starts_with(place)) return false;
  return name.size() == place.size() || place.ends_with('/') || name[place.size()] == '/';
}

}  // namespace bindery
