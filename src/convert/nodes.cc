#include "convert/nodes.h"

#include <utility>

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

}  // namespace bindery::convert
