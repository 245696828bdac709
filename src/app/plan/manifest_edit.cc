#include "app/plan/manifest_edit.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::app {
namespace {

using yaml::Node;
using yaml::NodeKind;

tl::unexpected<Error> ByHand(const std::string& why) {
  return Fail(Code::kFailedPrecondition, why + ": change the manifest by hand");
}

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A file, and one list in the file.
class ListText {
 public:
  /// The list of the place.
  static Expected<ListText> Find(const std::string& text, const ManifestList& place) {
    ListText found(text);
    found.read_ = yaml::ReadYaml(text);
    if (!found.read_.faults.empty()) return ByHand("the file has faults");
    for (std::size_t i = 0; i < found.read_.documents.size(); ++i) {
      const Node* metadata = found.read_.documents[i].root.Find("metadata");
      const Node* name = metadata == nullptr ? nullptr : metadata->Find("name");
      if (name == nullptr || name->text != place.manifest) continue;
      found.document_ = i;
      found.list_ = ListIn(found.read_.documents[i].root, place);
    }
    if (found.list_ == nullptr) {
      return Fail(Code::kNotFound, "the manifest \"" + place.manifest +
                                       "\" has no such list: change the manifest by hand");
    }
    found.path_ = place.path;
    return found;
  }

  [[nodiscard]] const std::vector<Node>& items() const { return list_->items; }
  [[nodiscard]] const Node& list() const { return *list_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  /// The byte of a position.
  [[nodiscard]] std::size_t FindOffset(yaml::Position at) const {
    std::size_t offset = 0;
    for (int line = 1; line < at.line; ++line) offset = text_.find('\n', offset) + 1;
    for (int column = 1; column < at.column && offset < text_.size(); ++column) {
      do {
        ++offset;
      } while (offset < text_.size() &&
               (static_cast<unsigned char>(text_[offset]) & 0xC0U) == 0x80U);
    }
    return offset;
  }

  /// The text of a scalar, with its quotes; nothing: the text has another form in the file.
  [[nodiscard]] std::optional<Span> FindSpan(const Node& scalar) const {
    if (scalar.kind != NodeKind::kString || !scalar.verbatim) return std::nullopt;
    const std::size_t begin = FindOffset(scalar.at);
    return Span{begin, begin + scalar.text.size() + (scalar.quoted ? 2 : 0)};
  }

  /// The items stand in lines of their own, behind hyphens.
  [[nodiscard]] bool IsBlock(const Node& item) const {
    const std::size_t at = FindOffset(item.at);
    const std::size_t line = LineStart(at);
    const std::string front = text_.substr(line, at - line);
    const std::size_t hyphen = front.find_first_not_of(' ');
    return hyphen != std::string::npos && front[hyphen] == '-' && hyphen + 1 < front.size() &&
           front.find_first_not_of(' ', hyphen + 1) == std::string::npos;
  }

  [[nodiscard]] std::size_t LineStart(std::size_t offset) const {
    const std::size_t end = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
    return end == std::string::npos ? 0 : end + 1;
  }
  /// Behind the line break.
  [[nodiscard]] std::size_t NextLine(std::size_t offset) const {
    const std::size_t end = text_.find('\n', offset);
    return end == std::string::npos ? text_.size() : end + 1;
  }

  /// The text, if its documents are these ones with the changed list, and nothing else.
  [[nodiscard]] Expected<std::string> Checked(std::string changed, const Json& wanted) const {
    const yaml::ReadResult after = yaml::ReadYaml(changed);
    const bool same_count = after.documents.size() == read_.documents.size();
    if (!after.faults.empty() || !same_count) return ByHand("the file has an unusual form");
    for (std::size_t i = 0; i < after.documents.size(); ++i) {
      Json before = yaml::ToJson(read_.documents[i].root);
      if (i == document_) *MakeList(before) = wanted;
      if (yaml::ToJson(after.documents[i].root) != before) {
        return ByHand("the file has an unusual form");
      }
    }
    return changed;
  }

 private:
  explicit ListText(const std::string& text) : text_(text) {}

  static const Node* ListIn(const Node& root, const ManifestList& place) {
    const Node* node = &root;
    for (const auto& step : place.path) {
      if (const auto* key = std::get_if<std::string>(&step)) {
        node = node->Find(*key);
      } else {
        const std::size_t index = std::get<std::size_t>(step);
        node = index < node->items.size() ? &node->items[index] : nullptr;
      }
      if (node == nullptr) return nullptr;
    }
    return node->kind == NodeKind::kList ? node : nullptr;
  }

  Json* MakeList(Json& document) const {
    Json* value = &document;
    for (const auto& step : path_) {
      if (const auto* key = std::get_if<std::string>(&step)) {
        value = &(*value)[*key];
      } else {
        value = &(*value)[std::get<std::size_t>(step)];
      }
    }
    return value;
  }

  std::string text_;
  yaml::ReadResult read_;
  std::size_t document_ = 0;
  const Node* list_ = nullptr;
  std::vector<std::variant<std::string, std::size_t>> path_;
};

/// The texts may stand without quotes everywhere.
bool IsPlainScalar(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@.:/_+-";
  const bool begins =
      !text.empty() && std::string_view("@.:/_+-").find(text.front()) == std::string_view::npos;
  return begins && text.find_first_not_of(kPlain) == std::string::npos && text.back() != ':' &&
         text.find(':') != std::string::npos;
}

std::string Scalar(const std::string& text, bool quoted) {
  return quoted || !IsPlainScalar(text) ? Json(text).dump() : text;
}

Json ListItems(const ListText& list) { return yaml::ToJson(list.list()); }

/// The last line of a tree.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
int LastLine(const Node& node) {
  int line = node.at.line;
  for (const Node& item : node.items) line = std::max(line, LastLine(item));
  for (const Node::Entry& entry : node.fields) {
    line = std::max({line, entry.key_at.line, LastLine(entry.value)});
  }
  return line;
}

/// The line break of the file.
std::string LineBreak(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end != std::string::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

/// Puts lines behind the line that begins at an offset or holds it.
std::string WithLines(const ListText& list, std::size_t offset, const std::string& lines) {
  std::string text = list.text();
  const std::size_t at = list.NextLine(offset);
  const bool open = at == text.size() && !text.empty() && text.back() != '\n';
  const std::string line_break = LineBreak(text);
  std::string added = open ? line_break : "";
  for (const char c : lines) added += c == '\n' ? line_break : std::string(1, c);
  text.insert(at, added);
  return text;
}

}  // namespace

Expected<std::string> WithListItem(const std::string& text, const ManifestList& place,
                                   const std::string& item) {
  const auto list = ListText::Find(text, place);
  if (!list) return Fail(list.error());
  Json wanted = ListItems(*list);
  wanted.push_back(item);
  std::string changed = text;
  if (list->items().empty()) {
    const std::size_t at = list->FindOffset(list->list().at);
    if (text.compare(at, 2, "[]") != 0) return ByHand("the list is empty");
    changed.insert(at + 1, Scalar(item, false));
    return list->Checked(std::move(changed), wanted);
  }
  const Node& last = list->items().back();
  const auto span = list->FindSpan(last);
  if (!span) return ByHand("the last item of the list has an unusual form");
  if (list->IsBlock(last)) {
    const std::size_t line = list->LineStart(span->begin);
    const std::string front = text.substr(line, span->begin - line);
    changed = WithLines(*list, span->begin, front + Scalar(item, last.quoted) + "\n");
  } else {
    changed.insert(span->end, ", " + Scalar(item, last.quoted));
  }
  return list->Checked(std::move(changed), wanted);
}

Expected<std::string> WithListEntry(const std::string& text, const ManifestList& place,
                                    const Json& entry) {
  const auto list = ListText::Find(text, place);
  if (!list) return Fail(list.error());
  Json wanted = ListItems(*list);
  wanted.push_back(entry);
  if (list->items().empty() || !list->IsBlock(list->items().back())) {
    return ByHand("the list is not written with one item a line");
  }
  const std::size_t first = list->FindOffset(list->items().front().at);
  const std::size_t line = list->LineStart(first);
  const std::string indent = text.substr(line, text.find('-', line) - line);
  std::string lines;
  const std::string block = yaml::ToYaml(Json::array({entry}));
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = block.find('\n', at) + 1;
    lines += indent + block.substr(at, end - at);
    at = end;
  }
  const std::size_t last = list->FindOffset({LastLine(list->items().back()), 1});
  return list->Checked(WithLines(*list, last, lines), wanted);
}

Expected<std::string> WithoutListItem(const std::string& text, const ManifestList& place,
                                      std::size_t index) {
  const auto list = ListText::Find(text, place);
  if (!list) return Fail(list.error());
  const std::vector<Node>& items = list->items();
  if (index >= items.size()) return Fail(Code::kNotFound, "the list has no such item");
  Json wanted = ListItems(*list);
  wanted.erase(index);
  const auto span = list->FindSpan(items[index]);
  if (!span) return ByHand("the item has an unusual form");
  std::string changed = text;
  if (list->IsBlock(items[index])) {
    if (items.size() == 1) return ByHand("the list would be empty");
    const std::size_t line = list->LineStart(span->begin);
    changed.erase(line, list->NextLine(span->begin) - line);
  } else if (index + 1 < items.size()) {
    const std::size_t next = list->FindOffset(items[index + 1].at);
    changed.erase(span->begin, next - span->begin);
  } else {
    const auto before = index == 0 ? std::nullopt : list->FindSpan(items[index - 1]);
    const std::size_t begin = before ? before->end : span->begin;
    changed.erase(begin, span->end - begin);
  }
  return list->Checked(std::move(changed), wanted);
}

}  // namespace bindery::app
