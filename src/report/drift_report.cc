#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "core/time_text.h"
#include "report/condition_judge.h"
#include "report/json_fields.h"
#include "report/reports.h"

namespace bindery {
namespace {

/// More than any directory declares: the store's own limit is for pages, a summary must be whole.
constexpr std::size_t kAllItems = 1'000'000;

struct Place {
  std::string file;
  int line = 0;
};

bool IsLookupChange(const DriftRecord& record) {
  return record.item.drift_class == DriftClass::kLookupChanged;
}

/// Null for a difference that concerns the target as a whole, or an output of a lookup.
Json GrantJson(const DriftRecord& record) {
  const Grant& grant = record.item.grant;
  if (IsLookupChange(record)) return nullptr;
  if (grant.role.empty() && grant.principal.empty()) return nullptr;
  return ToJson(grant, report::WordsOf(record.target));
}

Json ItemJson(const DriftRecord& record, const std::map<std::string, Place>& places,
              report::ConditionJudge& judge) {
  const DriftItem& item = record.item;
  const auto place = places.find(item.resource);
  const bool known = place != places.end();
  Json json = {
      {"id", record.id},
      {"class", ToString(item.drift_class)},
      {"severity", ToString(item.severity)},
      {"state", ToString(item.state)},
      {"target", record.target.name},
      {"kind", record.target.kind},
      {"resource", item.resource},
      {"source", known ? report::SourceJson(place->second.file, place->second.line) : Json()},
      {"grant", GrantJson(record)},
      {"desired", item.desired},
      {"observed", item.observed},
      {"firstSeen", report::TimeOrNull(record.first_seen)},
      {"lastSeen", report::TimeOrNull(record.last_seen)},
      {"resolvedAt", record.resolved_at ? report::TimeOrNull(*record.resolved_at) : Json()},
      {"resolvedBy", record.resolved_by}};
  if (const Json& bounds = judge.Judge(item.grant.condition).time_bounds; !bounds.is_null()) {
    json["timeBounds"] = bounds;
  }
  if (IsLookupChange(record)) json["field"] = item.grant.role;
  return json;
}

Json SummaryJson(const std::vector<TargetRecord>& targets, const std::vector<DriftRecord>& items) {
  std::int64_t grants = 0;
  for (const TargetRecord& target : targets) grants += target.grants;
  std::map<DriftState, std::int64_t> states;
  std::map<Severity, std::int64_t> unresolved;
  for (const DriftRecord& record : items) {
    ++states[record.item.state];
    if (record.item.state != DriftState::kCorrected) ++unresolved[record.item.severity];
  }
  constexpr std::array<Severity, 4> kWorstFirst = {Severity::kCritical, Severity::kHigh,
                                                   Severity::kMedium, Severity::kLow};
  Json severities = Json::object();
  for (const Severity severity : kWorstFirst) {
    severities[std::string(ToString(severity))] = unresolved[severity];
  }
  return {{"targets", targets.size()},         {"grants", grants},
          {"open", states[DriftState::kOpen]}, {"corrected", states[DriftState::kCorrected]},
          {"held", states[DriftState::kHeld]}, {"bySeverity", std::move(severities)}};
}

Expected<std::map<std::string, Place>> Places(const Store& store) {
  auto resources = store.Resources();
  if (!resources) return Fail(resources.error());
  std::map<std::string, Place> places;
  for (const ResourceRecord& record : *resources) {
    places[record.name] = {record.source_file, record.source_line};
  }
  return places;
}

bool WorseFirst(const DriftRecord& left, const DriftRecord& right) {
  if (left.item.severity != right.item.severity) return left.item.severity > right.item.severity;
  return std::tie(left.target.name, left.target, left.id) <
         std::tie(right.target.name, right.target, right.id);
}

}  // namespace

Expected<Json> DriftReport(const Store& store, WallTime now,
                           std::optional<WallTime> resolved_since) {
  DriftFilter filter;
  filter.unresolved_only = !resolved_since;
  filter.resolved_since = resolved_since;
  filter.limit = kAllItems;
  auto records = store.Drift(filter);
  if (!records) return Fail(records.error());
  const auto targets = store.Targets();
  if (!targets) return Fail(targets.error());
  const auto places = Places(store);
  if (!places) return Fail(places.error());

  std::sort(records->begin(), records->end(), WorseFirst);
  report::ConditionJudge judge = report::ConditionJudge::At(now);
  Json items = Json::array();
  for (const DriftRecord& record : *records) items.push_back(ItemJson(record, *places, judge));
  return Json{{"version", 1},
              {"generatedAt", FormatRfc3339(now)},
              {"summary", SummaryJson(*targets, *records)},
              {"items", std::move(items)}};
}

}  // namespace bindery
