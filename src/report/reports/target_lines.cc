#include "report/reports/target_lines.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/access/target_table.h"
#include "core/base/interned.h"
#include "core/text/text_search.h"
#include "report/access/target_places.h"
#include "report/codec/list_selection.h"
#include "report/reports/known_targets.h"
#include "report/reports/target_report.h"

namespace bindery::report {
namespace {

/// The little that a line needs of a target: there may be very many.
struct Known {
  Interned provider;
  std::int64_t grants = 0;
  std::int64_t undeclared = 0;
  WallTime observed_at{};
  TargetStanding standing;
  bool listed = false;  ///< It was read, or something in force stands on it.
  bool observed = false;
  bool exists = false;
};

using KnownTargets = TargetTable<Known>;
using KnownTarget = KnownTargets::Row;

void AddRecord(const store::TargetRecord& record, KnownTargets& targets) {
  if (!CountsAsTarget(record.target)) return;
  Known& known = targets.Obtain(record.target);
  known.provider = record.provider;
  known.grants = record.grants;
  known.undeclared = record.undeclared;
  known.observed_at = record.observed_at;
  known.observed = record.observed;
  known.exists = record.exists;
  known.listed = true;
}

void AddRecord(const store::ResourceRecord& resource, KnownTargets& targets) {
  if (resource.target.name.empty() || !CountsAsTarget(resource.target)) return;
  Known& known = targets.Obtain(resource.target);
  ++known.standing.resources;
  if (!resource.accepted || known.listed) return;
  known.provider = resource.provider;
  known.listed = true;
}

Expected<KnownTargets> ReadKnownTargets(const store::ReportReader& store) {
  KnownTargets targets;
  auto read =
      store.ReadCatalog([&](store::TargetRecord&& record) { AddRecord(record, targets); },
                        [&](store::ResourceRecord&& resource) { AddRecord(resource, targets); });
  if (!read) return Fail(read.error());
  const auto snapshot = store.SnapshotDrift();
  if (!snapshot) return Fail(snapshot.error());
  read = (*snapshot)->EachSince(std::nullopt, [&](const store::DriftEntry& entry) {
    Known* const known = targets.Find(entry.record.target);
    if (known != nullptr) known->standing.Take(entry.record);
  });
  if (!read) return Fail(read.error());
  return targets;
}

TargetLine LineOfKnown(const KnownTarget& row) {
  const Known& known = row.value;
  store::TargetRecord record;
  record.target = row.MakeTarget();
  record.provider = known.provider;
  record.grants = known.grants;
  record.undeclared = known.undeclared;
  record.observed = known.observed;
  record.exists = known.exists;
  record.observed_at = known.observed_at;
  return LineOfTarget(record, known.standing);
}

/// `places` is null where the query asks for no place.
bool TargetPasses(const KnownTarget& row, const TargetQuery& query, const TargetPlaces* places) {
  const Known& known = row.value;
  if (!known.listed) return false;
  if (!query.kind.empty() && row.kind.str() != query.kind) return false;
  if (places != nullptr && !places->IsTargetWithin(row.MakeTarget(), query.within)) return false;
  if (query.differing && known.standing.open + known.standing.held == 0) return false;
  if (query.undeclared && known.undeclared == 0) return false;
  return ContainsInAnyCase(row.name, query.text) || ContainsInAnyCase(row.kind.str(), query.text) ||
         ContainsInAnyCase(known.provider.str(), query.text);
}

/// The differences of a target, the worst as the greatest.
auto RankDrift(const Known& known) {
  const TargetStanding& standing = known.standing;
  return std::pair(standing.worst ? static_cast<int>(*standing.worst) : -1,
                   standing.open + standing.held);
}

using TargetsBefore = std::function<bool(const KnownTarget&, const KnownTarget&)>;

/// The targets with the greatest first; equal targets by name.
template <typename Of>
TargetsBefore GreatestFirst(Of of) {
  return [of](const KnownTarget& a, const KnownTarget& b) {
    const auto left = of(a.value);
    const auto right = of(b.value);
    return left == right ? IsTargetBefore(a, b) : right < left;
  };
}

TargetsBefore AscendingTargets(TargetOrder order) {
  switch (order) {
    case TargetOrder::kTarget:
      return [](const KnownTarget& a, const KnownTarget& b) {
        return std::tie(a.name, a.kind.str(), a.scope.str()) <
               std::tie(b.name, b.kind.str(), b.scope.str());
      };
    case TargetOrder::kKind:
      break;
    case TargetOrder::kProvider:
      return [](const KnownTarget& a, const KnownTarget& b) {
        const std::string& left = a.value.provider.str();
        const std::string& right = b.value.provider.str();
        return left == right ? IsTargetBefore(a, b) : left < right;
      };
    case TargetOrder::kDifferences:
      return GreatestFirst([](const Known& known) { return RankDrift(known); });
    case TargetOrder::kUndeclared:
      return GreatestFirst([](const Known& known) { return known.undeclared; });
    case TargetOrder::kResources:
      return GreatestFirst([](const Known& known) { return known.standing.resources; });
    case TargetOrder::kGrants:
      return GreatestFirst([](const Known& known) { return known.grants; });
    case TargetOrder::kRead:
      return GreatestFirst([](const Known& known) { return known.observed_at; });
  }
  return IsTargetBefore<KnownTarget>;
}

/// The targets of the page, in order, and the number of all that the query lets through.
std::pair<std::vector<const KnownTarget*>, std::size_t> SelectTargets(const KnownTargets& targets,
                                                                      const TargetQuery& query,
                                                                      const TargetPlaces* places,
                                                                      const ListPage& page) {
  const TargetsBefore ascending = AscendingTargets(query.order);
  ListSelection<const KnownTarget*> selection(
      page, [&](const KnownTarget* a, const KnownTarget* b) {
        return query.descending ? ascending(*b, *a) : ascending(*a, *b);
      });
  for (const KnownTarget& row : targets.rows()) {
    if (TargetPasses(row, query, places)) selection.Take(&row);
  }
  return {selection.Page(), selection.total()};
}

}  // namespace

void TargetStanding::Take(const store::DriftRecord& record) {
  const DriftItem& item = record.item;
  if (item.state == DriftState::kAccepted || IsNote(item.drift_class)) return;
  ++(item.state == DriftState::kHeld ? held : open);
  worst = std::max(worst.value_or(item.severity), item.severity);
}

TargetLine LineOfTarget(const store::TargetRecord& record, const TargetStanding& standing) {
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

Expected<std::size_t> EachTargetLine(const store::ReportReader& store, const TargetQuery& query,
                                     const ListPage& page,
                                     const std::function<void(TargetLine&&)>& take) {
  const auto targets = ReadKnownTargets(store);
  if (!targets) return Fail(targets.error());
  std::optional<TargetPlaces> places;
  if (!query.within.empty()) {
    auto read = TargetPlaces::Read(store);
    if (!read) return Fail(read.error());
    places = *std::move(read);
  }
  const auto selected = SelectTargets(*targets, query, places ? &*places : nullptr, page);
  for (const KnownTarget* row : selected.first) take(LineOfKnown(*row));
  return selected.second;
}

Expected<TargetList> TargetsReport(const store::ReportReader& store, const TargetQuery& query,
                                   const ListPage& page) {
  TargetList list;
  const auto count = EachTargetLine(
      store, query, page, [&](TargetLine&& line) { list.targets.push_back(std::move(line)); });
  if (!count) return Fail(count.error());
  static_cast<ListSlice&>(list) = {*count, page.offset, page.limit};
  return list;
}

}  // namespace bindery::report
