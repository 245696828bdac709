#include "core/text/nearest.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace bindery {
namespace {

std::string Fold(std::string_view word) {
  std::string folded;
  for (const char c : word) {
    if (c == '_' || c == '-') continue;
    folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return folded;
}

/// Letters to insert, delete, replace or swap with their neighbour.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // Two rows up.
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string> NearestSpelling(std::string_view word,
                                           std::span<const std::string> candidates) {
  constexpr std::size_t kLongestWord = 64;
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::string folded = Fold(word);
  std::size_t best = word.size() < 5 ? 2 : 3;
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    // Each letter more or less is an edit: most candidates need no closer look.
    if (candidate.size() + best <= folded.size()) continue;
    const std::string other = Fold(candidate);
    if (other.size() >= folded.size() + best || other.size() + best <= folded.size()) continue;
    const std::size_t distance = EditDistance(folded, other);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string NearestSuggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> nearest = NearestSpelling(word, candidates);
  return nearest ? ", did you mean \"" + *nearest + "\"?" : std::string();
}

}  // namespace bindery
