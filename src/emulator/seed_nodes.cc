#include "emulator/seed_nodes.h"

#include <algorithm>

#include "core/text/nearest.h"

namespace bindery::emulator {

using yaml::Node;
using yaml::NodeKind;

[[noreturn]] void FaultAt(const Node& node, std::string message) {
  throw SeedFault{node.at, std::move(message)};
}

const Node& NeedKind(const Node& node, NodeKind kind, const std::string& what) {
  if (node.kind != kind) {
    FaultAt(node, what + ": expected a " + std::string(ToString(kind)) + ", found a " +
                      std::string(ToString(node.kind)));
  }
  return node;
}

/// Any scalar as text: ids may look like numbers.
std::string Text(const Node& node, const std::string& what) {
  if (node.kind == NodeKind::kMap || node.kind == NodeKind::kList || node.kind == NodeKind::kNull ||
      node.text.empty()) {
    FaultAt(node, what + ": expected a text, found " +
                      (node.text.empty() && node.kind == NodeKind::kString
                           ? "an empty one"
                           : "a " + std::string(ToString(node.kind))));
  }
  return node.text;
}

const Node* Find(const Node& map, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const Node* found = map.Find(name)) return found;
  }
  return nullptr;
}

/// The text under one of the names, the first of which is correct; empty when optional.
std::string Field(const Node& map, std::initializer_list<std::string_view> names, bool required) {
  const Node* found = Find(map, names);
  const std::string name(*names.begin());
  if (found != nullptr) return Text(*found, name);
  if (required) FaultAt(map, "missing " + name);
  return {};
}

void RefuseUnknown(const Node& map, const std::vector<std::string>& known) {
  for (const Node::Entry& field : map.fields) {
    if (std::find(known.begin(), known.end(), field.key) != known.end()) continue;
    std::string message = "unknown field \"" + field.key + "\"";
    if (const auto near = NearestSpelling(field.key, known)) {
      message += ", did you mean \"" + *near + "\"?";
    }
    throw SeedFault{field.key_at, message};
  }
}

}  // namespace bindery::emulator
