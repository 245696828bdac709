#include "report/values/drift_budget.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace bindery::report {
namespace {

using Entry = DriftDocument::Entry;

/// Gives how many were over.
template <typename T>
std::int64_t CutList(std::vector<T>& list, std::size_t most) {
  if (list.size() <= most) return 0;
  const std::size_t over = list.size() - most;
  list.resize(most);
  return static_cast<std::int64_t>(over);
}

bool IsOver(const Entry& entry) { return entry.resolved_at != 0; }

/// Whether `left` is listed before `right`: first all standing differences, next the latest ended.
bool GoesFirst(const Entry& left, const Entry& right) {
  if (IsOver(left) != IsOver(right)) return !IsOver(left);
  return std::tuple(right.resolved_at, left.target, left.id) <
         std::tuple(left.resolved_at, right.target, right.id);
}

/// The counted differences of one target.
struct PerTarget {
  Entry first;
  UnlistedTarget target;

  [[nodiscard]] std::int64_t All() const { return target.standing + target.corrected; }
};

std::vector<PerTarget> CountByTarget(const DriftDocument::Entries& rest) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::vector<PerTarget> counted;
  for (const Entry& entry : rest) {
    const auto [place, added] = places.try_emplace(entry.target, counted.size());
    if (added) counted.push_back({entry, {}});
    UnlistedTarget& target = counted[place->second].target;
    ++(IsOver(entry) ? target.corrected : target.standing);
    target.severity = std::max(target.severity, entry.severity);
    if (!IsOver(entry)) continue;
    const WallTime resolved{std::chrono::milliseconds(entry.resolved_at)};
    target.resolved_at = std::max(target.resolved_at.value_or(resolved), resolved);
  }
  std::ranges::sort(counted, [](const PerTarget& left, const PerTarget& right) {
    return std::tuple(right.All(), left.first.target) < std::tuple(left.All(), right.first.target);
  });
  return counted;
}

}  // namespace

Expected<BudgetedDrift> BudgetedDrift::Of(DriftDocument& whole, const DriftBudget& budget) {
  BudgetedDrift cut(whole);
  cut.CutHead(budget.others);
  const Entries rest = cut.CutEntries(budget.items);
  if (auto counted = cut.Count(rest, budget.targets); !counted) return Fail(counted.error());
  return cut;
}

void BudgetedDrift::CutHead(std::size_t most) {
  unlisted_.accepted = CutList(head_.accepted, most);
  unlisted_.notes = CutList(head_.notes, most);
  unlisted_.failing = CutList(head_.failing, most);
  unlisted_.expiring = CutList(head_.expiring, most);
}

BudgetedDrift::Entries BudgetedDrift::CutEntries(std::size_t most) {
  const Entries& all = whole_.entries();
  if (all.size() <= most) {
    entries_ = all;
    return {};
  }
  Entries sorted = all;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(sorted.begin(), end, sorted.end(), GoesFirst);
  // The listed items keep the order of the whole report.
  const Entry border = *end;
  std::ranges::copy_if(all, std::back_inserter(entries_),
                       [&](const Entry& entry) { return GoesFirst(entry, border); });
  return {end, sorted.end()};
}

Expected<void> BudgetedDrift::Count(const Entries& rest, std::size_t most) {
  for (const Entry& entry : rest) ++(IsOver(entry) ? unlisted_.corrected : unlisted_.standing);
  std::vector<PerTarget> counted = CountByTarget(rest);
  unlisted_.more_targets = CutList(counted, most);
  Entries named;
  std::unordered_map<std::int64_t, UnlistedTarget*> of;
  for (PerTarget& each : counted) {
    named.push_back(each.first);
    of.emplace(each.first.id, &each.target);
  }
  return whole_.Each(named, [&](const DriftReportItem& item) {
    const auto found = of.find(item.id);
    if (found == of.end()) return;
    UnlistedTarget& target = unlisted_.targets.emplace_back(*found->second);
    target.kind = item.kind;
    target.target = item.target;
  });
}

}  // namespace bindery::report
