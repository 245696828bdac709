#include "yaml/tree_builder.h"

#include <yaml-cpp/mark.h>

#include <algorithm>
#include <utility>

#include "yaml/path_steps.h"
#include "yaml/scalar.h"

namespace bindery::yaml {
namespace {

constexpr std::size_t kLargeMap = 16;
constexpr std::size_t kMaxFaultsOfDocument = 100;
/// What is made room for at once: to grow by ones and twos moves every value several times.
constexpr std::size_t kUsualDepth = 8;
constexpr std::size_t kUsualFields = 4;
constexpr std::string_view kCorePrefix = "tag:yaml.org,2002:";

[[noreturn]] void Refuse(Position at, std::string message, std::string code = "InvalidSyntax") {
  throw Refusal{Fault{at, std::move(message), std::move(code)}};
}

/// The node of a scalar with a type tag; refuses a text that does not fit.
NodeKind TaggedKind(const std::string& tag, const std::string& value, Position at) {
  const std::string name =
      tag.rfind(kCorePrefix, 0) == 0 ? tag.substr(kCorePrefix.size()) : std::string();
  if (name == "str") return NodeKind::kString;
  const NodeKind plain = ResolvePlain(value);
  const bool fits = (name == "null" && plain == NodeKind::kNull) ||
                    (name == "bool" && plain == NodeKind::kBool) ||
                    (name == "int" && plain == NodeKind::kInteger) ||
                    (name == "float" && plain == NodeKind::kFloat);
  if (fits) return plain;
  if (name == "float" && plain == NodeKind::kInteger) return NodeKind::kFloat;
  if (name == "null" || name == "bool" || name == "int" || name == "float") {
    Refuse(at, "\"" + value + "\" is not of the type !!" + name);
  }
  const bool meant = tag.size() > 1 && tag.front() == '!' && tag[1] != '!';
  Refuse(at, "tag \"" + tag + "\" is not supported" +
                 (meant ? "; a text that begins with \"!\" needs quotes" : ""));
}

/// The depth of nested lists and maps.
std::size_t MeasureHeight(
    const Node& node) {  // NOLINT(misc-no-recursion): its depth was bounded when it was built
  std::size_t below = 0;
  for (const Node& item : node.items) below = std::max(below, MeasureHeight(item));
  for (const Node::Entry& entry : node.fields) below = std::max(below, MeasureHeight(entry.value));
  return below + (node.kind == NodeKind::kList || node.kind == NodeKind::kMap ? 1 : 0);
}

}  // namespace

Position TreeBuilder::MakePosition(const YAML::Mark& mark) {
  if (mark.is_null()) return {chunk_.first_line, 1};
  Position position{chunk_.first_line + mark.line, mark.column + 1};
  // Marks count bytes.
  if (mark.column > 0 && mark.pos >= mark.column) {
    const std::size_t end = std::min(static_cast<std::size_t>(mark.pos), chunk_.text.size());
    const auto start = static_cast<std::size_t>(mark.pos - mark.column);
    if (start <= end) position.column = columns_.Find(start, end);
  }
  return position;
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  // The chunk was cut to hold one document. yaml-cpp also starts a document, repeatedly, at a token
  // without a place, such as a "," outside of any list.
  if (started_) Refuse(MakePosition(mark), "unexpected text after the end of the document");
  started_ = true;
}

void TreeBuilder::CountNode(Position at) {
  if (++nodes_ > limits_.max_nodes) {
    Refuse(at, "document has more than " + std::to_string(limits_.max_nodes) + " values",
           "TooLarge");
  }
}

void TreeBuilder::CountCopy(const Node& node,
                            Position at) {  // NOLINT(misc-no-recursion): bounded as above
  CountNode(at);
  copied_bytes_ += node.text.size();
  for (const Node& item : node.items) CountCopy(item, at);
  for (const Node::Entry& entry : node.fields) {
    copied_bytes_ += entry.key.size();
    CountCopy(entry.value, at);
  }
  if (copied_bytes_ > limits_.max_bytes) {
    Refuse(at,
           "aliases make the document larger than " + std::to_string(limits_.max_bytes) + " bytes",
           "TooLarge");
  }
}

bool TreeBuilder::ExpectsKey() const {
  return !stack_.empty() && stack_.back().node.kind == NodeKind::kMap && !stack_.back().has_key;
}

bool TreeBuilder::KeyLacksColon() const {
  if (stack_.empty() || !stack_.back().has_key || stack_.back().key_end == 0) return false;
  const std::size_t next = chunk_.text.find_first_not_of(" \t", stack_.back().key_end);
  return next == std::string_view::npos || chunk_.text[next] != ':';
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Node node;
  node.at = MakePosition(mark);
  CountNode(node.at);
  // yaml-cpp takes a last line that was cut off within a key for a key without a value.
  if (KeyLacksColon() && !bare_key_) {
    bare_key_ = Fault{stack_.back().key_at, "key \"" + stack_.back().key + "\" without a value"};
  }
  // An absent value is reported where the next token stands, perhaps lines later.
  if (!stack_.empty() && stack_.back().has_key && node.at.line != stack_.back().key_at.line) {
    node.at = stack_.back().key_at;
  }
  Add(std::move(node), anchor);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const Position at = MakePosition(mark);
  if (ExpectsKey()) Refuse(at, "an alias cannot be a key");
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) Refuse(at, "alias of a value that contains it");
  CountCopy(found->second, at);
  Node copy = found->second;
  if (stack_.size() + MeasureHeight(copy) > limits_.max_depth) {
    Refuse(at, "nested deeper than " + std::to_string(limits_.max_depth) + " levels", "TooLarge");
  }
  copy.at = at;
  copy.verbatim = false;
  Add(std::move(copy), 0);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  Node node;
  node.at = MakePosition(mark);
  CountNode(node.at);
  if (value.find('\0') != std::string::npos) {
    Refuse(node.at, "string with a NUL character", "InvalidText");
  }
  if (tag == "?" || tag.empty()) {
    node.kind = ResolvePlain(value);
  } else if (tag == "!") {
    node.kind = NodeKind::kString;
    node.quoted = true;
  } else {
    node.kind = TaggedKind(tag, value, node.at);
    node.quoted = node.kind == NodeKind::kString;
  }
  if (node.kind != NodeKind::kNull) node.text = value;
  scalar_offset_ = mark.pos > 0 ? static_cast<std::size_t>(mark.pos) : 0;
  const std::size_t begin = scalar_offset_ + (node.quoted ? 1 : 0);
  node.verbatim = node.kind == NodeKind::kString && HoldsAt(chunk_.text, begin, value);
  Add(std::move(node), anchor);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value /*style*/) {
  Open(NodeKind::kList, mark, tag, anchor);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
  Open(NodeKind::kMap, mark, tag, anchor);
}

