#pragma once

#include "controller/work/work_schedule.h"

namespace bindery::controller {

/// Conditions that IsSettled() does not wait for.
struct SettlePatience {
  int failures = 0;  ///< Targets that failed more often in a row.
  MonoTime until;    ///< What a service put off beyond this.
};

/// Nothing runs or waits that belongs to a change or to the pass; re-checks may. Changes nothing.
[[nodiscard]] bool IsSettled(const Catalog& catalog, const WorkSchedule& schedule,
                             const PassBarrier& pass, const Rollbacks& rollbacks,
                             const SettlePatience& patience);

}  // namespace bindery::controller
