#pragma once

#include <string>
#include <string_view>

#include "controller/engine_observer.h"
#include "controller/engine_work.h"

namespace bindery {

/// How the work on a target ended, for those who count and log. `action`: as
/// TargetReport::action. `error`: what it failed with; null: it did not. Pure.
[[nodiscard]] TargetReport ReportOf(const TargetUnderWork& work, std::string_view action,
                                    const Error* error, std::string message);

}  // namespace bindery
