#include "yaml/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace bindery::yaml {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

unsigned char ByteAt(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool IsContinuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// The length of the well-formed sequence at `at` (Unicode table 3-7); 0 if none exists.
std::size_t SequenceLength(std::string_view text, std::size_t at) {
  const unsigned char first = ByteAt(text, at);
  const unsigned char second = ByteAt(text, at + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !IsContinuation(second)) return 0;
  if (first < 0xE0) return 2;
  if (!IsContinuation(ByteAt(text, at + 2))) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90;
  const bool too_large = first == 0xF4 && second > 0x8F;
  return overlong || too_large || !IsContinuation(ByteAt(text, at + 3)) ? 0 : 4;
}

std::string Hex(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {kDigits[byte >> 4U], kDigits[byte & 0x0FU]};
}

bool IsDocumentMarker(std::string_view line, std::string_view marker) {
  if (line.substr(0, marker.size()) != marker) return false;
  return line.size() == marker.size() || line[marker.size()] == ' ' || line[marker.size()] == '\t';
}

}  // namespace

std::optional<Fault> FindBadText(std::string_view text) {
  const auto fault = [&](std::size_t at, std::string message) {
    return Fault{PositionAt(text, at), std::move(message), "InvalidText"};
  };
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return fault(
        0, "not UTF-8 but UTF-16 (byte 0x" + Hex(ByteAt(text, 0)) + "): save the file as UTF-8");
  }
  std::size_t at = 0;
  while (at < text.size()) {
    const unsigned char byte = ByteAt(text, at);
    if (byte >= 0x20 && byte < 0x7F) {
      ++at;
      continue;
    }
    const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    if (control || byte == 0x7F) return fault(at, "control character 0x" + Hex(byte));
    const std::size_t length = SequenceLength(text, at);
    if (length == 0) return fault(at, "not UTF-8: byte 0x" + Hex(byte));
    if (at > 0 && text.substr(at, length) == kByteOrderMark) {
      return fault(
          at,
          "byte order mark (U+FEFF) in the middle of the text: two files were put together; "
          "remove this invisible character");
    }
    at += length;
  }
  return std::nullopt;
}

std::string_view SkipByteOrderMark(std::string_view text) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  return text;
}

bool IsAscii(std::string_view text) {
  std::uint64_t bits = 0;
  std::size_t at = 0;
  for (; at + sizeof(bits) <= text.size(); at += sizeof(bits)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    bits |= bytes;
  }
  for (; at < text.size(); ++at) bits |= static_cast<unsigned char>(text[at]);
  return (bits & 0x8080808080808080U) == 0;
}

bool HoldsAt(std::string_view text, std::size_t offset, std::string_view part) {
  return offset <= text.size() && text.substr(offset, part.size()) == part;
}

std::string WithUnixLineBreaks(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result += text[i];
    } else if (i + 1 >= text.size() || text[i + 1] != '\n') {
      result += '\n';
    }
  }
  return result;
}

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return !IsContinuation(static_cast<unsigned char>(c));
  }));
}

Position PositionAt(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_break = before.rfind('\n');
  const std::size_t start = line_break == std::string_view::npos ? 0 : line_break + 1;
  return {static_cast<int>(lines) + 1, static_cast<int>(CountCharacters(before.substr(start))) + 1};
}

std::vector<Chunk> SplitDocuments(std::string_view text) {
  std::vector<Chunk> chunks;
  std::size_t start = 0;
  int start_line = 1;
  const auto cut = [&](std::size_t at, int line) {
    if (at > start) chunks.push_back({text.substr(start, at - start), start_line});
    start = at;
    start_line = line;
  };
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    const std::size_t next = std::min(line_end + 1, text.size());
    const std::string_view content = text.substr(at, line_end - at);
    if (IsDocumentMarker(content, "---")) {
      cut(at, line);
    } else if (IsDocumentMarker(content, "...")) {
      cut(next, line + 1);
    }
    at = next;
  }
  cut(text.size(), line);
  return chunks;
}

}  // namespace bindery::yaml
