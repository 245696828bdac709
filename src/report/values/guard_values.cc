#include "report/values/guard_values.h"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <utility>

#include "report/text/text_style.h"

namespace bindery::report {
namespace {

/// What the removals are compared by.
struct GuardKey {
  int rank = 0;
  std::string_view text = {};

  auto operator<=>(const GuardKey&) const = default;
};

GuardKey MakeKey(const GuardRow& removal, GuardSort::By by) {
  const Grant& grant = removal.held->grant;
  const std::vector<std::string>& resources = removal.target->resources;
  switch (by) {
    case GuardSort::By::kPrincipal:
      return {.text = grant.principal};
    case GuardSort::By::kRole:
      return {.text = grant.role};
    case GuardSort::By::kTarget:
      return {.text = removal.target->target};
    case GuardSort::By::kResources:
      return resources.empty() ? GuardKey() : GuardKey{.text = resources.front()};
    case GuardSort::By::kSeverity:
      break;
  }
  const std::optional<Severity> severity = removal.held->severity.value();
  return {.rank = severity ? -static_cast<int>(*severity) : 1};
}

}  // namespace

std::optional<GuardSort> GuardSort::Parse(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, By>, 5> kWords = {
      {{"severity", By::kSeverity},
       {"principal", By::kPrincipal},
       {"role", By::kRole},
       {"target", By::kTarget},
       {"resources", By::kResources}}};
  GuardSort sort;
  sort.descending = text.starts_with('-');
  if (sort.descending) text.remove_prefix(1);
  for (const auto& [word, by] : kWords) {
    if (text != word) continue;
    sort.by = by;
    return sort;
  }
  return std::nullopt;
}

std::vector<GuardRow> ListRemovals(const HoldLine& hold, const GuardSort& sort) {
  std::vector<GuardRow> removals;
  for (const HeldTarget& target : hold.targets) {
    for (const HeldRemoval& held : target.removes) removals.push_back({&target, &held});
  }
  std::ranges::stable_sort(removals, [&](const GuardRow& a, const GuardRow& b) {
    const GuardKey left = MakeKey(a, sort.by);
    const GuardKey right = MakeKey(b, sort.by);
    return sort.descending ? right < left : left < right;
  });
  return removals;
}

void SortRemovals(HoldLine& hold, const GuardSort& sort) {
  std::map<const HeldTarget*, std::size_t> places;
  std::vector<HeldTarget> sorted;
  for (const auto& [target, held] : ListRemovals(hold, sort)) {
    const auto [place, is_new] = places.try_emplace(target, sorted.size());
    if (is_new) {
      sorted.push_back(*target);
      sorted.back().removes.clear();
    }
    sorted[place->second].removes.push_back(*held);
  }
  hold.targets = std::move(sorted);
}

std::string HeldTarget::FirstResources() const {
  constexpr std::size_t kNamed = 3;
  return TakeFirst(resources, kNamed);
}

std::string UnknownWord(const Json& json, GetType<HoldPurpose> /*type*/) {
  HoldPurpose purpose;
  if (!json.is_string() || ReadJson(json, purpose)) return {};
  return NotAmong(json.get_ref<const std::string&>(), {"pass", "rollback:ID"});
}

}  // namespace bindery::report
