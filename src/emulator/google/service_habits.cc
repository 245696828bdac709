#include "emulator/google/service_habits.h"

namespace bindery::emulator {
namespace {

/// Google Cloud SDK 528: `gcloud dns managed-zones set-iam-policy` (dns/v2), `gcloud scc sources
/// set-iam-policy` (google/cloud/securitycenter/v2/securitycenter_service.proto).
struct VersionOfGcloud {
  std::string_view row;
  std::string_view version;
  std::string_view location;  ///< A part of names that the row's have not; empty: none.
};

constexpr VersionOfGcloud kVersionsOfGcloud[] = {
    {"dns/v1:ManagedZone", "v2", "locations/global/"},
    {"securitycenter/v1:OrganizationSource", "v2", ""},
};

}  // namespace

ServiceHabits GetHabits(const google::IamRow& row) {
  const bool table = row.id == "bigquery/v2:Table";
  ServiceHabits habits;
  habits.shows_conditions_to_all = table || row.service == "bigtableadmin";
  habits.takes_conditions_of_all = table;
  habits.takes_resource = row.service == "privateca";
  return habits;
}

std::optional<std::string> NameInVersionOfGcloud(const google::IamRow& row,
                                                 std::string_view version, std::string_view name) {
  for (const VersionOfGcloud& spoken : kVersionsOfGcloud) {
    if (spoken.row != row.id || spoken.version != version) continue;
    std::string own(name);
    if (spoken.location.empty()) return own;
    const std::size_t at = own.find(spoken.location);
    if (at == std::string::npos) return std::nullopt;
    return own.erase(at, spoken.location.size());
  }
  return std::nullopt;
}

}  // namespace bindery::emulator
