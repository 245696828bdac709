#include "web/html.h"

#include <algorithm>
#include <array>

#include "core/text/code_point.h"

namespace bindery::web {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The number of bytes of the character at the start of `text`; 0 for no character, or for a
/// control character of the text direction.
std::size_t CharacterLength(std::string_view text) {
  const auto point = DecodeUtf8(text);
  if (!point) return 0;
  return point->value >= 0x80 && Steers(point->value) ? 0 : point->bytes;
}

/// The number of bytes for one replacement.
std::size_t SkippedLength(std::string_view text) {
  const auto point = DecodeUtf8(text);
  return point ? point->bytes : 1;
}

constexpr bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

/// The entity of a special character; empty for ordinary characters.
constexpr std::string_view Entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return IsControl(c) ? kReplacement : std::string_view();
  }
}

/// By byte: an ASCII character that stands for itself.
constexpr std::array<bool, 256> MakePlain() {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0; c < 0x80; ++c) plain[c] = Entity(static_cast<char>(c)).empty();
  return plain;
}
constexpr std::array<bool, 256> kPlain = MakePlain();

bool IsPlain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

/// The text with the characters replaced that mean something in HTML.
void AppendEscaped(std::string_view text, std::string& html) {
  while (!text.empty()) {
    const auto* const special = std::find_if_not(text.begin(), text.end(), IsPlain);
    const auto plain = static_cast<std::size_t>(special - text.begin());
    html += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const std::size_t length = CharacterLength(text);
    const std::string_view entity = length == 0 ? kReplacement : Entity(text.front());
    html += entity.empty() ? text.substr(0, length) : entity;
    text.remove_prefix(length == 0 ? SkippedLength(text) : length);
  }
}

}  // namespace

Html::Html(std::string_view text) { AppendEscaped(text, markup_); }

Html& Html::Add(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

Html& Html::Add(std::string_view text) {
  AppendEscaped(text, markup_);
  return *this;
}

void Html::Open(Literal tag, Attributes attributes, std::size_t length) {
  // The marks around the content, of the tag twice and of each attribute.
  constexpr std::size_t kMarks = 5;
  constexpr std::size_t kAttributeMarks = 4;
  length += kMarks + 2 * tag.view().size();
  for (const Attribute& attribute : attributes) {
    length += kAttributeMarks + attribute.name.view().size() + attribute.value.size();
  }
  markup_.reserve(length);
  markup_ += '<';
  markup_ += tag.view();
  for (const Attribute& attribute : attributes) {
    if (!attribute.present) continue;
    markup_ += ' ';
    markup_ += attribute.name.view();
    markup_ += "=\"";
    AppendEscaped(attribute.value, markup_);
    markup_ += '"';
  }
  markup_ += '>';
}

void Html::Close(Literal tag) {
  markup_ += "</";
  markup_ += tag.view();
  markup_ += '>';
}

Html Void(Literal tag, Attributes attributes) {
  Html html;
  html.Open(tag, attributes, 0);
  return html;
}

}  // namespace bindery::web
