#include "yaml/subset_tokens.h"

#include <array>
#include <string_view>

namespace bindery::yaml {
namespace {

/// yaml-cpp takes no text of more than 1,024 bytes for a key.
constexpr std::size_t kLongestSubsetKey = 1000;

/// For each byte whether the byte is one of `characters`.
constexpr std::array<bool, 256> MakeSet(std::string_view characters) {
  std::array<bool, 256> set{};
  for (const char c : characters) set[static_cast<unsigned char>(c)] = true;
  return set;
}

/// Characters that no plain scalar begins with.
constexpr auto kIndicators = MakeSet(std::string_view(",[]{}#&*!|>'\"%@` \n\0", 19));
/// Where a plain scalar may end, in block and in flow.
constexpr auto kBlockStops = MakeSet(":#\n");
constexpr auto kFlowStops = MakeSet(":#\n,?[]{}");

bool IsIn(const std::array<bool, 256>& set, char c) { return set[static_cast<unsigned char>(c)]; }

bool IsSign(char c) { return c == '-' || c == '?' || c == ':'; }

bool IsAsciiWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// The character of the escape "\c"; NUL for the escapes that the subset leaves out.
char Unescaped(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'n':
      return '\n';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

std::string_view WithoutTrailingSpaces(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Up to the closing quote; `stops`: the quote, the line break, and in double quotes a backslash.
bool ReadQuoted(SubsetLines& lines, std::string& text) {
  const char quote = lines.Next();
  const std::string_view stops = quote == '"' ? "\"\\\n" : "'\n";
  lines.Skip(1);
  while (true) {
    const std::size_t stop = lines.text().find_first_of(stops, lines.offset());
    if (stop == std::string_view::npos || lines.text()[stop] == '\n') return false;
    text += lines.text().substr(lines.offset(), stop - lines.offset());
    lines.MoveTo(stop + 1);
    const bool doubled = quote == '\'' && lines.Next() == '\'';
    if (lines.text()[stop] == quote && !doubled) return true;
    const char meant = doubled ? '\'' : Unescaped(lines.Next());
    if (meant == '\0') return false;
    text += meant;
    lines.Skip(1);
  }
}

/// The text up to `stop`. A key has a ":" at `stop`, without a space before the ":".
bool TakePlain(SubsetLines& lines, std::size_t stop, SubsetToken& token) {
  token.text = WithoutTrailingSpaces(lines.text().substr(token.offset, stop - token.offset));
  lines.MoveTo(stop);
  if (!token.key) return true;
  lines.Skip(1);
  return lines.text()[stop - 1] != ' ' && token.text.size() <= kLongestSubsetKey;
}

bool ReadPlainInBlock(SubsetLines& lines, SubsetToken& token) {
  const std::string_view text = lines.text();
  std::size_t stop = token.offset;
  const char first = lines.Next();
  if (IsIn(kIndicators, first) || (IsSign(first) && lines.EndsWord(stop + 1))) return false;
  // The end of the document, with content behind it.
  if (token.column == 0 && HoldsAt(text, stop, "...") && lines.EndsWord(stop + 3)) return false;
  for (; stop < text.size(); ++stop) {
    const char c = text[stop];
    if (!IsIn(kBlockStops, c)) continue;
    if (c == '\n' || (c == '#' && text[stop - 1] == ' ')) break;
    token.key = c == ':' && lines.EndsWord(stop + 1);
    if (token.key) break;
  }
  return TakePlain(lines, stop, token);
}

bool ReadPlainInFlow(SubsetLines& lines, SubsetToken& token) {
  const std::string_view text = lines.text();
  std::size_t stop = token.offset;
  const char first = lines.Next();
  if (IsIn(kIndicators, first)) return false;
  if (IsSign(first) && !IsAsciiWordCharacter(lines.CharacterAt(stop + 1))) return false;
  for (; stop < text.size(); ++stop) {
    const char c = text[stop];
    if (!IsIn(kFlowStops, c) || (c == '#' && text[stop - 1] != ' ')) continue;
    token.key = c == ':' && lines.EndsWord(stop + 1);
    if (token.key || c != ':') break;
    // "{a:, b:}": keys without values.
    if (IsIn(kFlowStops, lines.CharacterAt(stop + 1))) return false;
  }
  const char end = lines.CharacterAt(stop);
  if (!token.key && end != ',' && end != ']' && end != '}') return false;
  return TakePlain(lines, stop, token);
}

void BeginToken(SubsetLines& lines, SubsetToken& token) {
  token.offset = lines.offset();
  token.column = lines.column();
  token.at = lines.At();
  token.quoted = lines.Next() == '"' || lines.Next() == '\'';
}

/// A line with a line break and at most `indent` spaces before it.
bool IsEmptyLineWithin(const SubsetLines& lines, std::size_t indent) {
  const std::size_t content = lines.text().find_first_not_of(' ', lines.offset());
  return lines.CharacterAt(content) == '\n' && content - lines.offset() <= indent;
}

/// The lines with their breaks; with `folded`, joined by spaces. To the start of the line behind.
bool ReadTextLines(SubsetLines& lines, std::size_t parent, bool folded, std::string& text) {
  lines.SkipSpaces();
  const std::size_t indent = lines.column();
  if (indent <= parent || lines.end() || lines.Next() == '\n') return false;
  while (true) {
    const std::size_t stop = lines.LineEnd();
    text += lines.text().substr(lines.offset(), stop - lines.offset());
    lines.MoveTo(stop);
    if (lines.end()) return true;
    text += '\n';
    lines.StartLine(stop + 1);
    bool empty_lines = false;
    while (IsEmptyLineWithin(lines, indent)) {
      empty_lines = true;
      text += '\n';
      lines.StartLine(lines.LineEnd() + 1);
    }
    if (lines.end()) return true;
    const std::size_t content = lines.text().find_first_not_of(' ', lines.offset());
    // Spaces alone at the very end of the text.
    if (content == std::string_view::npos) return false;
    const std::size_t spaces = content - lines.offset();
    if (spaces < indent) return true;
    if (folded) {
      if (empty_lines || spaces > indent) return false;
      text.back() = ' ';
    }
    lines.Skip(indent);
  }
}

}  // namespace

bool ReadBlockToken(SubsetLines& lines, SubsetToken& token) {
  BeginToken(lines, token);
  if (!token.quoted) return ReadPlainInBlock(lines, token);
  if (!ReadQuoted(lines, token.text)) return false;
  token.key = lines.Next() == ':' && lines.EndsWord(lines.offset() + 1);
  if (token.key) lines.Skip(1);
  return !token.key || lines.offset() - token.offset <= kLongestSubsetKey;
}

bool ReadFlowToken(SubsetLines& lines, SubsetToken& token) {
  BeginToken(lines, token);
  if (token.quoted) {
    if (!ReadQuoted(lines, token.text)) return false;
    // As in JSON, no space needs to follow.
    token.key = lines.Next() == ':';
    if (token.key) lines.Skip(1);
    if (token.key && lines.offset() - token.offset > kLongestSubsetKey) return false;
  } else if (!ReadPlainInFlow(lines, token)) {
    return false;
  }
  lines.SkipSpaces();
  return true;
}

bool ReadBlockText(SubsetLines& lines, std::size_t parent, std::string& text) {
  const bool folded = lines.Next() == '>';
  lines.Skip(1);
  const bool strip = lines.Next() == '-';
  if (strip) lines.Skip(1);
  if (lines.Next() != '\n') return false;
  lines.StartLine(lines.offset() + 1);
  if (!ReadTextLines(lines, parent, folded, text)) return false;
  const std::size_t kept = text.find_last_not_of('\n') + (strip ? 1 : 2);
  if (kept < text.size()) text.erase(kept);
  lines.NextContent();
  return true;
}

}  // namespace bindery::yaml
