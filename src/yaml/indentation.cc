#include "yaml/indentation.h"

#include <algorithm>
#include <string>

namespace bindery::yaml {
namespace {

constexpr auto kNoColon = std::string_view::npos;

bool IsItem(std::string_view body) { return body == "-" || body.starts_with("- "); }

/// "role" of "role: x"; empty for what is no field.
std::string_view MakeKey(std::string_view body) {
  std::size_t end = body.find(": ");
  if (end == kNoColon && body.ends_with(':')) end = body.size() - 1;
  return end == kNoColon ? std::string_view() : body.substr(0, end);
}

/// Lines that begin in one column: the fields of a map, or the items of a list.
struct Level {
  std::size_t indent = 0;
  bool items = false;
  const SourceLine* last = nullptr;  ///< Of these lines.
};

/// The levels that are open before a line, outermost first.
struct Levels {
  std::vector<Level> open;

  void Enter(std::size_t indent, bool items, const SourceLine& line) {
    while (!open.empty() && (open.back().indent > indent ||
                             (open.back().indent == indent && open.back().items && !items))) {
      open.pop_back();
    }
    const bool goes_on =
        !open.empty() && open.back().indent == indent && open.back().items == items;
    if (!goes_on) open.push_back({indent, items});
    open.back().last = &line;
  }
};

std::string Spaces(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " space" : " spaces");
}

/// "\"role\" on line 7"
std::string Named(const Level& level) {
  std::string_view name = level.last->body;
  while (!level.items && IsItem(name)) {
    name.remove_prefix(std::min(name.find_first_not_of(' ', 1), name.size()));
  }
  name = level.items ? std::string_view("- ") : MakeKey(name);
  return "\"" + std::string(name) + "\" on line " + std::to_string(level.last->number);
}

Levels LevelsBefore(const std::vector<SourceLine>& lines, const SourceLine& here) {
  Levels levels;
  for (const SourceLine& line : lines) {
    if (line.number >= here.number) break;
    const bool content = !line.blank() && !line.body.starts_with("---") && line.body != "...";
    if (!content) continue;
    std::size_t indent = line.indent;
    std::string_view body = line.body;
    while (IsItem(body)) {
      levels.Enter(indent, true, line);
      const std::size_t next = std::min(body.find_first_not_of(' ', 1), body.size());
      indent += next;
      body.remove_prefix(next);
    }
    if (!MakeKey(body).empty()) levels.Enter(indent, false, line);
  }
  return levels;
}

}  // namespace

std::optional<Fault> FindIndentationFault(const std::vector<SourceLine>& lines,
                                          const SourceLine& here) {
  const bool item = IsItem(here.body);
  if (here.blank() || (!item && MakeKey(here.body).empty())) return std::nullopt;
  const Levels before = LevelsBefore(lines, here);
  if (before.open.empty()) return std::nullopt;
  const auto fits = [&](const Level& level) {
    return level.indent == here.indent && level.items == item;
  };
  if (std::any_of(before.open.begin(), before.open.end(), fits)) return std::nullopt;
  // The innermost of the same sort: most likely the intended continuation.
  auto meant = std::find_if(before.open.rbegin(), before.open.rend(),
                            [&](const Level& level) { return level.items == item; });
  const bool first_item = meant == before.open.rend();
  if (first_item) meant = before.open.rbegin();
  if (first_item && meant->indent == here.indent) {
    return Fault{
        {here.number, static_cast<int>(here.indent) + 1},
        "\"- \" begins a list among the fields of a map: put it below its field, or remove "
        "the \"- \""};
  }
  std::string rule =
      item ? "the items of a list begin in one column" : "the fields of a map begin in one column";
  if (first_item) rule = "a list is indented like the field it belongs to, or further";
  return Fault{{here.number, static_cast<int>(here.indent) + 1},
               "this line is indented by " + Spaces(here.indent) + ", but " + Named(*meant) +
                   " by " + Spaces(meant->indent) + ": " + rule};
}

}  // namespace bindery::yaml
