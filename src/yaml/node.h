#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace bindery::yaml {

/// A position in a file. Both count from 1, columns in characters; 0 means unknown.
struct Position {
  int line = 0;
  int column = 0;
  auto operator<=>(const Position&) const = default;
};

enum class NodeKind { kNull, kBool, kInteger, kFloat, kString, kList, kMap };

/// "string", "list", … as used in messages ("expected a list, found a string").
[[nodiscard]] std::string_view ToString(NodeKind kind);

/// One value of a document with its place. A plain tree: aliases were expanded within limits, every
/// key of a map is a distinct string. Scalars are resolved by the YAML 1.2 core schema: `yes`,
/// `on`, `012` and dates are strings.
struct Node {
  struct Entry;

  NodeKind kind = NodeKind::kNull;
  Position at;
  std::string text;     ///< Scalars: the value as written, unquoted and unescaped.
  bool quoted = false;  ///< Strings that were quoted or block scalars.
  /// Strings on one line that are in the file letter for letter: at `at`, or behind the
  /// quote.
  bool verbatim = false;
  std::vector<Node> items;    ///< Lists.
  std::vector<Entry> fields;  ///< Maps, in the order written.

  /// The value under the key, or nullptr (also when this is not a map).
  [[nodiscard]] const Node* Find(std::string_view key) const;
  [[nodiscard]] bool AsBool() const { return text == "true" || text == "True" || text == "TRUE"; }
};

struct Node::Entry {
  std::string key;
  Position key_at;
  Node value;
};

/// The same value without positions. Integers beyond 64 bits and special floats become strings.
[[nodiscard]] Json ToJson(const Node& node);

/// A block-style YAML text of a JSON value, ending in a line break. Reading it back gives the
/// value.
[[nodiscard]] std::string ToYaml(const Json& value);

}  // namespace bindery::yaml
