#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.h"

namespace bindery::yaml {

/// What a reader accepts before it gives up on a text: bounds for memory and stack, whatever the
/// input.
struct Limits {
  std::size_t max_bytes = 1U << 20U;  ///< Of one document.
  std::size_t max_depth = 64;
  std::size_t max_nodes = 100'000;  ///< Of one document, aliases counted as often as they are used.
  std::size_t max_documents = 10'000;
};

/// A step from a map or list to its content.
struct PathStep {
  std::string key = {};   ///< In a map.
  std::size_t index = 0;  ///< In a list.
  bool in_list = false;
};

/// The error of a text, and where.
struct Fault {
  Position at;
  std::string
      message;  ///< Lower case, without the position: "duplicate key \"name\" (first on line 3)".
  /// "InvalidSyntax", "InvalidText" (not UTF-8, a control character), "DuplicateKey" or "TooLarge".
  std::string code = "InvalidSyntax";
  std::vector<PathStep> path = {};  ///< To a duplicate key, within its document.
};

struct Document {
  Position at;  ///< Of its first token.
  Node root;
};

/// The readable documents, and the errors of the rest: a document with a fault is left out
/// and later documents are still read. A caller that needs all or nothing looks at
/// `faults`.
struct ReadResult {
  std::vector<Document> documents;  ///< Empty documents are left out.
  std::vector<Fault> faults;
};

/// Reads all documents of a YAML text. Refuses duplicate keys, keys that are not strings, cyclic
/// aliases, merge keys (`<<`), tags other than the core ones, invalid UTF-8, and whatever exceeds
/// `limits`. Never throws, never runs away. Thread-safe.
[[nodiscard]] ReadResult ReadYaml(std::string_view text, const Limits& limits = {});

/// Reads one JSON text (RFC 8259), with positions. The same limits and refusals. A text of nothing
/// but white space holds no document. Never throws. Thread-safe.
[[nodiscard]] ReadResult ReadJson(std::string_view text, const Limits& limits = {});

}  // namespace bindery::yaml
