#include "yaml/subset_reader.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "yaml/scalar.h"
#include "yaml/subset_lines.h"
#include "yaml/subset_tokens.h"

namespace bindery::yaml {
namespace {

constexpr std::size_t kUsualFieldsOfMap = 4;
/// The most fields whose keys are compared one by one.
constexpr std::size_t kSmallMap = 16;

/// Whether a key occurs twice.
bool HasDuplicate(const std::vector<Node::Entry>& fields) {
  if (fields.size() <= kSmallMap) {
    for (auto one = fields.begin(); one != fields.end(); ++one) {
      for (auto other = fields.begin(); other != one; ++other) {
        if (other->key == one->key) return true;
      }
    }
    return false;
  }
  std::vector<std::string_view> keys;
  keys.reserve(fields.size());
  for (const Node::Entry& entry : fields) keys.emplace_back(entry.key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

/// Descends with the text. Every bool is false where the text leaves the subset. The functions call
/// each other as deep as the document is nested, which `max_depth` bounds.
class SubsetReader {
 public:
  SubsetReader(const Chunk& chunk, const Limits& limits) : limits_(limits), lines_(chunk) {}

  bool Read(Node& root) {
    if (!lines_.SkipMarker()) return false;
    if (lines_.end()) return true;
    return Block(root) && lines_.end();
  }

 private:
  enum class Parent { kMap, kList };

  bool Count() { return ++nodes_ <= limits_.max_nodes; }
  bool Open(Node& node, NodeKind kind, Position at);
  bool Close(const Node& node);
  bool Block(Node& node);
  bool BlockList(Node& node);
  bool BlockMap(Node& node, SubsetToken first);
  bool BlockValue(Node& node, Parent parent, std::size_t column, Position key_at);
  bool ValueBelow(Node& node, Parent parent, std::size_t column, Position key_at);
  bool ValueHere(Node& node, Parent parent);
  bool BlockText(Node& node, std::size_t column);
  bool Flow(Node& node);
  bool FlowList(Node& node);
  bool FlowMap(Node& node);
  bool FlowValue(Node& node);
  bool TakeKey(Node::Entry& entry, SubsetToken& token);
  bool TakeScalar(Node& node, SubsetToken& token);

  const Limits& limits_;
  SubsetLines lines_;
  std::size_t nodes_ = 0;
  std::size_t depth_ = 0;
};

bool SubsetReader::Open(Node& node, NodeKind kind, Position at) {
  node.kind = kind;
  node.at = at;
  if (kind == NodeKind::kMap) node.fields.reserve(kUsualFieldsOfMap);
  return Count() && ++depth_ <= limits_.max_depth;
}

bool SubsetReader::Close(const Node& node) {
  --depth_;
  return !HasDuplicate(node.fields);
}

/// At the first character of a map or a list.
bool SubsetReader::Block(Node& node) {  // NOLINT(misc-no-recursion): see the class
  if (lines_.IsItem()) return BlockList(node);
  SubsetToken token;
  return ReadBlockToken(lines_, token) && token.key && BlockMap(node, std::move(token));
}

bool SubsetReader::BlockList(Node& node) {  // NOLINT(misc-no-recursion): see the class
  const std::size_t column = lines_.column();
  if (!Open(node, NodeKind::kList, lines_.At())) return false;
  do {
    lines_.Skip(1);
    if (!BlockValue(node.items.emplace_back(), Parent::kList, column, {})) return false;
  } while (!lines_.end() && lines_.indent() == column && lines_.IsItem());
  return Close(node);
}

/// Behind the first key.
bool SubsetReader::BlockMap(Node& node,
                            SubsetToken first) {  // NOLINT(misc-no-recursion): see the class
  const std::size_t column = first.column;
  if (!Open(node, NodeKind::kMap, first.at)) return false;
  SubsetToken token = std::move(first);
  while (true) {
    Node::Entry& entry = node.fields.emplace_back();
    if (!TakeKey(entry, token)) return false;
    if (!BlockValue(entry.value, Parent::kMap, column, entry.key_at)) return false;
    if (lines_.end() || lines_.indent() != column || lines_.IsItem()) break;
    token = {};
    if (!ReadBlockToken(lines_, token) || !token.key) return false;
  }
  return Close(node);
}

/// Behind a "- " or a key of the list or map that begins in `column`.
bool SubsetReader::BlockValue(Node& node, Parent parent, std::size_t column,
                              Position key_at) {  // NOLINT(misc-no-recursion): see the class
  lines_.SkipSpaces();
  if (lines_.IsLineEnd()) return ValueBelow(node, parent, column, key_at);
  if (lines_.Next() == '|' || lines_.Next() == '>') return BlockText(node, column);
  return ValueHere(node, parent);
}

bool SubsetReader::ValueBelow(Node& node, Parent parent, std::size_t column,
                              Position key_at) {  // NOLINT(misc-no-recursion): see the class
  if (!lines_.FinishLine()) return false;
  const bool in_map = parent == Parent::kMap;
  if (!lines_.end()) {
    const std::size_t indent = lines_.indent();
    if (indent > column || (indent == column && in_map && lines_.IsItem())) return Block(node);
  }
  // No value. yaml-cpp tells the next token's place. TreeBuilder replaces the place but in a last
  // line without a line break.
  node.at = key_at;
  return in_map && Count() && !(lines_.end() && lines_.EndsWithinLine());
}

bool SubsetReader::ValueHere(Node& node,
                             Parent parent) {  // NOLINT(misc-no-recursion): see the class
  const bool in_list = parent == Parent::kList;
  const char first = lines_.Next();
  if (first == '[' || first == '{') return Flow(node) && lines_.FinishLine();
  if (in_list && lines_.IsItem()) return BlockList(node);
  SubsetToken token;
  if (!ReadBlockToken(lines_, token)) return false;
  if (token.key) return in_list && BlockMap(node, std::move(token));
  return TakeScalar(node, token) && lines_.FinishLine();
}

bool SubsetReader::BlockText(Node& node, std::size_t column) {
  const std::size_t behind = lines_.offset() + 1;
  node.kind = NodeKind::kString;
  node.at = lines_.At();
  node.quoted = true;
  if (!Count() || !ReadBlockText(lines_, column, node.text)) return false;
  node.verbatim = HoldsAt(lines_.text(), behind, node.text);
  return true;
}

/// At a "[" or "{".
bool SubsetReader::Flow(Node& node) {  // NOLINT(misc-no-recursion): see the class
  const bool list = lines_.Next() == '[';
  if (!Open(node, list ? NodeKind::kList : NodeKind::kMap, lines_.At())) return false;
  lines_.Skip(1);
  lines_.SkipSpaces();
  const char closing = list ? ']' : '}';
  const bool empty = lines_.Next() == closing;
  if (!empty && !(list ? FlowList(node) : FlowMap(node))) return false;
  if (lines_.Next() != closing) return false;
  lines_.Skip(1);
  lines_.SkipSpaces();
  return Close(node);
}

bool SubsetReader::FlowList(Node& node) {  // NOLINT(misc-no-recursion): see the class
  while (FlowValue(node.items.emplace_back())) {
    if (lines_.Next() != ',') return true;
    lines_.Skip(1);
    lines_.SkipSpaces();
  }
  return false;
}

bool SubsetReader::FlowMap(Node& node) {  // NOLINT(misc-no-recursion): see the class
  while (true) {
    Node::Entry& entry = node.fields.emplace_back();
    SubsetToken token;
    if (!ReadFlowToken(lines_, token) || !token.key || !TakeKey(entry, token)) return false;
    if (!FlowValue(entry.value)) return false;
    if (lines_.Next() != ',') return true;
    lines_.Skip(1);
    lines_.SkipSpaces();
  }
}

bool SubsetReader::FlowValue(Node& node) {  // NOLINT(misc-no-recursion): see the class
  const char first = lines_.Next();
  if (first == '[' || first == '{') return Flow(node);
  SubsetToken token;
  return ReadFlowToken(lines_, token) && !token.key && TakeScalar(node, token);
}

bool SubsetReader::TakeKey(Node::Entry& entry, SubsetToken& token) {
  if (!Count()) return false;
  if (!token.quoted && (token.text == "<<" || ResolvePlain(token.text) != NodeKind::kString)) {
    return false;
  }
  entry.key = std::move(token.text);
  entry.key_at = token.at;
  return true;
}

bool SubsetReader::TakeScalar(Node& node, SubsetToken& token) {
  node.kind = token.quoted ? NodeKind::kString : ResolvePlain(token.text);
  node.at = token.at;
  node.quoted = token.quoted;
  if (node.kind == NodeKind::kString) {
    node.verbatim = HoldsAt(lines_.text(), token.offset + (token.quoted ? 1 : 0), token.text);
  }
  if (node.kind != NodeKind::kNull) node.text = std::move(token.text);
  return Count();
}

}  // namespace

std::optional<Node> ReadSubset(const Chunk& chunk, const Limits& limits) {
  if (chunk.text.find('\t') != std::string_view::npos) return std::nullopt;
  SubsetReader reader(chunk, limits);
  std::optional<Node> root(std::in_place);
  if (!reader.Read(*root)) root.reset();
  return root;
}

}  // namespace bindery::yaml
