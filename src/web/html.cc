#include "web/html.h"

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

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

/// The entity of a special character; empty for ordinary characters.
std::string_view Entity(char c) {
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

}  // namespace

std::string Escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const std::string_view entity = length == 0 ? kReplacement : Entity(text.front());
    html += entity.empty() ? text.substr(0, length) : entity;
    text.remove_prefix(length == 0 ? SkippedLength(text) : length);
  }
  return html;
}

Html::Html(std::string_view text) : markup_(Escaped(text)) {}

Html& Html::Add(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

void Html::Open(Literal tag, Attributes attributes) {
  markup_ += '<';
  markup_ += tag.view();
  for (const Attribute& attribute : attributes) {
    if (!attribute.present) continue;
    markup_ += ' ';
    markup_ += attribute.name.view();
    markup_ += "=\"";
    markup_ += Escaped(attribute.value);
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
  html.Open(tag, attributes);
  return html;
}

}  // namespace bindery::web
