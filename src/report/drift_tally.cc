#include "report/drift_tally.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bindery::report {
namespace {

bool Stands(const DriftRecord& record) { return record.item.state != DriftState::kCorrected; }

/// 0 while it stands; what is over has a time, whatever is on record of it.
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

}  // namespace

std::string_view ChangeOf(const DriftRecord& record, const DriftScope& scope) {
  using std::chrono::floor;
  using std::chrono::milliseconds;
  if (!scope.previous) return "new";
  const auto previous = floor<milliseconds>(*scope.previous);
  if (floor<milliseconds>(record.first_seen) > previous) return "new";
  if (Stands(record)) return "still";
  return record.resolved_at && floor<milliseconds>(*record.resolved_at) > previous ? "gone" : "";
}

void Tally::Take(const DriftRecord& record) {
  if (record.item.severity < scope_.least) return;
  ++states_[record.item.state];
  if (record.item.state == DriftState::kAccepted) return;
  ++changes_[ChangeOf(record, scope_)];
  const auto number = static_cast<std::uint32_t>(targets_.size());
  Seen& target = targets_.try_emplace(record.target, Seen{number}).first->second;
  if (Stands(record)) {
    ++unresolved_[record.item.severity];
    ++causes_[record.item.cause];
    target.drifted = true;
  }
  entries_.push_back(
      {record.id, ResolvedAt(record), target.number, record.item.severity, record.item.cause});
}

Json Tally::Summary(const DriftContext& context) const {
  constexpr std::array<Severity, 4> kWorstFirst = {Severity::kCritical, Severity::kHigh,
                                                   Severity::kMedium, Severity::kLow};
  Json severities = Json::object();
  for (const Severity severity : kWorstFirst) {
    severities[std::string(ToString(severity))] = CountIn(unresolved_, severity);
  }
  constexpr std::array<DriftCause, 4> kForeignFirst = {DriftCause::kForeign, DriftCause::kUnknown,
                                                       DriftCause::kExpiry, DriftCause::kManifest};
  Json causes = Json::object();
  for (const DriftCause cause : kForeignFirst) {
    causes[std::string(ToString(cause))] = CountIn(causes_, cause);
  }
  const auto kept = [](const DriftContext::Known& known) {
    return known.observed && !known.failing;
  };
  auto in_sync = std::count_if(context.targets.begin(), context.targets.end(),
                               [&](const auto& entry) { return kept(entry.second); });
  std::int64_t drifted = 0;
  for (const auto& [target, seen] : targets_) {
    if (!seen.drifted) continue;
    ++drifted;
    const auto known = context.targets.find(target.Key());
    if (known != context.targets.end() && kept(known->second)) --in_sync;
  }
  return {{"targets", context.targets.size()},
          {"grants", context.grants},
          {"open", CountIn(states_, DriftState::kOpen)},
          {"corrected", CountIn(states_, DriftState::kCorrected)},
          {"held", CountIn(states_, DriftState::kHeld)},
          {"accepted", CountIn(states_, DriftState::kAccepted)},
          {"inSync", in_sync},
          {"drifted", drifted},
          {"failing", context.failing.size()},
          {"expiring", context.ExpiringGrants()},
          {"bySeverity", std::move(severities)},
          {"byCause", std::move(causes)},
          {"sinceLast",
           {{"new", CountIn(changes_, "new")},
            {"gone", CountIn(changes_, "gone")},
            {"still", CountIn(changes_, "still")}}}};
}

DriftDocument::Entries Tally::InOrder() && {
  std::vector<std::uint32_t> places(targets_.size());
  // Readers see the kind and the name of a target: what only the scope tells apart is one.
  std::vector<std::uint32_t> alike(targets_.size());
  std::uint32_t place = 0;
  const Target* before = nullptr;
  for (const auto& [target, seen] : targets_) {
    const bool same =
        before != nullptr && before->name == target.name && before->kind == target.kind;
    alike[place] = same ? alike[place - 1] : place;
    places[seen.number] = place++;
    before = &target;
  }
  for (DriftDocument::Entry& entry : entries_) entry.target = places[entry.target];
  std::sort(entries_.begin(), entries_.end(),
            [](const DriftDocument::Entry& left, const DriftDocument::Entry& right) {
              return std::tuple(right.IsForeign(), right.severity, left.target, left.id) <
                     std::tuple(left.IsForeign(), left.severity, right.target, right.id);
            });
  for (DriftDocument::Entry& entry : entries_) entry.target = alike[entry.target];
  return std::move(entries_);
}

}  // namespace bindery::report
