#include "core/base/json_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/base/member_text.h"

namespace bindery {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Reads the members of a text known to be an object.
class MemberReader {
 public:
  explicit MemberReader(std::string_view text) : text_(text) {}

  /// Calls `take` with the name in quotes and the value of each member.
  template <typename Take>
  void Each(const Take& take) {
    at_ = std::min(text_.find('{'), text_.size() - 1) + 1;
    for (SkipBlanks(); at_ < text_.size() && text_[at_] == '"'; SkipBlanks()) {
      const std::string_view name = Skipped(&MemberReader::SkipString);
      SkipBlanks();
      ++at_;  // The colon.
      SkipBlanks();
      const std::string_view value = Skipped(&MemberReader::SkipValue);
      take(name, value);
      SkipBlanks();
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
    }
  }

 private:
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  [[nodiscard]] std::string_view Skipped(void (MemberReader::*skip)()) {
    const std::size_t begin = at_;
    (this->*skip)();
    return text_.substr(begin, at_ - begin);
  }

  void SkipString() {
    std::size_t quote = text_.find('"', at_ + 1);
    while (quote != std::string_view::npos && IsEscaped(quote)) quote = text_.find('"', quote + 1);
    at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
  }

  /// Of a quote in the text that begins at at_: an odd number of backslashes stands before it.
  [[nodiscard]] bool IsEscaped(std::size_t quote) const {
    std::size_t before = quote - 1;
    while (text_[before] == '\\') --before;
    return (quote - before) % 2 == 0;
  }

  /// To the comma or the brace behind it.
  void SkipValue() {
    std::size_t depth = 0;
    std::size_t end = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == '}')) break;
      if (c == '"') {
        SkipString();
      } else {
        SkipOutsideOfStrings(c, depth);
      }
      if (depth == 0 && kBlanks.find(c) == std::string_view::npos) end = at_;
    }
    // A text that ends within the value is no object: all of the rest counts.
    if (at_ < text_.size()) at_ = end;
  }

  /// The character `c`, and what follows to the next string, list or object.
  void SkipOutsideOfStrings(char c, std::size_t& depth) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at_;
    if (depth > 0) SkipPlain();
  }

  /// Within a list or an object, to the next character that begins or ends something. The strings
  /// of a large answer are most of the text, and blanks are most of the rest.
  void SkipPlain() {
    while (at_ < text_.size() && !kBeginsOrEnds[static_cast<unsigned char>(text_[at_])]) ++at_;
  }

  static constexpr std::array<bool, 256> kBeginsOrEnds = [] {
    std::array<bool, 256> characters{};
    for (const char c : std::string_view("\"{}[]"))
      characters[static_cast<unsigned char>(c)] = true;
    return characters;
  }();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::map<std::string, std::string> MemberTexts(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  const bool object = first != std::string_view::npos && text[first] == '{' && Json::accept(text);
  if (!object) return {};
  std::map<std::string, std::string> members;
  MemberReader(text).Each([&members](std::string_view name, std::string_view value) {
    members.insert_or_assign(Json::parse(name).get<std::string>(), std::string(value));
  });
  return members;
}

std::string_view MemberText(std::string_view text, std::string_view name) {
  std::string_view found;
  if (text.empty()) return found;
  MemberReader(text).Each([&](std::string_view quoted, std::string_view value) {
    if (quoted.size() == name.size() + 2 && quoted.substr(1, name.size()) == name) found = value;
  });
  return found;
}

std::string CompactJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string CompactJson(const Json& object, const std::map<std::string, std::string>& verbatim) {
  std::string text = "{";
  for (const auto& [name, value] : object.items()) {
    const auto spelled = verbatim.find(name);
    text += (text.size() > 1 ? "," : "") + CompactJson(Json(name)) + ":";
    text += spelled == verbatim.end() ? CompactJson(value) : spelled->second;
  }
  return text + "}";
}

}  // namespace bindery
