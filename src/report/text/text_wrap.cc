#include "report/text/text_wrap.h"

#include <algorithm>

#include "report/text/text_style.h"

namespace bindery::report {

std::vector<std::string> WrapText(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (true) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (ShownWidth(line) + 1 + ShownWidth(word) <= width) {
      line.append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
    if (blank == text.size()) return lines;
    text.remove_prefix(blank + 1);
  }
}

std::string FitLine(std::string_view line, std::size_t indent, const TextStyle& style) {
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  if (width == 0 || ShownWidth(line) <= width) return std::string(line);
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  constexpr std::size_t kLeastRoom = 16;
  const std::size_t room = std::max(width > indent ? width - indent : 0, kLeastRoom);
  std::string text;
  for (const std::string& part : WrapText(line.substr(start), room)) {
    text += (text.empty() ? std::string(start, ' ') : "\n" + std::string(indent, ' ')) + part;
  }
  return text;
}

}  // namespace bindery::report
