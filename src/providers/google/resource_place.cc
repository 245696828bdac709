#include "providers/resource_place.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "providers/google/conditions/literals.h"
#include "providers/google/rows/asset_types.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::providers {
namespace {

constexpr std::string_view kContainerService = "cloudresourcemanager";
constexpr std::string_view kProjectRow = "cloudresourcemanager/v3:Project";
constexpr std::string_view kBucket = "b/";
constexpr std::string_view kDatasets = "/datasets/";
constexpr std::string_view kManagedFolders = "/managedFolders/";

/// "projects/acme" of "projects/acme/topics/orders".
std::string FirstTwoSegments(const std::string& name) {
  const auto first = name.find('/');
  return name.substr(0, first == std::string::npos ? first : name.find('/', first + 1));
}

const google::IamRow* LookUpRow(const std::string& policy_name) {
  static const std::map<std::string, const google::IamRow*> kRows = [] {
    std::map<std::string, const google::IamRow*> rows;
    for (const google::IamRow& row : google::IamRows()) {
      if (row.policy_of.empty()) rows.emplace(google::GetPolicyName(row), &row);
    }
    return rows;
  }();
  const auto found = kRows.find(policy_name);
  return found == kRows.end() ? nullptr : found->second;
}

bool HasNameForm(const google::IamRow& row, const std::string& name) {
  return google::CanonicalIamName(row, name, "") == name;
}

/// The resource of the service with exactly this name; nothing: no row has such names.
std::optional<Target> ResourceIn(std::string_view service, const std::string& name) {
  for (const google::IamRow& row : google::IamRows()) {
    if (row.service != service || !row.policy_of.empty()) continue;
    if (HasNameForm(row, name)) return Target{google::GetPolicyName(row), "", name};
  }
  return std::nullopt;
}

/// Managed folders nest. The name of a managed folder may end in a slash.
void AddManagedFolders(const std::string& bucket, std::string_view path,
                       std::vector<Target>& above) {
  while (path.ends_with('/')) path.remove_suffix(1);
  for (auto slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const std::string folder =
        bucket + std::string(kManagedFolders) + std::string(path.substr(0, slash));
    above.push_back({"storage:ManagedFolder", "", folder + "/"});
  }
  above.push_back({"storage:Bucket", "", bucket});
}

/// Objects and managed folders of buckets: every managed folder around the resource, then the
/// bucket.
void AddStorage(const std::string& name, std::vector<Target>& above) {
  const auto end = name.find('/', kBucket.size());
  if (end == std::string::npos) return;
  const std::string bucket = name.substr(0, end);
  const auto path = name.find('/', end + 1);
  if (path != std::string::npos) {
    AddManagedFolders(bucket, std::string_view(name).substr(path + 1), above);
  }
}

/// What stands in the name in front of the resource, longest first.
void AddPrefixes(const google::IamRow& row, const std::string& name, std::vector<Target>& above) {
  for (auto slash = name.rfind('/'); slash != std::string::npos && slash > 0;
       slash = name.rfind('/', slash - 1)) {
    if (auto resource = ResourceIn(row.service, name.substr(0, slash))) {
      above.push_back(*std::move(resource));
    }
  }
}

/// The services whose values of resource.name are the names of requests.
bool NamesInConditions(std::string_view service) {
  constexpr std::array<std::string_view, 7> kServices = {
      "bigquery", "bigtableadmin", "cloudkms", "compute", "iap", "secretmanager", "spanner"};
  return std::ranges::find(kServices, service) != kServices.end();
}

/// "projects/_/buckets/data/objects/a" of "b/data/o/a"; empty for managed folders.
std::string StorageNameInConditions(const std::string& name) {
  constexpr std::string_view kObjects = "/o/";
  const auto end = name.find('/', kBucket.size());
  std::string text = "projects/_/buckets/" + name.substr(kBucket.size(), end - kBucket.size());
  if (end == std::string::npos) return text;
  const std::string rest = name.substr(end);
  if (!rest.starts_with(kObjects)) return {};
  return text + "/objects/" + rest.substr(kObjects.size());
}

/// https://cloud.google.com/iam/docs/conditions-resource-attributes: other services give no
/// attributes of resources, and what their conditions come to is not known.
void AddAttributes(const google::IamRow& row, const std::string& name, ResourcePlace& place) {
  const std::string service(row.host);
  if (!google::conditions::IsKnownService(service)) return;
  place.attributes["resource.service"] = service;
  if (const std::string type(google::GetAssetType(row));
      google::conditions::IsKnownResourceType(type)) {
    place.attributes["resource.type"] = type;
  }
  if (row.service == "storage") {
    place.name = StorageNameInConditions(name);
  } else if (NamesInConditions(row.service) || row.id == kProjectRow) {
    place.name = name;
  }
}

/// The container in the name. An organization of Apigee has the name of its project.
std::string ContainerOfName(const google::IamRow& row, const std::string& name) {
  constexpr std::string_view kOrganizations = "organizations/";
  for (const std::string_view collection : {"projects/", "folders/", "organizations/"}) {
    if (!name.starts_with(collection)) continue;
    std::string container = FirstTwoSegments(name);
    if (row.service != "apigee" || collection != kOrganizations) return container;
    return "projects/" + container.substr(kOrganizations.size());
  }
  return {};
}

}  // namespace

ResourcePlace PlaceOfTarget(const Target& target) {
  ResourcePlace place;
  const google::IamRow* row = LookUpRow(target.kind.str());
  if (row == nullptr) {
    // A name alone tells its container, and nothing of conditions.
    place.inherits = target.kind.empty();
    if (place.inherits) place.container = FirstTwoSegments(target.name);
    return place;
  }
  const std::string& name = target.name;
  place.inherits = true;
  place.container = ContainerOfName(*row, name);
  AddAttributes(*row, name, place);
  if (row->service == kContainerService && row->container) return place;
  if (row->service == "storage") {
    AddStorage(name, place.above);
  } else {
    AddPrefixes(*row, name, place.above);
  }
  if (const auto dataset = name.find(kDatasets);
      row->service == "bigquery" && dataset != std::string::npos) {
    const std::string around = name.substr(0, name.find('/', dataset + kDatasets.size()));
    place.above.push_back(
        {"bigquery.googleapis.com/Dataset", "", "//bigquery.googleapis.com/" + around});
  }
  if (name.starts_with("tagValues/")) {
    place.not_listed.push_back("the policy of the tag key of " + name +
                               ": the name does not tell the tag key");
  }
  return place;
}

std::optional<Target> TargetOfContainer(const std::string& container) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> kKinds = {
      {{"projects/", "cloudresourcemanager:Project"},
       {"folders/", "cloudresourcemanager:Folder"},
       {"organizations/", "cloudresourcemanager:Organization"}}};
  for (const auto& [collection, kind] : kKinds) {
    const bool is_meant = container.starts_with(collection) &&
                          container.size() > collection.size() &&
                          container.find('/', collection.size()) == std::string::npos;
    if (is_meant) return Target{kind, "", container};
  }
  return std::nullopt;
}

std::optional<Target> TargetNamed(const std::string& name) {
  std::set<Target> found;
  for (const google::IamRow& row : google::IamRows()) {
    auto canonical = google::CanonicalIamName(row, name, "");
    const bool is_full = name.starts_with("//") || canonical == name;
    if (!canonical || !is_full) continue;
    found.insert({google::GetPolicyName(google::GetPolicyRow(row)), "",
                  google::PolicyName(row, *std::move(canonical))});
  }
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return *found.begin();
  return Target{"", "", name};
}

}  // namespace bindery::providers
