#include "providers/google/conditions/resource_forms.h"

#include <algorithm>
#include <iterator>

namespace bindery::google::conditions {
namespace {

constexpr PartForm kBigtableParts[] = {
    {"/appProfiles/*", "bigtableadmin.googleapis.com/AppProfile"},
    {"/clusters/*", "bigtableadmin.googleapis.com/Cluster"},
    {"/clusters/*/backups/*", "bigtableadmin.googleapis.com/Backup"},
    {"/tables/*", "bigtableadmin.googleapis.com/Table"}};
constexpr PartForm kReservationParts[] = {
    {"/assignments/*", "bigqueryreservation.googleapis.com/Assignment"}};
constexpr PartForm kKeyRingParts[] = {
    {"/cryptoKeys/*", "cloudkms.googleapis.com/CryptoKey"},
    {"/cryptoKeys/*/cryptoKeyVersions/*", "cloudkms.googleapis.com/CryptoKeyVersion"}};
constexpr PartForm kKeyParts[] = {
    {"/cryptoKeyVersions/*", "cloudkms.googleapis.com/CryptoKeyVersion"}};
constexpr PartForm kConnectionParts[] = {
    {"/connectionSchemaMetadata", "connectors.googleapis.com/ConnectionSchemaMetadata"},
    {"/eventSubscriptions/*", "connectors.googleapis.com/EventSubscription"}};
constexpr PartForm kRepositoryParts[] = {
    {"/compilationResults/*", "dataform.googleapis.com/CompilationResult"},
    {"/releaseConfigs/*", "dataform.googleapis.com/ReleaseConfig"},
    {"/workflowConfigs/*", "dataform.googleapis.com/WorkflowConfig"},
    {"/workflowInvocations/*", "dataform.googleapis.com/WorkflowInvocation"},
    {"/workspaces/*", "dataform.googleapis.com/Workspace"}};
constexpr PartForm kZoneParts[] = {{"/rrsets/**", "dns.googleapis.com/ResourceRecordSet"}};
/// Types of web services, services and versions, and zones and instances of tunnels.
constexpr PartForm kProxyParts[] = {{"/**"}};
constexpr PartForm kSecretParts[] = {{"/versions/*", "secretmanager.googleapis.com/SecretVersion"}};
constexpr PartForm kSpannerParts[] = {
    {"/backups/*", "spanner.googleapis.com/Backup"},
    {"/databases/*", "spanner.googleapis.com/Database"},
    {"/databases/*/databaseRoles/*", "spanner.googleapis.com/DatabaseRole"}};
constexpr PartForm kDatabaseParts[] = {{"/databaseRoles/*", "spanner.googleapis.com/DatabaseRole"}};
constexpr PartForm kBucketParts[] = {{"/managedFolders/**", "storage.googleapis.com/ManagedFolder"},
                                     {"/objects/**", "storage.googleapis.com/Object"}};

constexpr PartForm kBigQueryForms[] = {
    {"/datasets/*", "bigquery.googleapis.com/Dataset"},
    {"/datasets/*/models/*", "bigquery.googleapis.com/Model"},
    {"/datasets/*/routines/*", "bigquery.googleapis.com/Routine"},
    {"/datasets/*/tables/*", "bigquery.googleapis.com/Table"}};

/// By row.
constexpr ResourceForm kForms[] = {
    {"bigquery/v2:Routine", "bigquery.googleapis.com/Routine"},
    {"bigquery/v2:Table", "bigquery.googleapis.com/Table"},
    {"bigqueryreservation/v1:Reservation", "bigqueryreservation.googleapis.com/Reservation",
     kReservationParts},
    {"bigqueryreservation/v1:ReservationAssignment",
     "bigqueryreservation.googleapis.com/Assignment"},
    {"bigtableadmin/v2:Instance", "bigtableadmin.googleapis.com/Instance", kBigtableParts},
    {"bigtableadmin/v2:InstanceClusterBackup", "bigtableadmin.googleapis.com/Backup"},
    {"bigtableadmin/v2:InstanceTable", "bigtableadmin.googleapis.com/Table"},
    {"binaryauthorization/v1:Attestor", "binaryauthorization.googleapis.com/Attestor"},
    {"binaryauthorization/v1:Policy", "binaryauthorization.googleapis.com/Policy"},
    {"cloudkms/v1:KeyRing", "cloudkms.googleapis.com/KeyRing", kKeyRingParts},
    {"cloudkms/v1:KeyRingCryptoKey", "cloudkms.googleapis.com/CryptoKey", kKeyParts},
    {"cloudresourcemanager/v3:Project", "cloudresourcemanager.googleapis.com/Project"},
    {"compute/v1:BackendService", "compute.googleapis.com/BackendService"},
    {"compute/v1:Disk", "compute.googleapis.com/Disk"},
    {"compute/v1:Image", "compute.googleapis.com/Image"},
    {"compute/v1:Instance", "compute.googleapis.com/Instance"},
    {"compute/v1:InstanceTemplate", "compute.googleapis.com/InstanceTemplate"},
    {"compute/v1:RegionBackendService", "compute.googleapis.com/BackendService"},
    {"compute/v1:RegionDisk", "compute.googleapis.com/Disk"},
    {"compute/v1:Snapshot", "compute.googleapis.com/Snapshot"},
    {"connectors/v1:Connection", "connectors.googleapis.com/Connection", kConnectionParts},
    {"dataform/v1:Repository", "dataform.googleapis.com/Repository", kRepositoryParts},
    {"dataform/v1:RepositoryWorkspace", "dataform.googleapis.com/Workspace"},
    {"dns/v1:ManagedZone", "", kZoneParts},
    {"iap/v1:V1", "", kProxyParts},
    {"logging/v2:BucketView", "logging.googleapis.com/LogView"},
    {"networksecurity/v1:AddressGroup", "networksecurity.googleapis.com/AddressGroup"},
    {"secretmanager/v1:Secret", "secretmanager.googleapis.com/Secret", kSecretParts},
    {"spanner/v1:Instance", "spanner.googleapis.com/Instance", kSpannerParts},
    {"spanner/v1:InstanceBackup", "spanner.googleapis.com/Backup"},
    {"spanner/v1:InstanceDatabase", "spanner.googleapis.com/Database", kDatabaseParts},
    {"storage/v1:Bucket", "storage.googleapis.com/Bucket", kBucketParts},
    {"storage/v1:ManagedFolder", "storage.googleapis.com/ManagedFolder"},
    {"storage/v1:Object", "storage.googleapis.com/Object"}};

}  // namespace

const ResourceForm* FindResourceForm(std::string_view row) {
  const auto* const found = std::ranges::lower_bound(kForms, row, {}, &ResourceForm::row);
  return found != std::end(kForms) && found->row == row ? found : nullptr;
}

std::span<const PartForm> ListBigQueryForms() { return kBigQueryForms; }

bool HasPath(const PartForm& part, std::string_view path) {
  std::string_view form = part.path;
  while (!form.empty()) {
    if (form == "**") return !path.empty();
    if (form.front() == '*') {
      const std::size_t end = std::min(path.find('/'), path.size());
      if (end == 0) return false;
      path.remove_prefix(end);
    } else if (path.starts_with(form.front())) {
      path.remove_prefix(1);
    } else {
      return false;
    }
    form.remove_prefix(1);
  }
  return path.empty();
}

std::string_view GetPathBegin(const PartForm& part) {
  return part.path.substr(0, part.path.find('*'));
}

}  // namespace bindery::google::conditions
