#pragma once

#include <string>

#include "controller/engine_observer.h"
#include "controller/engine_work.h"

namespace bindery {

/// How the work on a target ended, for those who count and log. `error`: what it failed with; null:
/// it did not. Pure.
[[nodiscard]] TargetReport ReportOf(const TargetUnderWork& work, WorkAction action,
                                    const Error* error, std::string message);

}  // namespace bindery
