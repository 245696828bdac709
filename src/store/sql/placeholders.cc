#include "store/sql/placeholders.h"

#include <algorithm>

namespace bindery::store {
namespace {

constexpr char kTarget = '\x01';
constexpr char kRole = '\x02';

constexpr auto kIsPlaceholder = [](char c) { return c == kTarget || c == kRole; };

// Replacing less gains nothing; an empty one would be found everywhere.
constexpr std::size_t kShortest = 4;

void Replace(std::string& text, std::string_view part, char placeholder) {
  if (part.size() < kShortest) return;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    text.replace(at, part.size(), 1, placeholder);
  }
}

}  // namespace

Shortened Shorten(std::string_view text, std::string_view target, std::string_view role) {
  Shortened shortened{std::string(text)};
  if (std::any_of(text.begin(), text.end(), kIsPlaceholder)) {
    shortened.verbatim = true;
    return shortened;
  }
  Replace(shortened.text, target, kTarget);
  Replace(shortened.text, role, kRole);
  return shortened;
}

void Lengthen(std::string_view text, bool verbatim, std::string_view target, std::string_view role,
              std::string& whole) {
  if (verbatim) {
    whole = text;
    return;
  }
  whole.clear();
  const auto* begin = text.begin();
  for (const auto* at = std::find_if(begin, text.end(), kIsPlaceholder); at != text.end();
       at = std::find_if(begin, text.end(), kIsPlaceholder)) {
    whole.append(begin, at).append(*at == kTarget ? target : role);
    begin = at + 1;
  }
  whole.append(begin, text.end());
}

}  // namespace bindery::store
