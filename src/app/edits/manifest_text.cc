#include "app/edits/manifest_text.h"

#include <algorithm>
#include <utility>

namespace bindery::app {
namespace {

using yaml::Node;
using yaml::NodeKind;

tl::unexpected<Error> NotEditable(const std::string& why) {
  return Fail(Code::kFailedPrecondition, why + ": change the manifest by hand");
}

bool IsMark(std::string_view line) {
  constexpr std::string_view kMark = "---";
  return line.starts_with(kMark) && (line.size() == kMark.size() ||
                                     line.find_first_of(" \t\r\n", kMark.size()) == kMark.size());
}

/// Neither blank nor a comment.
bool HasContent(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && line[first] != '#';
}

}  // namespace

Json& GetPart(Json& value, const ManifestPath& path) {
  Json* part = &value;
  for (const auto& step : path) {
    if (const auto* key = std::get_if<std::string>(&step)) {
      part = &part->at(*key);
    } else {
      part = &part->at(std::get<std::size_t>(step));
    }
  }
  return *part;
}

Expected<ManifestText> ManifestText::Find(const std::string& text, const std::string& manifest) {
  ManifestText found(text);
  found.read_ = yaml::ReadYaml(text);
  if (!found.read_.faults.empty()) return NotEditable("the file has faults");
  found.is_json_ = yaml::ReadJson(text).faults.empty();
  bool known = false;
  for (std::size_t i = 0; i < found.read_.documents.size(); ++i) {
    const Node* metadata = found.read_.documents[i].root.Find("metadata");
    const Node* name = metadata == nullptr ? nullptr : metadata->Find("name");
    if (name == nullptr || name->text != manifest) continue;
    if (known) return NotEditable("two documents of the file have the name \"" + manifest + "\"");
    found.document_ = i;
    known = true;
  }
  if (known) return found;
  return Fail(Code::kNotFound, "the file has no manifest \"" + manifest + "\"");
}

Json ManifestText::MakeJson() const { return yaml::ToJson(read_.documents[document_].root); }

const Node* ManifestText::FindNode(const ManifestPath& path) const {
  const Node* node = &read_.documents[document_].root;
  for (const auto& step : path) {
    if (const auto* key = std::get_if<std::string>(&step)) {
      node = node->Find(*key);
    } else {
      const std::size_t index = std::get<std::size_t>(step);
      node = index < node->items.size() ? &node->items[index] : nullptr;
    }
    if (node == nullptr) return nullptr;
  }
  return node;
}

std::size_t ManifestText::FindOffset(yaml::Position at) const {
  std::size_t offset = 0;
  for (int line = 1; line < at.line; ++line) offset = text_.find('\n', offset) + 1;
  for (int column = 1; column < at.column && offset < text_.size(); ++column) {
    do {
      ++offset;
    } while (offset < text_.size() && (static_cast<unsigned char>(text_[offset]) & 0xC0U) == 0x80U);
  }
  return offset;
}

std::optional<TextSpan> ManifestText::FindSpan(const Node& scalar) const {
  if (scalar.kind != NodeKind::kString || !scalar.verbatim) return std::nullopt;
  const std::size_t begin = FindOffset(scalar.at);
  return TextSpan{begin, begin + scalar.text.size() + (scalar.quoted ? 2 : 0)};
}

bool ManifestText::IsFlow(const Node& node) const {
  const std::size_t at = FindOffset(node.at);
  return at < text_.size() && (text_[at] == '{' || text_[at] == '[');
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
std::optional<std::size_t> ManifestText::FindFlowEnd(const Node& node) const {
  if (node.kind != NodeKind::kMap && node.kind != NodeKind::kList) {
    const auto span = FindSpan(node);
    return span ? std::optional(span->end) : std::nullopt;
  }
  if (!IsFlow(node)) return std::nullopt;
  std::optional<std::size_t> end = FindOffset(node.at) + 1;
  if (!node.items.empty()) end = FindFlowEnd(node.items.back());
  if (!node.fields.empty()) end = FindFlowEnd(node.fields.back().value);
  if (!end) return std::nullopt;
  const std::size_t close = text_.find_first_not_of(" \t\r\n,", *end);
  const bool closes = close != std::string::npos && (text_[close] == '}' || text_[close] == ']');
  return closes ? std::optional(close + 1) : std::nullopt;
}

bool ManifestText::IsBlockItem(const Node& item) const {
  const std::size_t at = FindOffset(item.at);
  const std::size_t line = FindLineStart(at);
  const std::string front = text_.substr(line, at - line);
  const std::size_t hyphen = front.find_first_not_of(' ');
  return hyphen != std::string::npos && front[hyphen] == '-' && hyphen + 1 < front.size() &&
         front.find_first_not_of(' ', hyphen + 1) == std::string::npos;
}

std::size_t ManifestText::FindLineStart(std::size_t offset) const {
  const std::size_t end = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::size_t ManifestText::FindNextLine(std::size_t offset) const {
  const std::size_t end = text_.find('\n', offset);
  return end == std::string::npos ? text_.size() : end + 1;
}

std::size_t ManifestText::FindBlockEnd(std::size_t offset, std::size_t indent,
                                       bool hyphens_belong) const {
  std::size_t end = FindNextLine(offset);
  for (std::size_t at = end; at < text_.size();) {
    const std::size_t next = FindNextLine(at);
    const std::string_view line = std::string_view(text_).substr(at, next - at);
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const bool deeper = first > indent || (hyphens_belong && first == indent && line[first] == '-');
    if (HasContent(line) && (!deeper || IsMark(line))) break;
    at = next;
    // A comment that is indented like the block, or less, belongs to what follows.
    if (HasContent(line) || (deeper && line.find('#') != std::string_view::npos)) end = next;
  }
  return end;
}

std::optional<TextSpan> ManifestText::FindDocument() const {
  const std::size_t inside = FindOffset(read_.documents[document_].root.at);
  TextSpan span{0, text_.size()};
  for (std::size_t at = 0; at < text_.size(); at = FindNextLine(at)) {
    const std::string_view line = std::string_view(text_).substr(at, FindNextLine(at) - at);
    // Marks of directives and of ends are rare.
    if (line.starts_with("%") || line.starts_with("...")) return std::nullopt;
    if (!IsMark(line)) continue;
    if (at <= inside) {
      span.begin = at;
    } else {
      span.end = std::min(span.end, at);
    }
  }
  return span;
}

Expected<std::string> ManifestText::Checked(std::string changed, const Json& wanted) const {
  const yaml::ReadResult after = yaml::ReadYaml(changed);
  std::vector<Json> documents;
  for (std::size_t i = 0; i < read_.documents.size(); ++i) {
    if (i != document_) documents.push_back(yaml::ToJson(read_.documents[i].root));
    if (i == document_ && !wanted.is_null()) documents.push_back(wanted);
  }
  const bool equal =
      after.faults.empty() &&
      std::equal(after.documents.begin(), after.documents.end(), documents.begin(), documents.end(),
                 [](const yaml::Document& document, const Json& json) {
                   return yaml::ToJson(document.root) == json;
                 });
  if (!equal) return NotEditable("the file has an unusual form");
  return changed;
}

}  // namespace bindery::app
