#include "yaml/source_lines.h"

#include <algorithm>
#include <array>

#include "yaml/text.h"

namespace bindery::yaml {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr auto kNowhere = std::string_view::npos;

/// A comment begins at a "#" outside of quotes that is the first character or follows a blank.
std::string_view WithoutComment(std::string_view text) {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = i == 0 || kBlanks.find(text[i - 1]) != kNowhere;
    if (quote != '\0') {
      if (text[i] == '\\' && quote == '"') {
        ++i;
      } else if (text[i] == quote) {
        quote = '\0';
      }
    } else if ((text[i] == '"' || text[i] == '\'') &&
               (starts || std::string_view("[{,").find(text[i - 1]) != kNowhere)) {
      quote = text[i];
    } else if (text[i] == '#' && starts) {
      return text.substr(0, i);
    }
  }
  return text;
}

bool IsKeyCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/';
}

constexpr std::array<LookAlike, 13> kLookAlikes = {{
    {"\u201C", "a typographic quote (U+201C): write \" or '"},
    {"\u201D", "a typographic quote (U+201D): write \" or '"},
    {"\u201E", "a typographic quote (U+201E): write \" or '"},
    {"\u2018", "a typographic quote (U+2018): write \" or '"},
    {"\u2019", "a typographic quote (U+2019): write \" or '"},
    {"\u00A0", "a no-break space (U+00A0): write a plain space"},
    {"\u202F", "a no-break space (U+202F): write a plain space"},
    {"\u3000", "a wide space (U+3000): write a plain space"},
    {"\u200B", "an invisible character (U+200B): remove it"},
    {"\u2060", "an invisible character (U+2060): remove it"},
    {"\u200D", "an invisible character (U+200D): remove it"},
    {"\uFF1A", "a full-width colon (U+FF1A): write a plain one"},
    {"\uFF0C", "a full-width comma (U+FF0C): write a plain one"},
}};

}  // namespace

int SourceLine::FindColumn(std::string_view part) const {
  const auto offset = static_cast<std::size_t>(part.data() - text.data());
  return static_cast<int>(CountCharacters(text.substr(0, offset))) + 1;
}

std::vector<SourceLine> MakeLines(std::string_view text, int first_line) {
  std::vector<SourceLine> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    SourceLine line;
    line.number = first_line++;
    line.text = text.substr(at, end - at);
    line.indent = std::min(line.text.find_first_not_of(' '), line.text.size());
    line.body = WithoutComment(line.text.substr(line.indent));
    line.body = line.body.substr(0, line.body.find_last_not_of(kBlanks) + 1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

std::size_t KeyWithoutSpace(std::string_view body) {
  std::size_t end = 0;
  while (end < body.size() && IsKeyCharacter(body[end])) ++end;
  const bool letter = end > 0 && ((body[0] >= 'a' && body[0] <= 'z') ||  //
                                  (body[0] >= 'A' && body[0] <= 'Z'));
  if (!letter || end + 1 >= body.size() || body[end] != ':') return 0;
  const std::string_view value = body.substr(end + 1);
  if (value.front() == '/' || kBlanks.find(value.front()) != kNowhere) return 0;
  return value.find(": ") != kNowhere || value.back() == ':' ? 0 : end;
}

std::string WithSpaceAfterKey(std::string_view body) {
  const std::size_t end = KeyWithoutSpace(body);
  return std::string(body.substr(0, end)) + ": " + std::string(body.substr(end + 1));
}

std::string_view TemplateMarker(std::string_view text) {
  for (const std::string_view marker : {"{{", "{%", "<%", "{#"}) {
    if (text.find(marker) != kNowhere) return marker;
  }
  return {};
}

LookAlike FindLookAlike(std::string_view text) {
  LookAlike first;
  std::size_t at = kNowhere;
  for (const LookAlike& candidate : kLookAlikes) {
    const std::size_t found = text.find(candidate.part);
    if (found >= at) continue;
    at = found;
    first = {text.substr(found, candidate.part.size()), candidate.what};
  }
  return first;
}

}  // namespace bindery::yaml
