#include "cel/syntax/excerpt.h"

#include <algorithm>
#include <vector>

namespace bindery::cel {
namespace {

constexpr std::size_t kLongestLine = 160;  // In code points.
constexpr std::size_t kBefore = 100;       // Of a cut line, what is shown before the place.

std::string_view LineAt(std::string_view source, std::size_t offset) {
  offset = std::min(offset, source.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : source.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = source.substr(begin, source.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Where the code points begin, and the end.
std::vector<std::size_t> Starts(std::string_view line) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  }
  starts.push_back(line.size());
  return starts;
}

}  // namespace

std::string Excerpt(std::string_view source, const Position& at) {
  const std::string_view line = LineAt(source, at.offset);
  const std::vector<std::size_t> starts = Starts(line);
  const std::size_t length = starts.size() - 1;
  const std::size_t column = std::min(static_cast<std::size_t>(std::max(at.column, 1)) - 1, length);
  const std::size_t first = length > kLongestLine && column > kBefore ? column - kBefore : 0;
  const std::size_t last = std::min(length, first + kLongestLine);
  std::string shown(line.substr(starts[first], starts[last] - starts[first]));
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }, ' ');
  std::string text = " | " + shown + "\n | ";
  for (std::size_t i = first; i < column; ++i) text += line[starts[i]] == '\t' ? '\t' : '.';
  return text + '^';
}

std::string ErrorText(std::string_view source, const Position& at, std::string_view message,
                      std::string_view name) {
  return "ERROR: " + std::string(name) + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column) + ": " + std::string(message) + "\n" + Excerpt(source, at);
}

}  // namespace bindery::cel
