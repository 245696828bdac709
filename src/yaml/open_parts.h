#pragma once

#include <optional>
#include <vector>

#include "yaml/node.h"
#include "yaml/source_lines.h"

namespace bindery::yaml {

/// The parts that a document opens and does not close.
struct OpenParts {
  std::optional<Position> quote;    ///< Where the quoted text begins that has no end.
  std::optional<Position> bracket;  ///< Where the innermost list or map begins that has no end.
  char bracket_sign = '\0';
  std::optional<Position> behind_quote;  ///< The last text that is right behind a closing quote.
  char behind_sign = '\0';               ///< That quote.
};

/// Follows quotes and brackets like a reader; text blocks are not distinguished from ordinary
/// lines, so a finding only explains a fault and proves none.
[[nodiscard]] OpenParts ScanParts(const std::vector<SourceLine>& lines);

}  // namespace bindery::yaml
