#pragma once

#include <string>

#include "report/access/access_values.h"
#include "report/values/coverage_values.h"
#include "report/values/drift_values.h"
#include "report/values/event_values.h"
#include "report/values/guard_values.h"
#include "report/values/problem_values.h"
#include "report/values/replica_values.h"
#include "report/values/resource_values.h"
#include "report/values/target_values.h"
#include "report/values/work_history.h"

namespace bindery::report {

// Lists as tables with a line of titles: RFC 4180. A cell that a spreadsheet would take for a
// formula begins with an apostrophe.

[[nodiscard]] std::string ListCsv(const ListedResources& list);
[[nodiscard]] std::string ListCsv(const TargetList& list);
[[nodiscard]] std::string ListCsv(const DriftListing& list);
[[nodiscard]] std::string ListCsv(const AccessListing& list);
[[nodiscard]] std::string ListCsv(const EventList& list);
[[nodiscard]] std::string ListCsv(const ProblemList& list);
[[nodiscard]] std::string ListCsv(const WorkHistory& history);
[[nodiscard]] std::string ListCsv(const ReplicaList& list);
/// A line for each removal, those of each hold in the order.
[[nodiscard]] std::string ListCsv(const HoldList& list, const GuardSort& sort);
/// A line for each group, or for each class where there are no groups.
[[nodiscard]] std::string ListCsv(const Coverage& coverage);

}  // namespace bindery::report
