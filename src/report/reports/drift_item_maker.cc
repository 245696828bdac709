#include "report/reports/drift_item_maker.h"

#include <optional>
#include <set>

#include "providers/registry/kinds.h"
#include "report/reports/drift_tally.h"

namespace bindery::report {
namespace {

std::optional<WallTime> KnownTime(WallTime time) {
  return time == WallTime{} ? std::nullopt : std::optional(time);
}

}  // namespace

DriftReportItem DriftItemMaker::Make(const store::DriftEntry& entry) {
  const store::DriftRecord& record = entry.record;
  const DriftItem& found = record.item;
  DriftReportItem item;
  item.id = record.id;
  item.drift_class = found.drift_class;
  item.severity = found.severity;
  item.state = found.state;
  item.cause = found.cause;
  item.target = record.target.name;
  item.kind = record.target.kind;
  item.resource = found.resource;
  if (entry.resource) {
    item.source = MakeSourceLine(entry.resource->source_file, entry.resource->source_line);
  }
  const bool of_target = found.grant.role.empty() && found.grant.principal.empty();
  if (found.drift_class == DriftClass::kLookupChanged) {
    item.field = found.grant.role;
  } else if (!of_target) {
    item.grant = {found.grant, providers::GetTraits(record.target).words};
  }
  item.desired = found.desired;
  item.observed = found.observed;
  item.first_seen = KnownTime(record.first_seen);
  item.last_seen = KnownTime(record.last_seen);
  if (record.resolved_at) item.resolved_at = KnownTime(*record.resolved_at);
  item.resolved_by = record.resolved_by;
  item.action = ActionOn(entry, context_);
  item.change = FindChange(record, scope_);
  item.time_bounds = judge_.Judge(found.grant.condition).bounds;
  if (found.state == DriftState::kAccepted) item.acceptance = found.acceptance;
  item.attribution = attributions_.Find(record);
  return item;
}

Expected<std::vector<DriftReportItem>> ListItems(const store::ReportReader& store,
                                                 const DriftScope& scope,
                                                 const std::vector<store::DriftEntry>& entries) {
  std::set<Target> targets;
  for (const store::DriftEntry& entry : entries) targets.insert(entry.record.target);
  const auto context = DriftContext::ReadOn(store, scope, targets);
  if (!context) return Fail(context.error());
  DriftItemMaker maker(store, scope, *context);
  std::vector<DriftReportItem> items;
  items.reserve(entries.size());
  for (const store::DriftEntry& entry : entries) items.push_back(maker.Make(entry));
  return items;
}

}  // namespace bindery::report
