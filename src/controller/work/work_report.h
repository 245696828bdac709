#pragma once

#include <string>

#include "controller/gates/engine_work.h"
#include "controller/outbox/engine_observer.h"

namespace bindery::controller {

/// How the work on a target ended, for counters and logs. `error`: the failure of the work; null:
/// success. Pure.
[[nodiscard]] TargetReport MakeReport(const TargetUnderWork& work, WorkAction action,
                                      const Error* error, std::string message);

}  // namespace bindery::controller
