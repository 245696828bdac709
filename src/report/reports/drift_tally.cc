#include "report/reports/drift_tally.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace bindery::report {
namespace {

bool Stands(const DriftRecord& record) { return record.item.state != DriftState::kCorrected; }

/// 0 while open; an ended difference has a time, whatever its record.
std::int64_t ResolvedAt(const DriftRecord& record) {
  using std::chrono::milliseconds;
  if (Stands(record)) return 0;
  if (!record.resolved_at) return 1;
  const auto since = std::chrono::floor<milliseconds>(*record.resolved_at).time_since_epoch();
  return std::max<std::int64_t>(1, since.count());
}

template <typename Map, typename Key>
std::int64_t CountIn(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

/// The order of readers: by name.
template <typename Row>
std::vector<const Row*> RowsByName(const std::deque<Row>& rows) {
  std::vector<const Row*> ordered;
  ordered.reserve(rows.size());
  for (const Row& row : rows) ordered.push_back(&row);
  std::ranges::sort(ordered, [](const Row* left, const Row* right) {
    return left->name == right->name ? IsTargetBefore(*left, *right) : left->name < right->name;
  });
  return ordered;
}

}  // namespace

std::optional<DriftChange> FindChange(const DriftRecord& record, const DriftScope& scope) {
  using std::chrono::floor;
  using std::chrono::milliseconds;
  if (!scope.previous) return DriftChange::kNew;
  const auto previous = floor<milliseconds>(*scope.previous);
  if (floor<milliseconds>(record.first_seen) > previous) return DriftChange::kNew;
  if (Stands(record)) return DriftChange::kStill;
  const bool gone = record.resolved_at && floor<milliseconds>(*record.resolved_at) > previous;
  return gone ? std::optional(DriftChange::kGone) : std::nullopt;
}

Tally::Seen& Tally::Number(const Target& target) {
  const auto number = static_cast<std::uint32_t>(targets_.size());
  Seen& seen = targets_.Obtain(target);
  if (targets_.size() > number) seen.number = number;
  return seen;
}

void Tally::Take(const DriftRecord& record) {
  if (IsNote(record.item.drift_class)) {
    if (Stands(record)) ++notes_;
    return;
  }
  if (record.item.severity < scope_.least) return;
  const bool just_in_time = record.item.drift_class == DriftClass::kJustInTime;
  if (just_in_time && !Stands(record)) return;
  if (just_in_time) {
    ++just_in_time_;
    const Seen& target = Number(record.target);
    entries_.push_back(
        {record.id, 0, target.number, record.item.severity, record.item.cause, true});
    return;
  }
  ++states_[record.item.state];
  if (record.item.state == DriftState::kAccepted) return;
  if (const auto change = FindChange(record, scope_)) ++changes_[*change];
  Seen& target = Number(record.target);
  if (Stands(record)) {
    ++unresolved_[record.item.severity];
    ++causes_[record.item.cause];
    target.drifted = true;
  }
  entries_.push_back(
      {record.id, ResolvedAt(record), target.number, record.item.severity, record.item.cause});
}

DriftSummary Tally::Summary(const DriftContext& context) const {
  const auto kept = [](const DriftContext::Known& known) {
    return known.observed && !known.failing;
  };
  auto in_sync = std::ranges::count_if(context.targets.rows(),
                                       [&](const auto& row) { return kept(row.value); });
  std::int64_t drifted = 0;
  for (const Targets::Row& row : targets_.rows()) {
    if (!row.value.drifted) continue;
    ++drifted;
    const DriftContext::Known* known = context.targets.Find(row.MakeTarget());
    if (known != nullptr && kept(*known)) --in_sync;
  }
  DriftSummary summary;
  summary.targets = static_cast<std::int64_t>(context.targets.size());
  summary.grants = context.grants;
  summary.undeclared = context.undeclared;
  summary.open = CountIn(states_, DriftState::kOpen);
  summary.corrected = CountIn(states_, DriftState::kCorrected);
  summary.held = CountIn(states_, DriftState::kHeld);
  summary.accepted = CountIn(states_, DriftState::kAccepted);
  summary.just_in_time = just_in_time_;
  summary.notes = notes_;
  summary.in_sync = in_sync;
  summary.drifted = drifted;
  summary.failing = static_cast<std::int64_t>(context.failing.size());
  summary.expiring = context.CountExpiring();
  for (const auto& [severity, count] : unresolved_) {
    summary.by_severity.Of(severity) = count;
  }
  for (const auto& [cause, count] : causes_) {
    summary.by_cause.Of(cause) = count;
  }
  summary.since_last = {CountIn(changes_, DriftChange::kNew), CountIn(changes_, DriftChange::kGone),
                        CountIn(changes_, DriftChange::kStill)};
  return summary;
}

DriftDocument::Entries Tally::InOrder() && {
  std::vector<std::uint32_t> places(targets_.size());
  // Readers see the kind and the name of a target: what only the scope tells apart is one.
  std::vector<std::uint32_t> alike(targets_.size());
  std::uint32_t place = 0;
  const Targets::Row* before = nullptr;
  for (const Targets::Row* row : RowsByName(targets_.rows())) {
    const bool same = before != nullptr && before->name == row->name && before->kind == row->kind;
    alike[place] = same ? alike[place - 1] : place;
    places[row->value.number] = place++;
    before = row;
  }
  for (DriftDocument::Entry& entry : entries_) entry.target = places[entry.target];
  // The greater comes later.
  const auto place_of = [&](const DriftDocument::Entry& entry) {
    const bool foreign = entry.IsForeign();
    return std::tuple(entry.just_in_time, scope_.foreign_first && !foreign,
                      -static_cast<int>(entry.severity), !foreign, entry.target, entry.id);
  };
  std::sort(entries_.begin(), entries_.end(),
            [&](const DriftDocument::Entry& left, const DriftDocument::Entry& right) {
              return place_of(left) < place_of(right);
            });
  for (DriftDocument::Entry& entry : entries_) entry.target = alike[entry.target];
  return std::move(entries_);
}

}  // namespace bindery::report
