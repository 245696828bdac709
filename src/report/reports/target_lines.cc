#include "report/reports/target_lines.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "report/reports/known_targets.h"
#include "report/reports/target_report.h"

namespace bindery {
namespace {

bool Contains(const std::string& where, const std::string& text) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(where.begin(), where.end(), text.begin(), text.end(), same) != where.end();
}

/// The little that a line needs of a target: there may be very many.
struct Known {
  std::string provider;
  std::int64_t grants = 0;
  WallTime observed_at{};
  report::TargetStanding standing;
  bool listed = false;  ///< It was read, or something in force stands on it.
  bool observed = false;
  bool exists = false;
};

using KnownTargets = std::map<Target, Known>;

void Take(const TargetRecord& record, KnownTargets& targets) {
  if (!CountsAsTarget(record.target)) return;
  Known& known = targets[record.target];
  known.provider = record.provider;
  known.grants = record.grants;
  known.observed_at = record.observed_at;
  known.observed = record.observed;
  known.exists = record.exists;
  known.listed = true;
}

void Take(const ResourceRecord& resource, KnownTargets& targets) {
  if (resource.target.name.empty() || !CountsAsTarget(resource.target)) return;
  Known& known = targets[resource.target];
  ++known.standing.resources;
  if (!resource.accepted || known.listed) return;
  known.provider = resource.provider;
  known.listed = true;
}

Expected<void> TakeDrift(const ReportReader& store, KnownTargets& targets) {
  const auto snapshot = store.SnapshotDrift();
  if (!snapshot) return Fail(snapshot.error());
  return (*snapshot)->EachSince(std::nullopt, [&](const DriftEntry& entry) {
    const auto found = targets.find(entry.record.target);
    if (found != targets.end()) found->second.standing.Take(entry.record);
  });
}

TargetLine LineOfKnown(const Target& target, const Known& known) {
  TargetRecord record;
  record.target = target;
  record.provider = known.provider;
  record.grants = known.grants;
  record.observed = known.observed;
  record.exists = known.exists;
  record.observed_at = known.observed_at;
  return report::LineOfTarget(record, known.standing);
}

}  // namespace

void report::TargetStanding::Take(const DriftRecord& record) {
  const DriftItem& item = record.item;
  if (item.state == DriftState::kAccepted || IsNote(item.drift_class)) return;
  ++(item.state == DriftState::kHeld ? held : open);
  worst = std::max(worst.value_or(item.severity), item.severity);
}

TargetLine report::LineOfTarget(const TargetRecord& record, const TargetStanding& standing) {
  TargetLine line;
  line.target = record.target.name;
  line.kind = record.target.kind.str();
  line.provider = record.provider;
  line.scope = record.target.scope.str();
  line.resources = standing.resources;
  line.grants = record.grants;
  line.observed = record.observed;
  line.exists = record.exists;
  line.observed_at = record.observed_at;
  line.open = standing.open;
  line.held = standing.held;
  line.severity = standing.worst;
  return line;
}

Expected<std::size_t> report::EachTargetLine(const ReportReader& store, const std::string& text,
                                             const std::function<void(const TargetLine&)>& take) {
  KnownTargets targets;
  auto read = store.ReadCatalog([&](TargetRecord&& record) { Take(record, targets); },
                                [&](ResourceRecord&& resource) { Take(resource, targets); });
  if (!read) return Fail(read.error());
  if (auto drift = TakeDrift(store, targets); !drift) return Fail(drift.error());
  std::size_t count = 0;
  for (const auto& [target, known] : targets) {
    const bool wanted = text.empty() || Contains(target.name, text) ||
                        Contains(target.kind, text) || Contains(known.provider, text);
    if (!known.listed || !wanted) continue;
    ++count;
    take(LineOfKnown(target, known));
  }
  return count;
}

Expected<TargetList> TargetsReport(const ReportReader& store, const std::string& text,
                                   const ListPage& page) {
  TargetList list;
  std::size_t place = 0;
  const auto count = report::EachTargetLine(store, text, [&](const TargetLine& line) {
    const bool on_page = place >= page.offset && (!page.limit || place - page.offset < *page.limit);
    ++place;
    if (on_page) list.targets.push_back(line);
  });
  if (!count) return Fail(count.error());
  static_cast<ListSlice&>(list) = {*count, page.offset, page.limit};
  return list;
}

}  // namespace bindery
