#pragma once

#include <string>

#include "report/coverage_values.h"
#include "report/text.h"

namespace bindery {

/// The report as text for people: as those of text.h.
[[nodiscard]] std::string CoverageText(const Coverage& coverage, const TextStyle& style);

}  // namespace bindery
