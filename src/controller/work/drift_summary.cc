#include "controller/work/drift_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "core/text/shortened.h"

namespace bindery::controller {
namespace {

constexpr std::size_t kMostNamed = 5;

std::string NamedItems(std::vector<const DriftItem*> items, bool first) {
  std::erase_if(items, [first](const DriftItem* item) {
    return item->grant.principal.empty() || (first && item->drift_class == DriftClass::kMissing);
  });
  std::ranges::sort(items, [](const DriftItem* left, const DriftItem* right) {
    return std::tie(right->severity, left->drift_class, left->grant) <
           std::tie(left->severity, right->drift_class, right->grant);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), kMostNamed); ++i) {
    text += fmt::format("{}{} {} for {}", i == 0 ? "; " : ", ", ToString(items[i]->drift_class),
                        Shortened(RoleText(items[i]->grant)), Shortened(items[i]->grant.principal));
  }
  if (items.size() <= kMostNamed) return text;
  return text + fmt::format(" and {} more", items.size() - kMostNamed);
}

}  // namespace

std::optional<Severity> FindWorst(const std::vector<const DriftItem*>& items) {
  std::optional<Severity> worst;
  // An empty optional is less than any value.
  for (const DriftItem* item : items) worst = std::max(worst, std::optional(item->severity));
  return worst;
}

bool AreOwnEdits(const std::vector<const DriftItem*>& items) {
  return std::all_of(items.begin(), items.end(),
                     [](const DriftItem* item) { return item->cause == DriftCause::kManifest; });
}

std::string DriftSummary(const std::vector<const DriftItem*>& items, bool first) {
  std::map<std::string_view, int> classes;
  for (const DriftItem* item : items) ++classes[ToString(item->drift_class)];
  std::string text = fmt::format("{} difference{}:", items.size(), items.size() == 1 ? "" : "s");
  const char* separator = " ";
  for (const auto& [name, count] : classes) {
    text += fmt::format("{}{} {}", separator, count, name);
    separator = ", ";
  }
  std::set<std::string_view> causes;
  for (const DriftItem* item : items) causes.insert(ToString(item->cause));
  text +=
      fmt::format(" (worst: {}, cause: {})", ToString(FindWorst(items).value_or(Severity::kLow)),
                  fmt::join(causes, " and "));
  return text + NamedItems(items, first);
}

}  // namespace bindery::controller
