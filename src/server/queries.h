#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "httpd/router.h"
#include "report/access/access_values.h"
#include "report/reports/reports.h"
#include "report/values/coverage_values.h"
#include "report/values/explain_values.h"
#include "report/values/overview_values.h"
#include "report/values/problem_values.h"
#include "report/values/scan_values.h"
#include "report/values/target_values.h"
#include "report/values/work_history.h"
#include "server/api_server.h"

namespace bindery::server {

// What GET requests below /api/v1 answer, and the pages at the same paths show.

/// How many things a list holds at the most.
inline constexpr std::int64_t kMostItems = 10'000;

struct QueryContext {
  const ApiParts& parts;
  const httpd::Request& request;
  const httpd::PathParams& params;
};

[[nodiscard]] Expected<report::DaemonOverview> GetOverview(const QueryContext& asked);
[[nodiscard]] Expected<report::ListedResources> GetResources(const QueryContext& asked);
[[nodiscard]] Expected<report::Explanation> GetResource(const QueryContext& asked);
[[nodiscard]] Expected<report::RevisionDetail> GetRevision(const QueryContext& asked);
[[nodiscard]] Expected<report::TargetList> GetTargets(const QueryContext& asked);
[[nodiscard]] Expected<report::TargetDetail> GetTarget(const QueryContext& asked);
[[nodiscard]] Expected<report::DriftListing> GetDrift(const QueryContext& asked);
/// What GetDrift depends on besides the store and the time.
[[nodiscard]] Expected<std::string> MakeDriftQuestion(const QueryContext& asked);
[[nodiscard]] Expected<report::AccessListing> GetAccess(const QueryContext& asked);
[[nodiscard]] Expected<report::AccessDiff> GetAccessDiff(const QueryContext& asked);
[[nodiscard]] Expected<report::EventList> GetEvents(const QueryContext& asked);
[[nodiscard]] Expected<report::TargetHistory> GetHistory(const QueryContext& asked);
[[nodiscard]] Expected<report::HoldList> GetGuard(const QueryContext& asked);
[[nodiscard]] Expected<report::ProblemList> GetProblems(const QueryContext& asked);
[[nodiscard]] Expected<report::ReplicaList> GetReplicas(const QueryContext& asked);
[[nodiscard]] Expected<report::Coverage> GetCoverage(const QueryContext& asked);
[[nodiscard]] Expected<report::InventoryList> GetScans(const QueryContext& asked);
[[nodiscard]] Expected<report::WorkHistory> GetWorkHistory(const QueryContext& asked);

/// Whether the answer to a request goes through everything on record, however little is asked for;
/// null where it never does.
using GoesThrough = bool (*)(const httpd::Request&);

[[nodiscard]] bool GoesThroughAlways(const httpd::Request& request);
/// GetDrift goes through all differences for that.
[[nodiscard]] bool GoesThroughDrift(const httpd::Request& request);
/// GetEvents may go through all events for that.
[[nodiscard]] bool GoesThroughEvents(const httpd::Request& request);

/// A query parameter; empty when missing.
[[nodiscard]] std::string GetText(const httpd::Request& request, const std::string& name);

/// A query parameter with the value true or false; false when missing.
[[nodiscard]] Expected<bool> ReadFlag(const httpd::Request& request, const std::string& name);

/// A time, a day, or how long before `now`; nothing when the parameter is missing or empty.
[[nodiscard]] Expected<std::optional<WallTime>> ReadMoment(const httpd::Request& request,
                                                           const std::string& name, WallTime now);

/// "offset" and "limit".
[[nodiscard]] Expected<report::ListPage> ReadPage(const httpd::Request& request);

/// A query parameter with a whole number of the range; `fallback` when missing.
struct NumberRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
[[nodiscard]] Expected<std::int64_t> ReadNumber(const httpd::Request& request,
                                                const std::string& name, NumberRange range,
                                                std::int64_t fallback);

}  // namespace bindery::server
