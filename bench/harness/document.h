#pragma once

#include <string>

#include "core/base/expected.h"
#include "harness/results.h"

namespace bindery::bench {

/// `text` with what stands between the lines `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`
/// replaced. kNotFound without these lines.
[[nodiscard]] Expected<std::string> ReplaceSection(const std::string& text, const std::string& name,
                                                   const std::string& content);

/// Rewrites the tables of the measured workloads in the page, those of the others stay.
[[nodiscard]] Expected<void> WriteTables(const std::string& page, const Results& results);

/// Writes a picture for each growth to `folder`.
[[nodiscard]] Expected<void> WritePlots(const std::string& folder, const Results& results);

}  // namespace bindery::bench
