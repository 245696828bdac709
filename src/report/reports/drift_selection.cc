#include "report/reports/drift_selection.h"

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text_arena.h"
#include "core/settings/accepted_drift.h"
#include "core/text/text_search.h"
#include "report/codec/list_selection.h"
#include "report/reports/drift_item_maker.h"

namespace bindery::report {
namespace {

/// The place of a difference in a list. There may be very many: texts are in an arena.
struct Place {
  std::int64_t rank = 0;
  std::string_view text;
  std::string_view target;
  std::int64_t id = 0;

  auto operator<=>(const Place&) const = default;
};

/// Makes places, and keeps the texts of places.
class PlaceMaker {
 public:
  explicit PlaceMaker(DriftOrder order) : order_(order) {}

  Place Make(const store::DriftRecord& record);

 private:
  /// Words that many differences share, once.
  std::string_view KeepWord(std::string_view word) {
    const auto known = words_.find(word);
    return known != words_.end() ? *known : *words_.insert(texts_.Add(word)).first;
  }

  /// Differences of one target mostly follow each other.
  std::string_view KeepTarget(std::string_view name) {
    if (name != target_) target_ = texts_.Add(name);
    return target_;
  }

  const DriftOrder order_;
  std::string_view target_;
  TextArena texts_;
  std::set<std::string_view> words_;
};

std::int64_t EpochMillis(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::int64_t SeverityRank(const DriftItem& item) {
  constexpr std::int64_t kClasses = 4;
  const std::int64_t severity =
      static_cast<std::int64_t>(Severity::kCritical) - static_cast<std::int64_t>(item.severity);
  const std::int64_t among = item.state == DriftState::kCorrected ? 2
                             : item.cause == DriftCause::kForeign ? 0
                                                                  : 1;
  return severity * kClasses + among;
}

/// What the column `Why` shows; empty of a difference that nothing lets stay.
std::string ExplainWhy(const DriftItem& item) {
  if (IsNote(item.drift_class)) return item.observed;
  const bool accepted = item.state == DriftState::kAccepted && item.acceptance;
  return accepted ? AcceptanceInWords(*item.acceptance) : "";
}

Place PlaceMaker::Make(const store::DriftRecord& record) {
  const DriftItem& item = record.item;
  Place place{0, {}, KeepTarget(record.target.name), record.id};
  switch (order_) {
    case DriftOrder::kSeverity:
      place.rank = SeverityRank(item);
      break;
    case DriftOrder::kPrincipal:
      place.text = texts_.Add(item.grant.principal);
      break;
    case DriftOrder::kRole:
      place.text = KeepWord(item.grant.role);
      break;
    case DriftOrder::kTarget:
      break;
    case DriftOrder::kClass:
      place.text = KeepWord(ToString(item.drift_class));
      break;
    case DriftOrder::kState:
      place.rank = static_cast<std::int64_t>(item.state);
      break;
    case DriftOrder::kResource:
      place.text = texts_.Add(item.resource);
      break;
    case DriftOrder::kFirstSeen:
      place.rank = std::numeric_limits<std::int64_t>::max() - EpochMillis(record.first_seen);
      break;
    case DriftOrder::kWhy:
      place.text = texts_.Add(ExplainWhy(item));
      break;
  }
  return place;
}

bool DriftMentions(const std::string& text, const Grant& grant, const std::string& target,
                   const std::string& resource) {
  return ContainsInAnyCase(grant.principal, text) || ContainsInAnyCase(grant.role, text) ||
         ContainsInAnyCase(target, text) || ContainsInAnyCase(resource, text);
}

/// Of a difference on record and of an item of a report alike.
struct Seen {
  DriftClass drift_class;
  DriftState state;
  DriftCause cause;
  WallTime first_seen;
  const std::string& kind;
  const std::string& target;
  const std::string& resource;
  const Grant& grant;
};

bool StandsWithin(const Seen& seen, const DriftQuery& query) {
  if (query.within.empty() || IsWithin(seen.target, query.within)) return true;
  // What has a place has no scope.
  return query.places != nullptr &&
         query.places->IsTargetWithin({seen.kind, "", seen.target}, query.within);
}

bool DriftPasses(const Seen& seen, const DriftQuery& query) {
  if (query.drift_class && seen.drift_class != *query.drift_class) return false;
  if (query.state && seen.state != *query.state) return false;
  if (query.cause && seen.cause != *query.cause) return false;
  if (query.first_seen && seen.first_seen < *query.first_seen) return false;
  if (!query.kind.empty() && seen.kind != query.kind) return false;
  if (!StandsWithin(seen, query)) return false;
  if (!query.principal.empty() && seen.grant.principal != query.principal) return false;
  return query.text.empty() || DriftMentions(query.text, seen.grant, seen.target, seen.resource);
}

bool DriftPasses(const store::DriftRecord& record, const DriftQuery& query) {
  const DriftItem& item = record.item;
  return DriftPasses({item.drift_class, item.state, item.cause, record.first_seen,
                      record.target.kind.str(), record.target.name, item.resource, item.grant},
                     query);
}

/// Among the items of a report: see DriftDocument::entries().
bool IsListed(const store::DriftRecord& record, const DriftScope& scope) {
  const DriftItem& item = record.item;
  if (IsNote(item.drift_class) || item.severity < scope.least) return false;
  const bool just_in_time = item.drift_class == DriftClass::kJustInTime;
  return just_in_time ? item.state != DriftState::kCorrected : item.state != DriftState::kAccepted;
}

ListSelection<Place>::Order PlacesInOrder(const DriftQuery& query) {
  if (query.descending) return [](const Place& a, const Place& b) { return b < a; };
  return [](const Place& a, const Place& b) { return a < b; };
}

/// What is listed beside the differences; in the order of the query if the query names one.
void KeepPassing(std::vector<DriftReportItem>& items, const DriftQuery& query) {
  std::erase_if(items, [&](const DriftReportItem& item) { return !query.LetsThrough(item); });
  if (!query.ordered) return;
  PlaceMaker maker(query.order);
  std::vector<std::pair<Place, std::size_t>> places;
  for (std::size_t i = 0; i < items.size(); ++i) {
    store::DriftRecord record;
    record.id = items[i].id;
    record.target.name = items[i].target;
    record.first_seen = items[i].first_seen.value_or(WallTime{});
    record.item.drift_class = items[i].drift_class;
    record.item.state = items[i].state;
    record.item.cause = items[i].cause;
    record.item.severity = items[i].severity;
    record.item.resource = items[i].resource;
    record.item.acceptance = items[i].acceptance;
    record.item.observed = items[i].observed;
    if (items[i].grant) record.item.grant = items[i].grant->grant;
    places.emplace_back(maker.Make(record), i);
  }
  std::ranges::sort(places,
                    [&](const auto& a, const auto& b) { return query.descending ? b < a : a < b; });
  std::vector<DriftReportItem> sorted;
  for (const auto& [place, i] : places) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

/// The differences at the places, in their order, some at a time.
Expected<void> GiveItems(const DriftSources& sources, store::DriftSnapshot& snapshot,
                         const std::vector<Place>& places, const TakeDifference& take) {
  constexpr std::size_t kAtOnce = 250;
  for (std::size_t first = 0; first < places.size(); first += kAtOnce) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = first; i < std::min(first + kAtOnce, places.size()); ++i) {
      ids.push_back(places[i].id);
    }
    std::vector<store::DriftEntry> entries;
    auto read =
        snapshot.VisitEach(ids, [&](const store::DriftEntry& entry) { entries.push_back(entry); });
    if (!read) return Fail(read.error());
    auto items = ListItems(sources.store, sources.scope, entries);
    if (!items) return Fail(items.error());
    for (DriftReportItem& item : *items) take(std::move(item));
  }
  return {};
}

}  // namespace

bool DriftQuery::LetsThrough(const DriftReportItem& item) const {
  const Grant grant = item.grant ? item.grant->grant : Grant();
  return DriftPasses(
      {item.drift_class, item.state, item.cause, item.first_seen.value_or(WallTime{}), item.kind,
       item.target, item.resource, grant},
      *this);
}

Expected<DriftListing> SelectedDrift(const store::ReportReader& store, const DriftScope& scope,
                                     const DriftQuery& query, const ListPage& page,
                                     KeptReports& kept) {
  std::vector<DriftReportItem> items;
  auto listing = EachSelectedDrift({store, scope, kept}, query, page, [&](DriftReportItem&& item) {
    items.push_back(std::move(item));
  });
  if (listing) listing->items = std::move(items);
  return listing;
}

Expected<DriftListing> EachSelectedDrift(const DriftSources& sources, const DriftQuery& query,
                                         const ListPage& page, const TakeDifference& take) {
  const store::ReportReader& store = sources.store;
  const DriftScope& scope = sources.scope;
  const auto front = GetDriftFront(sources.kept.drift, store, scope);
  if (!front) return Fail(front.error());
  const auto snapshot = store.SnapshotDrift();
  if (!snapshot) return Fail(snapshot.error());
  PlaceMaker maker(query.order);
  ListSelection<Place> selection(page, PlacesInOrder(query));
  auto read = (*snapshot)->EachSince(scope.resolved_since, [&](const store::DriftEntry& entry) {
    if (!IsListed(entry.record, scope) || !DriftPasses(entry.record, query)) return;
    selection.Take(maker.Make(entry.record));
  });
  if (!read) return Fail(read.error());
  if (auto given = GiveItems(sources, **snapshot, selection.Page(), take); !given) {
    return Fail(given.error());
  }
  DriftListing listing = MakeListing(*front, scope, {selection.total(), page.offset, page.limit});
  KeepPassing(listing.accepted, query);
  KeepPassing(listing.notes, query);
  return listing;
}

}  // namespace bindery::report
