#include "providers/google/role_severities.h"

#include <algorithm>
#include <array>
#include <utility>

#include "manifests/check_text.h"

namespace bindery {
namespace {

constexpr ServiceRoles kServiceRoles[] = {
#include "providers/google/role_severities.inc"
};

constexpr std::string_view kRolePrefix = "roles/";

}  // namespace

std::span<const ServiceRoles> RoleTable() { return kServiceRoles; }

std::optional<Severity> PredefinedRoleSeverity(std::string_view role) {
  if (!role.starts_with(kRolePrefix)) return std::nullopt;
  role.remove_prefix(kRolePrefix.size());
  const auto dot = role.find('.');
  const std::string_view service = dot == std::string_view::npos ? "" : role.substr(0, dot);
  const std::string_view name = dot == std::string_view::npos ? role : role.substr(dot + 1);
  const auto* const row =
      std::lower_bound(std::begin(kServiceRoles), std::end(kServiceRoles), service,
                       [](const ServiceRoles& a, std::string_view b) { return a.service < b; });
  if (row == std::end(kServiceRoles) || row->service != service) return std::nullopt;
  const std::array<std::pair<std::string_view, Severity>, 4> ranks = {
      {{row->low, Severity::kLow},
       {row->medium, Severity::kMedium},
       {row->high, Severity::kHigh},
       {row->critical, Severity::kCritical}}};
  for (const auto& [names, severity] : ranks) {
    if (HasWord(names, name)) return severity;
  }
  return std::nullopt;
}

}  // namespace bindery
