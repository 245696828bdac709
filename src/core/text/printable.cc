#include "core/text/printable.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/text/code_point.h"

namespace bindery {
namespace {

enum class Form { kText, kJson, kYaml };

void AppendHex(std::string& out, std::uint32_t value, unsigned digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (unsigned shift = digits * 4; shift > 0; shift -= 4) {
    out += kDigits[(value >> (shift - 4)) & 15U];
  }
}

void AppendEscape(std::string& out, std::uint32_t c, Form form) {
  constexpr std::uint32_t kAstral = 0x10000;
  if (c >= kAstral && form == Form::kJson) {
    const std::uint32_t rest = c - kAstral;
    AppendEscape(out, 0xD800U + (rest >> 10U), form);
    AppendEscape(out, 0xDC00U + (rest & 0x3FFU), form);
  } else if (c >= kAstral) {
    out += "\\U";
    AppendHex(out, c, 8);
  } else if (c >= 0x100 || form == Form::kJson) {
    out += "\\u";
    AppendHex(out, c, 4);
  } else {
    out += "\\x";
    AppendHex(out, c, 2);
  }
}

/// How many bytes at the start set a colour: ESC [ digits and semicolons m. 0: none.
std::size_t ColourLength(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

bool IsPlainByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7F;
}

/// `keep`: how many bytes at the start stay whatever they are, where the first one is not plain.
template <typename Keep>
std::string Escaped(std::string_view text, Form form, const Keep& keep) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto plain = std::ranges::find_if_not(text, IsPlainByte) - text.begin();
    if (plain > 0) {
      shown += text.substr(0, static_cast<std::size_t>(plain));
      text.remove_prefix(static_cast<std::size_t>(plain));
      continue;
    }
    std::size_t bytes = keep(text);
    if (bytes > 0) {
      shown += text.substr(0, bytes);
    } else {
      const std::optional<CodePoint> point = DecodeUtf8(text);
      bytes = point ? point->bytes : 1;
      if (point && !Steers(point->value)) {
        shown += text.substr(0, bytes);
      } else {
        AppendEscape(shown, point ? point->value : static_cast<unsigned char>(text.front()), form);
      }
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

/// Line breaks between the parts of a document are its own.
std::size_t Layout(std::string_view text) {
  return text.front() == '\n' || text.front() == '\t' ? 1 : 0;
}

bool IsPlain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return IsPlainByte(c) || c == '\n'; });
}

}  // namespace

std::string Printable(std::string_view text) {
  return Escaped(text, Form::kText, [](std::string_view) -> std::size_t { return 0; });
}

std::string PrintableOutput(std::string_view text) {
  return Escaped(text, Form::kText,
                 [](std::string_view rest) { return std::max(Layout(rest), ColourLength(rest)); });
}

std::string PrintableJson(std::string json) {
  if (IsPlain(json)) return json;
  return Escaped(json, Form::kJson, Layout);
}

std::string PrintableYaml(std::string yaml) {
  if (IsPlain(yaml)) return yaml;
  return Escaped(yaml, Form::kYaml, Layout);
}

}  // namespace bindery
