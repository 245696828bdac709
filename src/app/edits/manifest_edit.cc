#include "app/edits/manifest_edit.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "app/edits/flow_text.h"
#include "yaml/node.h"

namespace bindery::app {
namespace {

using yaml::Node;
using yaml::NodeKind;

tl::unexpected<Error> ByHand(const std::string& why) {
  return Fail(Code::kFailedPrecondition, why + ": change the manifest by hand");
}

/// A list or map with its file.
struct FoundPlace {
  ManifestText file;
  const Node* node = nullptr;
  Json wanted;  ///< The manifest after the change, at first as it is.
};

Expected<FoundPlace> FindPlace(const std::string& text, const ManifestPlace& place, NodeKind kind) {
  auto file = ManifestText::Find(text, place.manifest);
  if (!file) return Fail(file.error());
  Json wanted = file->MakeJson();
  FoundPlace found{*std::move(file), nullptr, std::move(wanted)};
  found.node = found.file.FindNode(place.path);
  if (found.node != nullptr && found.node->kind == kind) return found;
  return Fail(Code::kNotFound, "the manifest \"" + place.manifest + "\" has no such " +
                                   (kind == NodeKind::kList ? "list" : "map") +
                                   ": change the manifest by hand");
}

/// A list with its file, from which the item at the index is to go.
Expected<FoundPlace> FindPlaceWithout(const std::string& text, const ManifestPlace& place,
                                      std::size_t index) {
  auto found = FindPlace(text, place, NodeKind::kList);
  if (!found) return found;
  if (index >= found->node->items.size()) {
    return Fail(Code::kNotFound, "the list has no such item: change the manifest by hand");
  }
  GetPart(found->wanted, place.path).erase(index);
  return found;
}

/// Puts lines in front of a line.
std::string WithLines(const ManifestText& file, std::size_t at, const std::string& lines) {
  std::string text = file.text();
  const bool open = at == text.size() && !text.empty() && text.back() != '\n';
  const std::string line_break = LineBreakIn(text);
  std::string added = open ? line_break : "";
  for (const char c : lines) added += c == '\n' ? line_break : std::string(1, c);
  text.insert(at, added);
  return text;
}

std::string Erased(const std::string& text, std::size_t begin, std::size_t end) {
  return text.substr(0, begin) + text.substr(end);
}

/// Of an item in lines of its own.
std::size_t IndentOfItem(const ManifestText& file, const Node& item) {
  const std::size_t line = file.FindLineStart(file.FindOffset(item.at));
  return file.text().find('-', line) - line;
}

/// Behind the lines of an item.
std::size_t EndOfItem(const ManifestText& file, const Node& item) {
  return file.FindBlockEnd(file.FindOffset(item.at), IndentOfItem(file, item), false);
}

/// Without one of the parts of a list or map in brackets. `spans`: the parts.
/// kFailedPrecondition: comments stand beside the last two parts, and one would go to the other
/// part.
Expected<std::string> WithoutSpan(const std::string& text, const std::vector<TextSpan>& spans,
                                  std::size_t index) {
  if (index + 1 < spans.size()) return Erased(text, spans[index].begin, spans[index + 1].begin);
  if (index == 0) {
    constexpr const char* kBlanks = " \t\r\n";
    // Of a list with lines, no empty line stays.
    const std::size_t open = text.find_last_not_of(kBlanks, spans[0].begin - 1);
    const std::size_t close = text.find_first_not_of(kBlanks, spans[0].end);
    const bool alone = open != std::string::npos && close != std::string::npos &&
                       (text[open] == '[' || text[open] == '{') &&
                       (text[close] == ']' || text[close] == '}');
    if (alone) return Erased(text, open + 1, close);
  }
  const std::size_t begin = index == 0 ? spans[index].begin : spans[index - 1].end;
  const std::size_t close = text.find_first_of("]}", spans[index].end);
  if (index > 0 && text.find(" #", begin) < close) {
    return ByHand("comments stand beside the last item");
  }
  return Erased(text, begin, spans[index].end);
}

/// Without an item of a list in brackets.
Expected<std::string> WithoutFlowItem(const ManifestText& file, const std::vector<Node>& items,
                                      std::size_t index) {
  std::vector<TextSpan> spans;
  for (const Node& item : items) {
    const auto end = file.FindFlowEnd(item);
    if (!end) return ByHand("the list has an unusual form");
    spans.push_back({file.FindOffset(item.at), *end});
  }
  return WithoutSpan(file.text(), spans, index);
}

/// In front of an empty list's closing bracket, or behind the last item.
std::optional<std::size_t> FindFlowInsertion(const ManifestText& file, const Node& list) {
  if (!list.items.empty()) return file.FindFlowEnd(list.items.back());
  const std::size_t at = file.FindOffset(list.at);
  return file.text().compare(at, 2, "[]") == 0 ? std::optional(at + 1) : std::nullopt;
}

/// A list of maps behind its key, as the empty list.
Expected<std::string> WithEmptyList(const FoundPlace& found) {
  const ManifestText& file = found.file;
  const Node& item = found.node->items.front();
  const std::size_t first = file.FindLineStart(file.FindOffset(item.at));
  // The line of the key stands before, maybe with comments between.
  std::size_t key = first;
  std::string_view line;
  do {
    if (key == 0) return ByHand("the list has an unusual form");
    key = file.FindLineStart(key - 1);
    line = std::string_view(file.text()).substr(key, file.FindNextLine(key) - key);
    line = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
  } while (line.empty() || line.find_first_not_of(" \t") == line.find('#'));
  if (line.back() != ':') return ByHand("the list has an unusual form");
  const std::size_t end = EndOfItem(file, item);
  return file.text().substr(0, key + line.size()) + " []" + LineBreakIn(file.text()) +
         file.text().substr(end);
}

/// The comment at the begin of the file that a blank line follows.
std::size_t EndOfHead(const ManifestText& file, const TextSpan& document) {
  std::size_t head = document.begin;
  for (std::size_t at = document.begin; at < document.end; at = file.FindNextLine(at)) {
    const char first = file.text()[at];
    if (first == '\n' || first == '\r') head = file.FindNextLine(at);
    if (first != '\n' && first != '\r' && first != '#') break;
  }
  return head;
}

/// The last line that is not blank is a comment at its first column: of a manifest that is
/// disabled, for example.
bool EndsWithComment(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return false;
  const std::size_t before = text.rfind('\n', last);
  return text[before == std::string_view::npos ? 0 : before + 1] == '#';
}

/// Blank lines, and the marks between documents.
bool HasOnlyMarks(std::string_view text) {
  return text.find_first_not_of("- \t\r\n") == std::string_view::npos;
}

}  // namespace

Expected<std::string> WithListItem(const std::string& text, const ManifestPlace& place,
                                   const std::string& item) {
  auto found = FindPlace(text, place, NodeKind::kList);
  if (!found) return Fail(found.error());
  const ManifestText& file = found->file;
  GetPart(found->wanted, place.path).push_back(item);
  std::string changed = text;
  if (found->node->items.empty()) {
    const auto at = FindFlowInsertion(file, *found->node);
    if (!at) return ByHand("the list is empty");
    changed.insert(*at, ScalarText(item, file.IsJson()));
    return file.Checked(std::move(changed), found->wanted);
  }
  const Node& last = found->node->items.back();
  const auto span = file.FindSpan(last);
  if (!span) return ByHand("the last item of the list has an unusual form");
  if (file.IsBlockItem(last)) {
    const std::size_t line = file.FindLineStart(span->begin);
    const std::string front = text.substr(line, span->begin - line);
    changed = WithLines(file, file.FindNextLine(span->begin),
                        front + ScalarText(item, last.quoted) + "\n");
  } else {
    changed.insert(span->end, FlowSeparator(file, span->begin) + ScalarText(item, last.quoted));
  }
  return file.Checked(std::move(changed), found->wanted);
}

Expected<std::string> WithListEntry(const std::string& text, const ManifestPlace& place,
                                    const Json& entry) {
  auto found = FindPlace(text, place, NodeKind::kList);
  if (!found) return Fail(found.error());
  const ManifestText& file = found->file;
  const Node& list = *found->node;
  GetPart(found->wanted, place.path).push_back(entry);
  if (list.items.empty() || !file.IsBlockItem(list.items.back())) {
    const auto at = FindFlowInsertion(file, list);
    if (!at) return ByHand("the list has an unusual form");
    std::string changed = text;
    changed.insert(*at, list.items.empty() ? FlowText(file, entry)
                                           : FlowEntry(file, list.items.back(), entry));
    return file.Checked(std::move(changed), found->wanted);
  }
  const std::string indent(IndentOfItem(file, list.items.front()), ' ');
  std::string lines;
  const std::string block = yaml::ToYaml(Json::array({entry}));
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = block.find('\n', at) + 1;
    lines += indent + block.substr(at, end - at);
    at = end;
  }
  return file.Checked(WithLines(file, EndOfItem(file, list.items.back()), lines), found->wanted);
}

