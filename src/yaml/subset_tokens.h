#pragma once

#include <cstddef>
#include <string>

#include "yaml/node.h"
#include "yaml/subset_lines.h"

namespace bindery::yaml {

/// A scalar or a key on one line.
struct SubsetToken {
  std::string text;        ///< Unquoted and unescaped.
  std::size_t offset = 0;  ///< Of its first character, a quote included, in the document.
  std::size_t column = 0;  ///< In bytes, from 0.
  Position at;
  bool quoted = false;
  bool key = false;  ///< A ":" follows, and `lines` is behind the ":".
};

// Each reads what begins at `lines` and moves behind it. False where the text leaves the subset;
// `lines` is of no use then.

/// In block form.
[[nodiscard]] bool ReadBlockToken(SubsetLines& lines, SubsetToken& token);
/// Within "[]" or "{}"; also over the spaces that follow.
[[nodiscard]] bool ReadFlowToken(SubsetLines& lines, SubsetToken& token);
/// A text after "|" or ">" of a value whose list or map begins in column `parent`; to the next
/// content.
[[nodiscard]] bool ReadBlockText(SubsetLines& lines, std::size_t parent, std::string& text);

}  // namespace bindery::yaml
