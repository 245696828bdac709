#pragma once

#include <functional>

#include "core/base/expected.h"
#include "httpd/message.h"
#include "report/access/access_report.h"
#include "report/reports/drift_selection.h"
#include "report/reports/kept_reports.h"
#include "report/values/target_values.h"
#include "server/queries.h"
#include "server/requests/list_reply.h"

namespace bindery::server {

// What GET requests for long lists answer, without a list in memory. Errors as in queries.h.

using TakeTarget = std::function<void(report::TargetLine&& target)>;

/// The same as GetResources and so on; each element is given to `take` in its place in the list.
[[nodiscard]] Expected<report::ListedResources> EachOfResources(const QueryContext& asked,
                                                                const report::TakeResource& take);
[[nodiscard]] Expected<report::TargetList> EachOfTargets(const QueryContext& asked,
                                                         const TakeTarget& take);
[[nodiscard]] Expected<report::DriftListing> EachOfDrift(const QueryContext& asked,
                                                         const report::TakeDifference& take);
[[nodiscard]] Expected<report::AccessListing> EachOfAccess(const QueryContext& asked,
                                                           const report::TakeAnswerOfPage& take);
[[nodiscard]] Expected<report::AccessDiff> EachOfAccessDiff(const QueryContext& asked,
                                                            const report::TakeChange& take);

/// The same JSON as of GetAccess, of a whole list in its own order. Errors also those of
/// ListWriter::Reply().
[[nodiscard]] Expected<httpd::Response> WholeAccess(const QueryContext& asked,
                                                    const ListBudget& budget);

}  // namespace bindery::server
