#pragma once

#include "report/preflight_report.h"

namespace bindery {

/// Whether there is data of time zones for conditions, where, and of which version.
[[nodiscard]] PreflightCheck PreflightOfZones();

}  // namespace bindery