Expected<std::string> WithoutListItem(const std::string& text, const ManifestPlace& place,
                                      std::size_t index) {
  const auto found = FindPlaceWithout(text, place, index);
  if (!found) return Fail(found.error());
  const ManifestText& file = found->file;
  const std::vector<Node>& items = found->node->items;
  const auto span = file.FindSpan(items[index]);
  if (!span) return ByHand("the item has an unusual form");
  if (!file.IsBlockItem(items[index])) {
    auto rest = WithoutFlowItem(file, items, index);
    return rest ? file.Checked(*std::move(rest), found->wanted) : rest;
  }
  if (items.size() == 1) return ByHand("the list would be empty");
  const std::size_t line = file.FindLineStart(span->begin);
  return file.Checked(Erased(text, line, file.FindNextLine(span->begin)), found->wanted);
}

Expected<std::string> WithoutListEntry(const std::string& text, const ManifestPlace& place,
                                       std::size_t index) {
  const auto found = FindPlaceWithout(text, place, index);
  if (!found) return Fail(found.error());
  const ManifestText& file = found->file;
  const std::vector<Node>& items = found->node->items;
  if (file.IsBlockItem(items[index])) {
    if (items.size() == 1) {
      auto changed = WithEmptyList(*found);
      return changed ? file.Checked(*std::move(changed), found->wanted) : changed;
    }
    const std::size_t line = file.FindLineStart(file.FindOffset(items[index].at));
    return file.Checked(Erased(text, line, EndOfItem(file, items[index])), found->wanted);
  }
  auto rest = WithoutFlowItem(file, items, index);
  return rest ? file.Checked(*std::move(rest), found->wanted) : rest;
}

