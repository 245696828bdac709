#include "manifests/schema/check_text.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/text/nearest.h"

namespace bindery::manifests {

std::string Quote(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  std::string shown(text.substr(0, kLongest));
  if (text.size() > kLongest) {
    // Not within a character.
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0U) == 0x80U) {
      shown.pop_back();
    }
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xC0U) shown.pop_back();
    shown += "...";
  }
  return CompactJson(Json(shown));
}

std::string QuotedList(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    text += Quote(words[i]);
  }
  return text;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::optional<std::string> nearest = NearestSpelling(word, candidates);
  return nearest ? ", did you mean " + Quote(*nearest) + "?" : std::string();
}

bool IsAsciiLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool IsDecimal(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool HasOnlyCharacters(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return IsAsciiLetterOrDigit(c) || others.find(c) != std::string_view::npos;
  });
}

bool HasBlank(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7F;
  });
}

bool IsDomain(std::string_view text) {
  constexpr std::size_t kLongestDomain = 253;
  constexpr std::size_t kLongestLabel = 63;
  if (text.size() > kLongestDomain) return false;
  const std::vector<std::string_view> labels = Split(text, '.');
  return labels.size() >= 2 &&
         std::all_of(labels.begin(), labels.end(), [](std::string_view label) {
           return HasOnlyCharacters(label, "-") && label.size() <= kLongestLabel &&
                  label.front() != '-' && label.back() != '-';
         });
}

bool IsEmail(std::string_view text) {
  constexpr std::size_t kLongestLocalPart = 64;
  const auto at = text.rfind('@');
  if (at == std::string_view::npos || at > kLongestLocalPart) return false;
  return HasOnlyCharacters(text.substr(0, at), ".!#$%&'*+/=?^_`{|}~-") &&
         IsDomain(text.substr(at + 1));
}

bool HasWord(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t at = text.find(separator); at != std::string_view::npos;
       at = text.find(separator, start)) {
    parts.push_back(text.substr(start, at - start));
    start = at + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

}  // namespace bindery::manifests
