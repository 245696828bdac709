#include "report/reports/drift_tally.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace bindery::report {
namespace {

bool Stands(const store::DriftRecord& record) {
  return record.item.state != DriftState::kCorrected;
}

/// 0 while open; an ended difference has a time, whatever its record.
std::int64_t ResolvedAt(const store::DriftRecord& record) {
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

/// Those of the targets with entries, in the order of readers: by name.
std::vector<std::uint32_t> PlacesByName(const DriftContext& context) {
  const auto& rows = context.targets.rows();
  std::vector<std::uint32_t> ordered;
  for (std::uint32_t place = 0; place < rows.size(); ++place) {
    if (rows[place].value.differs) ordered.push_back(place);
  }
  std::ranges::sort(ordered, [&](std::uint32_t left, std::uint32_t right) {
    const auto& a = rows[left];
    const auto& b = rows[right];
    return a.name == b.name ? IsTargetBefore(a, b) : a.name < b.name;
  });
  return ordered;
}

}  // namespace

std::optional<DriftChange> FindChange(const store::DriftRecord& record, const DriftScope& scope) {
  using std::chrono::floor;
  using std::chrono::milliseconds;
  if (!scope.previous) return DriftChange::kNew;
  const auto previous = floor<milliseconds>(*scope.previous);
  if (floor<milliseconds>(record.first_seen) > previous) return DriftChange::kNew;
  if (Stands(record)) return DriftChange::kStill;
  const bool gone = record.resolved_at && floor<milliseconds>(*record.resolved_at) > previous;
  return gone ? std::optional(DriftChange::kGone) : std::nullopt;
}

std::uint32_t Tally::Locate(const Target& target) {
  const std::uint32_t place = context_.targets.Locate(target);
  context_.targets.At(place).differs = true;
  return place;
}

void Tally::Take(const store::DriftRecord& record) {
  if (IsNote(record.item.drift_class)) {
    if (Stands(record)) ++notes_;
    return;
  }
  if (record.item.severity < scope_.least) return;
  const bool just_in_time = record.item.drift_class == DriftClass::kJustInTime;
  if (just_in_time && !Stands(record)) return;
  if (just_in_time) {
    ++just_in_time_;
    entries_.push_back(
        {record.id, 0, Locate(record.target), record.item.severity, record.item.cause, true});
    return;
  }
  ++states_[record.item.state];
  if (record.item.state == DriftState::kAccepted) return;
  if (const auto change = FindChange(record, scope_)) ++changes_[*change];
  const std::uint32_t place = Locate(record.target);
  if (Stands(record)) {
    ++unresolved_[record.item.severity];
    ++causes_[record.item.cause];
    context_.targets.At(place).drifted = true;
  }
  entries_.push_back(
      {record.id, ResolvedAt(record), place, record.item.severity, record.item.cause});
}

DriftSummary Tally::Summary() const {
  DriftSummary summary;
  for (const auto& row : context_.targets.rows()) {
    const DriftContext::Known& known = row.value;
    if (known.on_record) ++summary.targets;
    if (known.drifted) ++summary.drifted;
    if (known.observed && !known.failing && !known.drifted) ++summary.in_sync;
  }
  summary.grants = context_.grants;
  summary.undeclared = context_.undeclared;
  summary.open = CountIn(states_, DriftState::kOpen);
  summary.corrected = CountIn(states_, DriftState::kCorrected);
  summary.held = CountIn(states_, DriftState::kHeld);
  summary.accepted = CountIn(states_, DriftState::kAccepted);
  summary.just_in_time = just_in_time_;
  summary.notes = notes_;
  summary.failing = static_cast<std::int64_t>(context_.failing.size());
  summary.expiring = context_.CountExpiring();
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
  const std::vector<std::uint32_t> ordered = PlacesByName(context_);
  std::vector<std::uint32_t> places(context_.targets.size());
  // Readers see the kind and the name of a target: what only the scope tells apart is one.
  std::vector<std::uint32_t> alike(ordered.size());
  const auto& rows = context_.targets.rows();
  for (std::uint32_t place = 0; place < ordered.size(); ++place) {
    const auto& row = rows[ordered[place]];
    const auto* const before = place == 0 ? nullptr : &rows[ordered[place - 1]];
    const bool same = before != nullptr && before->name == row.name && before->kind == row.kind;
    alike[place] = same ? alike[place - 1] : place;
    places[ordered[place]] = place;
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