Expected<std::string> WithField(const std::string& text, const ManifestPlace& place,
                                const std::string& key, const Json& value) {
  auto found = FindPlace(text, place, NodeKind::kMap);
  if (!found) return Fail(found.error());
  const ManifestText& file = found->file;
  const Node& map = *found->node;
  if (map.fields.empty()) return ByHand("the map is empty");
  GetPart(found->wanted, place.path)[key] = value;
  const std::string field = FlowField(file, key, value);
  if (file.IsFlow(map)) {
    const auto end = file.FindFlowEnd(map.fields.back().value);
    if (!end) return ByHand("the map has an unusual form");
    std::string changed = text;
    changed.insert(*end, FlowSeparator(file, file.FindOffset(map.fields.back().key_at)) + field);
    return file.Checked(std::move(changed), found->wanted);
  }
  const auto indent = static_cast<std::size_t>(map.fields.front().key_at.column) - 1;
  const std::size_t last = file.FindOffset(map.fields.back().key_at);
  return file.Checked(WithLines(file, file.FindBlockEnd(last, indent, true),
                                std::string(indent, ' ') + field + "\n"),
                      found->wanted);
}

Expected<std::string> WithoutField(const std::string& text, const ManifestPlace& place,
                                   const std::string& key) {
  auto found = FindPlace(text, place, NodeKind::kMap);
  if (!found) return Fail(found.error());
  const ManifestText& file = found->file;
  const std::vector<Node::Entry>& fields = found->node->fields;
  const auto field = std::ranges::find(fields, key, &Node::Entry::key);
  if (field == fields.end()) return Fail(Code::kNotFound, "the map has no \"" + key + "\"");
  GetPart(found->wanted, place.path).erase(key);
  if (!file.IsFlow(*found->node)) {
    const std::size_t at = file.FindOffset(field->key_at);
    const std::size_t line = file.FindLineStart(at);
    if (text.find_first_not_of(' ', line) != at)
      return ByHand("the field \"" + key + "\" begins an item");
    return file.Checked(Erased(text, line, file.FindBlockEnd(at, at - line, true)), found->wanted);
  }
  std::vector<TextSpan> spans;
  for (const Node::Entry& entry : fields) {
    const auto end = file.FindFlowEnd(entry.value);
    if (!end) return ByHand("the map has an unusual form");
    spans.push_back({file.FindOffset(entry.key_at), *end});
  }
  const auto index = static_cast<std::size_t>(field - fields.begin());
  auto rest = WithoutSpan(text, spans, index);
  return rest ? file.Checked(*std::move(rest), found->wanted) : rest;
}

Expected<std::string> WithoutManifest(const std::string& text, const std::string& manifest) {
  const auto file = ManifestText::Find(text, manifest);
  if (!file) return Fail(file.error());
  const auto document = file->FindDocument();
  if (!document) return ByHand("the file has an unusual form");
  if (EndsWithComment(std::string_view(text).substr(0, document->end))) {
    return ByHand("comments follow the manifest");
  }
  if (file->CountDocuments() == 1) {
    if (!HasOnlyMarks(Erased(text, document->begin, document->end))) {
      return ByHand("the file has comments beside the manifest");
    }
    return std::string();
  }
  const std::size_t begin = document->begin == 0 ? EndOfHead(*file, *document) : document->begin;
  return file->Checked(Erased(text, begin, document->end), Json());
}

}  // namespace bindery::app
