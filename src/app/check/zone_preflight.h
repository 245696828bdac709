#pragma once

#include "report/checks/preflight_report.h"

namespace bindery::app {

/// Whether data of time zones exists for conditions, with place and version.
[[nodiscard]] report::PreflightCheck PreflightOfZones();

}  // namespace bindery::app
