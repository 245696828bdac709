#include "convert/nodes.h"

#include <algorithm>
#include <utility>

#include "core/text/ascii.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;
using yaml::Position;

Node TextNode(std::string text, Position at) {
  Node node;
  node.kind = NodeKind::kString;
  node.at = at;
  node.text = std::move(text);
  return node;
}

Node ListNode(std::vector<Node> items, Position at) {
  Node node;
  node.kind = NodeKind::kList;
  node.at = at;
  node.items = std::move(items);
  return node;
}

Node MapNode(Position at) {
  Node node;
  node.kind = NodeKind::kMap;
  node.at = at;
  return node;
}

void Put(Node& map, std::string key, Node value) {
  const Position at = value.at;
  map.fields.push_back({std::move(key), at, std::move(value)});
}

Node* FindIn(Node& map, std::string_view key) {
  for (Node::Entry& entry : map.fields) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

void EraseFrom(Node& map, std::string_view key) {
  std::erase_if(map.fields, [&](const Node::Entry& entry) { return entry.key == key; });
}

std::string ItemPath(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string WhatIs(const Node& node) {
  if (node.kind == NodeKind::kNull) return "nothing";
  const std::string name(ToString(node.kind));
  return (node.kind == NodeKind::kInteger ? "an " : "a ") + name;
}

std::string FindWrongLetterCase(std::string_view setting) {
  const std::string lower = AsciiLower(setting);
  const bool is_known =
      lower == "project" || lower == "region" || lower == "zone" || lower == "alias";
  if (!is_known || lower == setting) return {};
  return "it is not known what this holds, did you mean " + manifests::Quote(lower) + "?";
}

namespace {

constexpr std::string_view kEach = "[]";

bool HasShape(const Node& node, Shape shape) {
  const bool map = node.kind == NodeKind::kMap;
  const bool list = node.kind == NodeKind::kList;
  switch (shape) {
    case Shape::kScalar:
      return node.kind == NodeKind::kString || node.kind == NodeKind::kInteger;
    case Shape::kFlag:
      return node.kind == NodeKind::kBool;
    case Shape::kMap:
      return map;
    case Shape::kList:
      return list;
    case Shape::kMapOrFlag:
      break;
  }
  return map || node.kind == NodeKind::kBool;
}

std::string_view NameShape(Shape shape) {
  switch (shape) {
    case Shape::kScalar:
      return "a text";
    case Shape::kFlag:
      return "true or false";
    case Shape::kMap:
      break;
    case Shape::kList:
      return "a list";
    case Shape::kMapOrFlag:
      return "a map, true or false";
  }
  return "a map";
}

/// Looks at the values at the rest of a path.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the path
void Look(const Node& node, std::string_view rest, Shape shape, const std::string& path,
          std::vector<WrongShape>& wrong) {
  if (node.kind == NodeKind::kNull) return;
  if (rest.empty()) {
    if (HasShape(node, shape)) return;
    wrong.push_back(
        {node.at, path, "expected " + std::string(NameShape(shape)) + ", found " + WhatIs(node)});
    return;
  }
  if (rest.starts_with(kEach)) {
    rest.remove_prefix(kEach.size());
    if (rest.starts_with('.')) rest.remove_prefix(1);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      Look(node.items[i], rest, shape, ItemPath(path, i), wrong);
    }
    return;
  }
  const std::size_t end = std::min({rest.find('.'), rest.find('['), rest.size()});
  const std::string_view key = rest.substr(0, end);
  rest.remove_prefix(end);
  if (rest.starts_with('.')) rest.remove_prefix(1);
  for (const Node::Entry& entry : node.fields) {
    if (key != "*" && entry.key != key) continue;
    Look(entry.value, rest, shape, manifests::JoinPath(path, entry.key), wrong);
  }
}

}  // namespace

std::vector<WrongShape> FindWrongShapes(const Node& root, std::span<const ExpectedShape> expected,
                                        const std::string& path) {
  std::vector<WrongShape> wrong;
  for (const ExpectedShape& one : expected) Look(root, one.path, one.shape, path, wrong);
  return wrong;
}

}  // namespace bindery::convert
