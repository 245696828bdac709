#include "store/placeholders.h"

namespace bindery::store {
namespace {

constexpr char kTarget = '\x01';
constexpr char kRole = '\x02';
constexpr std::string_view kBoth = "\x01\x02";

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
  if (text.find_first_of(kBoth) != std::string_view::npos) {
    shortened.verbatim = true;
    return shortened;
  }
  Replace(shortened.text, target, kTarget);
  Replace(shortened.text, role, kRole);
  return shortened;
}

std::string Lengthen(std::string_view text, bool verbatim, std::string_view target,
                     std::string_view role) {
  std::string whole;
  if (verbatim) return whole.assign(text);
  std::size_t begin = 0;
  for (std::size_t at = text.find_first_of(kBoth); at != std::string_view::npos;
       at = text.find_first_of(kBoth, begin)) {
    whole.append(text.substr(begin, at - begin)).append(text[at] == kTarget ? target : role);
    begin = at + 1;
  }
  return whole.append(text.substr(begin));
}

}  // namespace bindery::store
