#pragma once

#include <string>

#include "report/text/text.h"
#include "report/values/coverage_values.h"

namespace bindery::report {

/// The report as text for people: as those of text.h.
[[nodiscard]] std::string CoverageText(const Coverage& coverage, const TextStyle& style);

}  // namespace bindery::report
