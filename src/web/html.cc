#include "web/html.h"

#include <cstdint>

namespace bindery::web {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// How many bytes the UTF-8 sequence at the start of `text` has; 0 when it is none.
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kLeast[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

/// What stands for one of the characters that mean something; empty for the others.
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
    const std::size_t length = SequenceLength(text);
    const std::string_view entity = length == 0 ? kReplacement : Entity(text.front());
    html += entity.empty() ? text.substr(0, length) : entity;
    text.remove_prefix(length == 0 ? 1 : length);
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
