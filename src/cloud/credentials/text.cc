#include "cloud/credentials/text.h"

#include <algorithm>
#include <charconv>

#include "cloud/http_errors.h"

namespace bindery::cloud {
namespace {

/// True when `text` begins with the two or four hex digits of `byte`.
bool IsHexByte(char byte, std::string_view text) {
  unsigned value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return status == std::errc() && end == text.data() + text.size() &&
         value == static_cast<unsigned char>(byte);
}

/// How many characters at the start of `text` mean `c` in a URL, a form or a JSON string; 0: they
/// mean another.
std::size_t LengthOfCharacter(char c, std::string_view text) {
  if (text.size() >= 3 && text[0] == '%' && IsHexByte(c, text.substr(1, 2))) return 3;
  if (text.size() >= 6 && text[0] == '\\' && text[1] == 'u' && IsHexByte(c, text.substr(2, 4))) {
    return 6;
  }
  constexpr std::string_view kShort = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  const std::size_t escape =
      text.size() >= 2 && text[0] == '\\' ? kShort.find(text[1]) : std::string_view::npos;
  if (escape != std::string_view::npos && kMeant[escape] == c) return 2;
  return text[0] == c || (text[0] == '+' && c == ' ') ? 1 : 0;
}

/// How many characters at the start of `text` are the secret, as it is or encoded; 0: they are not.
std::size_t MeasureLength(std::string_view secret, std::string_view text) {
  // Both: a secret may itself look like something encoded.
  const std::size_t as_it_is = text.substr(0, secret.size()) == secret ? secret.size() : 0;
  std::size_t length = 0;
  for (const char c : secret) {
    if (length >= text.size()) return as_it_is;
    const std::size_t part = LengthOfCharacter(c, text.substr(length));
    if (part == 0) return as_it_is;
    length += part;
  }
  return std::max(length, as_it_is);
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  // Not std::tolower, which asks the locale for each letter.
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsHeaderToken(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

std::string FormBody(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    body += (body.empty() ? "" : "&") + EncodeSegment(name) + "=" + EncodeSegment(value);
  }
  return body;
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string Origin(const std::string& url) {
  const std::size_t scheme = url.find("://");
  return url.substr(0, url.find_first_of("/?#", scheme == std::string::npos ? 0 : scheme + 3));
}

std::string Redacted(std::string_view text, const std::vector<std::string>& secrets) {
  // Shorter ones are no secrets, and would tear words apart.
  constexpr std::size_t kShortest = 6;
  std::string shown(text);
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortest) continue;
    std::string rest = std::move(shown);
    shown.clear();
    for (std::string_view left = rest; !left.empty();) {
      const std::size_t length = MeasureLength(secret, left);
      shown += length == 0 ? left.substr(0, 1) : "[hidden]";
      left.remove_prefix(std::max<std::size_t>(length, 1));
    }
  }
  return shown;
}

}  // namespace bindery::cloud
