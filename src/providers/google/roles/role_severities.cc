#include "providers/google/roles/role_severities.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/text/nearest.h"
#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

constexpr ServiceRoles kServiceRoles[] = {
#include "providers/google/roles/role_severities.inc"
};

constexpr std::string_view kRolePrefix = "roles/";

/// A role's name: "storage" and "admin" of roles/storage.admin, "" and "viewer" of roles/viewer.
struct RoleName {
  std::string_view service;
  std::string_view name;
};

std::optional<RoleName> PredefinedName(std::string_view role) {
  if (!role.starts_with(kRolePrefix)) return std::nullopt;
  role.remove_prefix(kRolePrefix.size());
  const auto dot = role.find('.');
  if (dot == std::string_view::npos) return RoleName{"", role};
  return RoleName{role.substr(0, dot), role.substr(dot + 1)};
}

const ServiceRoles* GetRoles(std::string_view service) {
  const auto* const row =
      std::lower_bound(std::begin(kServiceRoles), std::end(kServiceRoles), service,
                       [](const ServiceRoles& a, std::string_view b) { return a.service < b; });
  return row == std::end(kServiceRoles) || row->service != service ? nullptr : row;
}

std::vector<std::string> ListNames(const ServiceRoles& row) {
  std::vector<std::string> names;
  for (const std::string_view rank : {row.low, row.medium, row.high, row.critical}) {
    if (rank.empty()) continue;
    for (const std::string_view name : manifests::Split(rank, ' ')) names.emplace_back(name);
  }
  return names;
}

std::optional<std::string> NearestService(std::string_view service) {
  static const std::vector<std::string> kServices = [] {
    std::vector<std::string> services;
    for (const ServiceRoles& row : kServiceRoles) services.emplace_back(row.service);
    return services;
  }();
  return NearestSpelling(service, kServices);
}

}  // namespace

std::span<const ServiceRoles> RoleTable() { return kServiceRoles; }

std::optional<Severity> PredefinedRoleSeverity(std::string_view role) {
  const std::optional<RoleName> parts = PredefinedName(role);
  const ServiceRoles* const row = parts ? GetRoles(parts->service) : nullptr;
  if (row == nullptr) return std::nullopt;
  const std::array<std::pair<std::string_view, Severity>, 4> ranks = {
      {{row->low, Severity::kLow},
       {row->medium, Severity::kMedium},
       {row->high, Severity::kHigh},
       {row->critical, Severity::kCritical}}};
  for (const auto& [names, severity] : ranks) {
    if (manifests::HasWord(names, parts->name)) return severity;
  }
  return std::nullopt;
}

std::optional<std::string> NearestPredefinedRole(std::string_view role) {
  const std::optional<RoleName> parts = PredefinedName(role);
  if (!parts || PredefinedRoleSeverity(role)) return std::nullopt;
  std::string service(parts->service);
  if (GetRoles(service) == nullptr) service = NearestService(service).value_or("");
  const ServiceRoles* const row = GetRoles(service);
  if (row == nullptr || service.empty() != parts->service.empty()) return std::nullopt;
  const std::optional<std::string> name = NearestSpelling(parts->name, ListNames(*row));
  if (!name) return std::nullopt;
  return std::string(kRolePrefix) + service + (service.empty() ? "" : ".") + *name;
}

}  // namespace bindery::google
