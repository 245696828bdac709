#pragma once

#include <optional>
#include <string>

#include "core/base/expected.h"
#include "report/access/access_values.h"
#include "report/values/coverage_values.h"
#include "report/values/drift_values.h"
#include "report/values/event_values.h"
#include "report/values/explain_values.h"
#include "report/values/guard_values.h"
#include "report/values/overview_values.h"
#include "report/values/problem_values.h"
#include "report/values/replica_values.h"
#include "report/values/resource_values.h"
#include "report/values/revision_values.h"
#include "report/values/target_values.h"
#include "report/values/work_history.h"
#include "web/page.h"

namespace bindery::web {

// A page each, made of the report that the API answers at the same path below /api/v1.

[[nodiscard]] std::string OverviewPage(const PageContext& context,
                                       const report::DaemonOverview& report);
[[nodiscard]] std::string ResourcesPage(const PageContext& context,
                                        const report::ListedResources& report);
[[nodiscard]] std::string ResourcePage(const PageContext& context,
                                       const report::Explanation& report);
[[nodiscard]] std::string RevisionPage(const PageContext& context,
                                       const report::RevisionDetail& detail);
[[nodiscard]] std::string TargetsPage(const PageContext& context, const report::TargetList& report);
[[nodiscard]] std::string TargetPage(const PageContext& context,
                                     const report::TargetDetail& report);
[[nodiscard]] std::string DriftPage(const PageContext& context, const report::DriftListing& report);
/// `report` is not set while nothing was asked.
[[nodiscard]] std::string AccessPage(const PageContext& context,
                                     const std::optional<Expected<report::AccessListing>>& report);
[[nodiscard]] std::string GuardPage(const PageContext& context, const report::HoldList& report);
[[nodiscard]] std::string ProblemsPage(const PageContext& context,
                                       const report::ProblemList& report);
[[nodiscard]] std::string ReplicasPage(const PageContext& context,
                                       const report::ReplicaList& report);
[[nodiscard]] std::string CoveragePage(const PageContext& context, const report::Coverage& report);
[[nodiscard]] std::string HistoryPage(const PageContext& context,
                                      const report::WorkHistory& report);
[[nodiscard]] std::string EventsPage(const PageContext& context, const report::EventList& report);

/// Who has signed in, and the way out.
[[nodiscard]] std::string AccountPage(const PageContext& context);

/// Something went wrong, or was done, and there is a way on.
struct Message {
  std::string title;
  std::string text;
  std::string link;  ///< Where to go from here.
  std::string link_text;
};
[[nodiscard]] std::string MessagePage(const PageContext& context, const Message& message);

}  // namespace bindery::web
