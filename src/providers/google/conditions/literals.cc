#include "providers/google/conditions/literals.h"

#include <algorithm>
#include <vector>

#include "core/text/nearest.h"

namespace bindery::google::conditions {
namespace {

using Words = std::vector<std::string>;

/// The services that give resource attributes, as documented in 2026:
/// https://cloud.google.com/iam/docs/conditions-resource-attributes
const Words& Services() {
  static const Words kServices = {"agentregistry.googleapis.com",
                                  "apigee.googleapis.com",
                                  "apihub.googleapis.com",
                                  "backupdr.googleapis.com",
                                  "bigquery.googleapis.com",
                                  "bigqueryreservation.googleapis.com",
                                  "bigtableadmin.googleapis.com",
                                  "binaryauthorization.googleapis.com",
                                  "ces.googleapis.com",
                                  "clouddeploy.googleapis.com",
                                  "cloudkms.googleapis.com",
                                  "cloudresourcemanager.googleapis.com",
                                  "compute.googleapis.com",
                                  "connectors.googleapis.com",
                                  "container.googleapis.com",
                                  "dataform.googleapis.com",
                                  "dns.googleapis.com",
                                  "firestore.googleapis.com",
                                  "iap.googleapis.com",
                                  "integrations.googleapis.com",
                                  "logging.googleapis.com",
                                  "managedkafka.googleapis.com",
                                  "networksecurity.googleapis.com",
                                  "networkservices.googleapis.com",
                                  "parametermanager.googleapis.com",
                                  "privateca.googleapis.com",
                                  "pubsublite.googleapis.com",
                                  "run.googleapis.com",
                                  "secretmanager.googleapis.com",
                                  "spanner.googleapis.com",
                                  "sqladmin.googleapis.com",
                                  "storage.googleapis.com",
                                  "workstations.googleapis.com"};
  return kServices;
}

/// Types of the services most conditions are about. Roles of databases are in the pages of Spanner
/// alone: https://cloud.google.com/spanner/docs/configure-fgac
const Words& Types() {
  static const Words kTypes = {"bigquery.googleapis.com/Dataset",
                               "bigquery.googleapis.com/Model",
                               "bigquery.googleapis.com/Routine",
                               "bigquery.googleapis.com/Table",
                               "cloud.googleapis.com/Location",
                               "cloudkms.googleapis.com/CryptoKey",
                               "cloudkms.googleapis.com/CryptoKeyVersion",
                               "cloudkms.googleapis.com/KeyRing",
                               "cloudresourcemanager.googleapis.com/Project",
                               "secretmanager.googleapis.com/Secret",
                               "secretmanager.googleapis.com/SecretVersion",
                               "spanner.googleapis.com/Backup",
                               "spanner.googleapis.com/Database",
                               "spanner.googleapis.com/DatabaseRole",
                               "spanner.googleapis.com/Instance",
                               "sqladmin.googleapis.com/BackupRun",
                               "sqladmin.googleapis.com/Instance",
                               "storage.googleapis.com/Bucket",
                               "storage.googleapis.com/ManagedFolder",
                               "storage.googleapis.com/Object"};
  return kTypes;
}

}  // namespace

bool IsKnownService(std::string_view service) {
  const Words& known = Services();
  return std::find(known.begin(), known.end(), service) != known.end();
}

std::string GetServiceOfHost(const std::string& host) {
  if (host == "bigtable.googleapis.com") return "bigtableadmin.googleapis.com";
  return host == "cloudsql.googleapis.com" ? "sqladmin.googleapis.com" : host;
}

bool IsKnownResourceType(std::string_view type) {
  const std::size_t slash = type.find('/');
  if (slash == std::string_view::npos || slash + 1 == type.size()) return false;
  const std::string prefix(type.substr(0, slash + 1));
  bool listed = false;
  for (const std::string& known : Types()) {
    if (known == type) return true;
    listed = listed || known.rfind(prefix, 0) == 0;
  }
  // Of all services the types are nouns with a capital, not the words of names.
  const char first = type[slash + 1];
  const bool noun = first >= 'A' && first <= 'Z' && type.rfind('/') == slash;
  return !listed && noun && IsKnownService(type.substr(0, slash));
}

std::string NearestService(const std::string& service) {
  return NearestSuggestion(service, Services());
}
std::string NearestResourceType(const std::string& type) {
  return NearestSuggestion(type, Types());
}

}  // namespace bindery::google::conditions
