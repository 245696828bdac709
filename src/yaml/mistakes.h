#pragma once

#include <optional>
#include <string_view>

#include "yaml/reader.h"
#include "yaml/text.h"

namespace bindery::yaml {

/// Lines of a version control system between conflicting changes (`<<<<<<<`, `>>>>>>>`,
/// and `=======`). A text with such lines has no author: the lines between are not read
/// either.
[[nodiscard]] std::optional<Fault> FindConflictMarkers(std::string_view text);

/// What was most likely done wrong where a parser of YAML gave up, in the words of who writes
/// manifests: a space missing after a colon, an indentation, a text that needs quotes, the syntax
/// of a template. `refusal` is where and why it gave up; it comes back in plainer words when no
/// usual mistake is recognised.
[[nodiscard]] Fault ExplainYamlFault(const Chunk& chunk, Fault refusal);

/// The same for JSON: `offset` is where the parser stopped.
[[nodiscard]] Fault ExplainJsonFault(std::string_view text, std::size_t offset, Fault refusal);

}  // namespace bindery::yaml
