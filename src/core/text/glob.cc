#include "core/text/glob.h"

#include <cstddef>

namespace bindery {

namespace {

constexpr std::string_view kWildcards = "*?";

/// A wildcard that stands for itself begins there.
bool IsEscaped(std::string_view pattern, std::size_t at) {
  return pattern[at] == '\\' && at + 1 < pattern.size() &&
         kWildcards.find(pattern[at + 1]) != std::string_view::npos;
}

}  // namespace

bool MatchesGlob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    const bool escaped = p < pattern.size() && IsEscaped(pattern, p);
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (escaped && pattern[p + 1] == text[t]) {
      p += 2;
      ++t;
    } else if (!escaped && p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string EscapeGlob(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (kWildcards.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace bindery
