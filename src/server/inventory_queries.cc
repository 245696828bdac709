#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "server/inventory_port.h"
#include "server/list_order.h"
#include "server/queries.h"

namespace bindery::server {
namespace {

Expected<InventoryPort*> FindPort(const ApiParts& parts) {
  if (parts.inventory != nullptr) return parts.inventory;
  return Fail(Code::kUnavailable,
              "this daemon does not answer for scans: ask the one that is at work");
}

enum class GroupOrder {
  kName,
  kGrants,
  kDeclared,
  kAccepted,
  kJustInTime,
  kServiceAgents,
  kUndeclared,
  kUnmanaged,
  kTombstones,
};

std::int64_t GetFigure(const report::CoverageGroup& group, GroupOrder order) {
  const report::CoverageClasses& classes = group.classes;
  switch (order) {
    case GroupOrder::kDeclared:
      return classes.declared;
    case GroupOrder::kAccepted:
      return classes.accepted;
    case GroupOrder::kJustInTime:
      return classes.just_in_time;
    case GroupOrder::kServiceAgents:
      return classes.service_agents;
    case GroupOrder::kUndeclared:
      return classes.undeclared;
    case GroupOrder::kUnmanaged:
      return classes.unmanaged;
    case GroupOrder::kTombstones:
      return classes.tombstones;
    case GroupOrder::kName:
    case GroupOrder::kGrants:
      break;
  }
  return group.grants;
}

/// The groups in the asked order; of figures the greatest comes first.
Expected<void> SortGroups(const httpd::Request& request,
                          std::vector<report::CoverageGroup>& groups) {
  if (GetText(request, "sort").empty()) return {};
  constexpr std::pair<std::string_view, GroupOrder> kOrders[] = {
      {"name", GroupOrder::kName},
      {"grants", GroupOrder::kGrants},
      {"declared", GroupOrder::kDeclared},
      {"accepted", GroupOrder::kAccepted},
      {"justInTime", GroupOrder::kJustInTime},
      {"serviceAgents", GroupOrder::kServiceAgents},
      {"undeclared", GroupOrder::kUndeclared},
      {"unmanaged", GroupOrder::kUnmanaged},
      {"tombstones", GroupOrder::kTombstones}};
  GroupOrder order = GroupOrder::kName;
  bool descending = false;
  if (auto read = ReadListOrder(request, kOrders, order, descending); !read) return read;
  const auto key = [order](const report::CoverageGroup& group) {
    const bool by_name = order == GroupOrder::kName;
    return std::pair(by_name ? 0 : -GetFigure(group, order), std::string_view(group.name));
  };
  std::ranges::stable_sort(groups, [&](const auto& a, const auto& b) {
    return descending ? key(b) < key(a) : key(a) < key(b);
  });
  return {};
}

}  // namespace

Expected<report::Coverage> GetCoverage(const QueryContext& asked) {
  const auto port = FindPort(asked.parts);
  if (!port) return Fail(port.error());
  auto coverage =
      (*port)->MakeCoverage({GetText(asked.request, "scope"), GetText(asked.request, "provider"),
                             GetText(asked.request, "by")});
  if (!coverage) return coverage;
  if (auto sorted = SortGroups(asked.request, coverage->groups); !sorted) {
    return Fail(sorted.error());
  }
  return coverage;
}

Expected<report::InventoryList> GetScans(const QueryContext& asked) {
  const auto port = FindPort(asked.parts);
  if (!port) return Fail(port.error());
  return (*port)->Scans();
}

}  // namespace bindery::server
