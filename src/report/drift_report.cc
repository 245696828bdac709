#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/time_text.h"
#include "report/attributions.h"
#include "report/condition_judge.h"
#include "report/drift_context.h"
#include "report/drift_schema_text.h"
#include "report/json_fields.h"
#include "report/reports.h"

namespace bindery {
namespace {

using report::DriftContext;

/// More than any directory declares: the store's own limit is for pages, a summary must be whole.
constexpr std::size_t kAllItems = 1'000'000;

bool IsLookupChange(const DriftRecord& record) {
  return record.item.drift_class == DriftClass::kLookupChanged;
}

bool Stands(const DriftRecord& record) { return record.item.state != DriftState::kCorrected; }

/// Null for a difference that concerns the target as a whole, or an output of a lookup.
Json GrantJson(const DriftRecord& record) {
  const Grant& grant = record.item.grant;
  if (IsLookupChange(record)) return nullptr;
  if (grant.role.empty() && grant.principal.empty()) return nullptr;
  return ToJson(grant, report::WordsOf(record.target));
}

/// "new", "gone" or "still" since the last report; empty for what was over by then. Times are told
/// apart as they are shown, in milliseconds.
std::string_view ChangeOf(const DriftRecord& record, const DriftScope& scope) {
  using std::chrono::floor;
  using std::chrono::milliseconds;
  if (!scope.previous) return "new";
  const auto previous = floor<milliseconds>(*scope.previous);
  if (floor<milliseconds>(record.first_seen) > previous) return "new";
  if (Stands(record)) return "still";
  return record.resolved_at && floor<milliseconds>(*record.resolved_at) > previous ? "gone" : "";
}

Json ItemJson(const DriftRecord& record, const DriftScope& scope, const DriftContext& context,
              report::ConditionJudge& judge) {
  const DriftItem& item = record.item;
  const std::string_view change = ChangeOf(record, scope);
  Json json = {
      {"id", record.id},
      {"class", ToString(item.drift_class)},
      {"severity", ToString(item.severity)},
      {"state", ToString(item.state)},
      {"target", record.target.name},
      {"kind", record.target.kind},
      {"resource", item.resource},
      {"source", context.SourceOf(item.resource)},
      {"grant", GrantJson(record)},
      {"desired", item.desired},
      {"observed", item.observed},
      {"firstSeen", report::TimeOrNull(record.first_seen)},
      {"lastSeen", report::TimeOrNull(record.last_seen)},
      {"resolvedAt", record.resolved_at ? report::TimeOrNull(*record.resolved_at) : Json()},
      {"resolvedBy", record.resolved_by},
      {"action", report::ActionOn(record, context)},
      {"change", change.empty() ? Json() : Json(change)}};
  if (const Json& bounds = judge.Judge(item.grant.condition).time_bounds; !bounds.is_null()) {
    json["timeBounds"] = bounds;
  }
  if (IsLookupChange(record)) json["field"] = item.grant.role;
  return json;
}

/// What a summary counts of the differences.
struct Counts {
  std::map<DriftState, std::int64_t> states;
  std::map<Severity, std::int64_t> unresolved;
  std::map<std::string, std::int64_t, std::less<>> changes;
  std::set<std::string> drifted;  ///< Keys of targets.

  Counts(const std::vector<DriftRecord>& items, const DriftScope& scope) {
    for (const DriftRecord& record : items) {
      ++states[record.item.state];
      ++changes[std::string(ChangeOf(record, scope))];
      if (!Stands(record)) continue;
      ++unresolved[record.item.severity];
      drifted.insert(record.target.Key());
    }
  }
};

Json SummaryJson(const DriftContext& context, Counts counts) {
  constexpr std::array<Severity, 4> kWorstFirst = {Severity::kCritical, Severity::kHigh,
                                                   Severity::kMedium, Severity::kLow};
  Json severities = Json::object();
  for (const Severity severity : kWorstFirst) {
    severities[std::string(ToString(severity))] = counts.unresolved[severity];
  }
  const auto in_sync =
      std::count_if(context.targets.begin(), context.targets.end(), [&](const auto& entry) {
        return entry.second.observed && !entry.second.failing &&
               !counts.drifted.contains(entry.first);
      });
  return {{"targets", context.targets.size()},
          {"grants", context.grants},
          {"open", counts.states[DriftState::kOpen]},
          {"corrected", counts.states[DriftState::kCorrected]},
          {"held", counts.states[DriftState::kHeld]},
          {"inSync", in_sync},
          {"drifted", counts.drifted.size()},
          {"failing", context.failing.size()},
          {"expiring", context.ExpiringGrants()},
          {"bySeverity", std::move(severities)},
          {"sinceLast",
           {{"new", counts.changes["new"]},
            {"gone", counts.changes["gone"]},
            {"still", counts.changes["still"]}}}};
}

bool WorseFirst(const DriftRecord& left, const DriftRecord& right) {
  if (left.item.severity != right.item.severity) return left.item.severity > right.item.severity;
  return std::tie(left.target.name, left.target, left.id) <
         std::tie(right.target.name, right.target, right.id);
}

/// Whatever went since the last report is part of this one.
std::optional<WallTime> ResolvedSince(const DriftScope& scope) {
  if (!scope.previous || !scope.resolved_since) return scope.resolved_since;
  return std::min(*scope.previous, *scope.resolved_since);
}

}  // namespace

Expected<Json> DriftReport(const Store& store, const DriftScope& scope) {
  DriftFilter filter;
  filter.resolved_since = ResolvedSince(scope);
  filter.unresolved_only = !filter.resolved_since;
  filter.limit = kAllItems;
  auto records = store.Drift(filter);
  if (!records) return Fail(records.error());
  auto context = DriftContext::Read(store, scope);
  if (!context) return Fail(context.error());

  std::erase_if(*records,
                [&](const DriftRecord& record) { return record.item.severity < scope.least; });
  std::sort(records->begin(), records->end(), WorseFirst);
  report::ConditionJudge judge = report::ConditionJudge::At(scope.now);
  report::Attributions attributions(store, scope.attribution);
  Json items = Json::array();
  for (const DriftRecord& record : *records) {
    items.push_back(ItemJson(record, scope, *context, judge));
    attributions.AddTo(items.back(), record);
  }
  return Json{{"version", kDriftReportVersion},
              {"generatedAt", FormatRfc3339(scope.now)},
              {"previousAt", scope.previous ? report::TimeOrNull(*scope.previous) : Json()},
              {"leastSeverity", ToString(scope.least)},
              {"summary", SummaryJson(*context, Counts(*records, scope))},
              {"items", std::move(items)},
              {"failing", std::move(context->failing)},
              {"expiring", std::move(context->expiring)}};
}

Json DriftReportSchema() { return ParseJson(report::kDriftSchemaText).value_or(Json::object()); }

}  // namespace bindery
