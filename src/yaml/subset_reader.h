#pragma once

#include <optional>
#include <string_view>

#include "yaml/node.h"
#include "yaml/reader.h"
#include "yaml/text.h"

namespace bindery::yaml {

/// Reads one document of the subset of YAML that nearly all manifests keep to, without yaml-cpp:
/// maps and lists in block form, plain and quoted scalars on one line, texts after "|", "|-", ">"
/// and ">-", flow maps and lists on one line, comments. The tree equals the tree of yaml-cpp and
/// TreeBuilder for the same text. A kNull node: the document is empty.
///
/// Nothing is returned for every other document, for every fault and beyond any of `limits`:
/// yaml-cpp reads such a document, and gives a fault its message. The text holds no control
/// character, has Unix line breaks and at most `limits.max_bytes`. Thread-safe.
[[nodiscard]] std::optional<Node> ReadSubset(const Chunk& chunk, const Limits& limits);

/// Which readers take part in reading a text.
enum class Readers { kSubsetFirst, kLibraryAlone };

/// ReadYaml() by chosen readers. Tests compare the two.
[[nodiscard]] ReadResult ReadYamlBy(Readers readers, std::string_view text,
                                    const Limits& limits = {});

}  // namespace bindery::yaml