void TreeBuilder::Open(NodeKind kind, const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor) {
  const Position at = MakePosition(mark);
  CountNode(at);
  if (ExpectsKey()) {
    Refuse(at, "a key must be a string, found a " + std::string(ToString(kind)));
  }
  if (stack_.size() >= limits_.max_depth) {
    Refuse(at, "nested deeper than " + std::to_string(limits_.max_depth) + " levels", "TooLarge");
  }
  if (!tag.empty() && tag != "?" && tag != "!" &&
      tag != std::string(kCorePrefix) + (kind == NodeKind::kList ? "seq" : "map")) {
    Refuse(at, "tag \"" + tag + "\" is not supported");
  }
  if (stack_.empty()) stack_.reserve(kUsualDepth);
  Frame& frame = stack_.emplace_back();
  frame.node.kind = kind;
  frame.node.at = at;
  frame.anchor = anchor;
  if (kind == NodeKind::kMap) frame.node.fields.reserve(kUsualFields);
}

void TreeBuilder::Close() {
  if (stack_.empty()) return;
  Node node = std::move(stack_.back().node);
  const YAML::anchor_t anchor = stack_.back().anchor;
  stack_.pop_back();
  Add(std::move(node), anchor);
}

int TreeBuilder::FindFirstLine(Frame& frame, const std::string& key) {
  if (frame.node.fields.size() < kLargeMap) {
    for (const Node::Entry& entry : frame.node.fields) {
      if (entry.key == key) return entry.key_at.line;
    }
    return 0;
  }
  if (frame.key_lines.empty()) {
    for (const Node::Entry& entry : frame.node.fields) {
      frame.key_lines.emplace(entry.key, entry.key_at.line);
    }
  }
  const auto found = frame.key_lines.find(key);
  return found == frame.key_lines.end() ? 0 : found->second;
}

void TreeBuilder::TakeKey(Node node) {
  if (node.kind != NodeKind::kString) {
    const std::string shown = node.kind == NodeKind::kNull ? "null" : node.text;
    Refuse(node.at, "a key must be a string: put " + shown + " in quotes");
  }
  if (!node.quoted && node.text == "<<") Refuse(node.at, "merge keys (<<) are not supported");
  Frame& frame = stack_.back();
  if (const int first = FindFirstLine(frame, node.text); first != 0) {
    if (faults_.size() >= kMaxFaultsOfDocument) throw Refusal{faults_.back()};
    faults_.push_back(
        {node.at,
         "duplicate key \"" + node.text + "\" (first on line " + std::to_string(first) + ")",
         "DuplicateKey", PathTo(node.text, stack_)});
  }
  const bool plain =
      !node.quoted && chunk_.text.substr(scalar_offset_, node.text.size()) == node.text;
  frame.key_end = plain ? scalar_offset_ + node.text.size() : 0;
  frame.key = std::move(node.text);
  frame.key_at = node.at;
  frame.has_key = true;
}

void TreeBuilder::Add(Node node, YAML::anchor_t anchor) {
  if (anchor != 0) {
    CountCopy(node, node.at);
    anchors_.insert_or_assign(anchor, node);
  }
  if (ExpectsKey()) {
    TakeKey(std::move(node));
    return;
  }
  if (stack_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& parent = stack_.back();
  if (parent.node.kind == NodeKind::kList) {
    parent.node.items.push_back(std::move(node));
    return;
  }
  parent.has_key = false;
  if (!parent.key_lines.empty()) parent.key_lines.emplace(parent.key, parent.key_at.line);
  parent.node.fields.push_back({std::move(parent.key), parent.key_at, std::move(node)});
}

}  // namespace bindery::yaml
