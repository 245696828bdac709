#pragma once

#include "report/checks/preflight_report.h"

namespace bindery {

/// Whether data of time zones exists for conditions, with place and version.
[[nodiscard]] PreflightCheck PreflightOfZones();

}  // namespace bindery
