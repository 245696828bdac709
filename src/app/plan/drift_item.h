#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "store/ports/records.h"
#include "store/ports/report_reader.h"

namespace bindery::app {

/// The difference with the id of drift reports, whether it is open or was corrected. kNotFound: no
/// such difference is on record. kFailedPrecondition: the item is a note, or is not about a grant.
[[nodiscard]] Expected<store::DriftRecord> FindDifference(const store::ReportReader& store,
                                                          std::int64_t id);

}  // namespace bindery::app
