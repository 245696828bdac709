#include "report/reports/target_lines.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/text/text_search.h"
#include "report/codec/list_selection.h"
#include "report/reports/known_targets.h"
#include "report/reports/target_report.h"

namespace bindery {
namespace {

/// The little that a line needs of a target: there may be very many.
struct Known {
  std::string provider;
  std::int64_t grants = 0;
  std::int64_t undeclared = 0;
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
  known.undeclared = record.undeclared;
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
  record.undeclared = known.undeclared;
  record.observed = known.observed;
  record.exists = known.exists;
  record.observed_at = known.observed_at;
  return report::LineOfTarget(record, known.standing);
}

bool TargetPasses(const Target& target, const Known& known, const TargetQuery& query) {
  if (!query.kind.empty() && target.kind.str() != query.kind) return false;
  if (!query.within.empty() && !IsWithin(target.name, query.within)) return false;
  if (query.differing && known.standing.open + known.standing.held == 0) return false;
  if (query.undeclared && known.undeclared == 0) return false;
  return ContainsInAnyCase(target.name, query.text) ||
         ContainsInAnyCase(target.kind.str(), query.text) ||
         ContainsInAnyCase(known.provider, query.text);
}

/// The differences of a target, the worst as the greatest.
auto DriftOf(const TargetLine& line) {
  return std::tuple(line.severity ? static_cast<int>(*line.severity) : -1, line.open + line.held);
}

using TargetsBefore = report::ListSelection<TargetLine>::Order;

TargetsBefore AscendingTargets(TargetOrder order) {
  const auto name = [](const TargetLine& line) {
    return std::tie(line.kind, line.scope, line.target);
  };
  switch (order) {
    case TargetOrder::kTarget:
      return [](const auto& a, const auto& b) {
        return std::tie(a.target, a.kind, a.scope) < std::tie(b.target, b.kind, b.scope);
      };
    case TargetOrder::kKind:
      break;
    case TargetOrder::kProvider:
      return [name](const auto& a, const auto& b) {
        return std::pair(a.provider, name(a)) < std::pair(b.provider, name(b));
      };
    case TargetOrder::kDifferences:
      return [name](const auto& a, const auto& b) {
        return std::pair(DriftOf(b), name(a)) < std::pair(DriftOf(a), name(b));
      };
    case TargetOrder::kUndeclared:
      return [name](const auto& a, const auto& b) {
        return std::pair(b.undeclared, name(a)) < std::pair(a.undeclared, name(b));
      };
    case TargetOrder::kResources:
      return [name](const auto& a, const auto& b) {
        return std::pair(b.resources, name(a)) < std::pair(a.resources, name(b));
      };
    case TargetOrder::kGrants:
      return [name](const auto& a, const auto& b) {
        return std::pair(b.grants, name(a)) < std::pair(a.grants, name(b));
      };
    case TargetOrder::kRead:
      return [name](const auto& a, const auto& b) {
        return std::pair(b.observed_at, name(a)) < std::pair(a.observed_at, name(b));
      };
  }
  return [name](const auto& a, const auto& b) { return name(a) < name(b); };
}

TargetsBefore TargetsInOrder(const TargetQuery& query) {
  TargetsBefore ascending = AscendingTargets(query.order);
  if (!query.descending) return ascending;
  return [ascending = std::move(ascending)](const TargetLine& a, const TargetLine& b) {
    return ascending(b, a);
  };
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
  line.undeclared = record.undeclared;
  line.observed = record.observed;
  line.exists = record.exists;
  line.observed_at = record.observed_at;
  line.open = standing.open;
  line.held = standing.held;
  line.severity = standing.worst;
  return line;
}

Expected<std::size_t> report::EachTargetLine(const ReportReader& store, const TargetQuery& query,
                                             const std::function<void(TargetLine&&)>& take) {
  KnownTargets targets;
  auto read = store.ReadCatalog([&](TargetRecord&& record) { Take(record, targets); },
                                [&](ResourceRecord&& resource) { Take(resource, targets); });
  if (!read) return Fail(read.error());
  if (auto drift = TakeDrift(store, targets); !drift) return Fail(drift.error());
  std::size_t count = 0;
  while (!targets.empty()) {
    const auto next = targets.extract(targets.begin());  // Its room is for what `take` keeps.
    if (!next.mapped().listed || !TargetPasses(next.key(), next.mapped(), query)) continue;
    ++count;
    take(LineOfKnown(next.key(), next.mapped()));
  }
  return count;
}

Expected<TargetList> TargetsReport(const ReportReader& store, const TargetQuery& query,
                                   const ListPage& page) {
  report::ListSelection<TargetLine> selection(page, TargetsInOrder(query));
  const auto count = report::EachTargetLine(
      store, query, [&](TargetLine&& line) { selection.Take(std::move(line)); });
  if (!count) return Fail(count.error());
  TargetList list;
  list.targets = selection.Page();
  static_cast<ListSlice&>(list) = {*count, page.offset, page.limit};
  return list;
}

}  // namespace bindery
