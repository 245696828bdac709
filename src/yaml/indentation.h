#pragma once

#include <optional>
#include <vector>

#include "yaml/reader.h"
#include "yaml/source_lines.h"

namespace bindery::yaml {

/// The error of the indentation of the line where a parser gave up, told by the lines it should
/// agree with; nothing when it agrees with them.
[[nodiscard]] std::optional<Fault> FindIndentationFault(const std::vector<SourceLine>& lines,
                                                        const SourceLine& here);

}  // namespace bindery::yaml
