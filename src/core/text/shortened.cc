#include "core/text/shortened.h"

#include <array>

namespace bindery {
namespace {

/// How many bytes at the start of `text` break a line or control a terminal; 0: none.
std::size_t ControlLength(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x20 || byte == 0x7F) return 1;
  // U+0085, U+2028 and U+2029.
  constexpr std::array<std::string_view, 3> kBreaks = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
  for (const std::string_view each : kBreaks) {
    if (text.starts_with(each)) return each.size();
  }
  return 0;
}

std::string Line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t control = ControlLength(text);
    const bool blank = control > 0 || text.front() == ' ';
    if (!blank) line += text.front();
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
    text.remove_prefix(control > 0 ? control : 1);
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

std::string Shortened(std::string_view text, std::size_t most) {
  std::string line = Line(text);
  if (line.size() <= most) return line;
  // Back to the begin of a character, then to the end of a word that is near.
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) --cut;
  const std::size_t word = line.rfind(' ', cut);
  if (word != std::string::npos && word >= most - most / 4) cut = word;
  line.resize(cut);
  return line + "…";
}

}  // namespace bindery
