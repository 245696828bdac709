#include "providers/resource_place.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "providers/google/conditions/literals.h"
#include "providers/google/conditions/resource_forms.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::providers {
namespace {

constexpr std::string_view kContainerService = "cloudresourcemanager";
constexpr std::string_view kProjectRow = "cloudresourcemanager/v3:Project";
constexpr std::string_view kManagedFolderRow = "storage/v1:ManagedFolder";
constexpr std::string_view kBucket = "b/";
constexpr std::string_view kDatasets = "/datasets/";
constexpr std::string_view kSlashes = "//";
constexpr const char* kBigQuery = "bigquery.googleapis.com";
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
  place.permissions = row.permission;
  const std::string service(row.host);
  if (!google::conditions::IsKnownService(service)) return;
  place.attributes["resource.service"] = service;
  const auto* form = google::conditions::FindResourceForm(row.id);
  place.type_begin = service + "/";
  if (form != nullptr && !form->type.empty()) place.attributes["resource.type"] = form->type;
  if (row.service == "storage") {
    place.name = StorageNameInConditions(name);
  } else if (NamesInConditions(row.service) || row.id == kProjectRow) {
    place.name = name;
  }
}

/// Completes a part that has the path behind the name. An empty name is unknown.
TargetPart MakePart(TargetPart part, const std::string& name, std::string_view path) {
  if (name.empty()) return part;
  part.begin = name + std::string(google::conditions::GetPathBegin({path}));
  part.form = name + std::string(path);
  return part;
}

/// Objects and managed folders in the managed folder.
void AddPartsOfFolder(const google::IamRow& row, const std::string& name, ResourcePlace& place) {
  const auto end = name.find(kManagedFolders);
  if (end == std::string::npos) return;
  std::string folder = name.substr(end + kManagedFolders.size());
  while (folder.ends_with('/')) folder.pop_back();
  const std::string bucket = StorageNameInConditions(name.substr(0, end));
  const std::string host(row.host);
  const std::string objects = bucket + "/objects/" + folder + "/";
  const std::string folders = bucket + std::string(kManagedFolders) + folder + "/";
  place.parts = {{host, "storage.googleapis.com/Object", objects, objects + "**"},
                 {host, "storage.googleapis.com/ManagedFolder", folders, folders + "**"}};
}

/// What can be inside. Requires: AddAttributes was called.
void AddParts(const google::IamRow& row, const std::string& name, ResourcePlace& place) {
  if (row.id == kProjectRow) {
    // Names in projects begin with the project, buckets with "projects/_", and those of Apigee with
    // its organization.
    for (const std::string& begin :
         {name + "/", std::string("projects/_/"), std::string("organizations/")})
      place.parts.push_back({"", "", begin, begin + "**"});
    return;
  }
  if (row.container) place.parts.emplace_back();
  if (row.id == kManagedFolderRow) AddPartsOfFolder(row, name, place);
  const auto* form = google::conditions::FindResourceForm(row.id);
  if (form == nullptr) return;
  for (const google::conditions::PartForm& part : form->parts) {
    place.parts.push_back(
        MakePart({std::string(row.host), std::string(part.type)}, place.name, part.path));
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

/// A dataset has no row: its policy is known by scans.
void AddDataset(const std::string& name, std::vector<Target>& above) {
  const auto dataset = name.find(kDatasets);
  if (dataset == std::string::npos) return;
  const auto end = name.find('/', dataset + kDatasets.size());
  if (end == std::string::npos) return;
  above.push_back({"bigquery.googleapis.com/Dataset", "",
                   std::string(kSlashes) + kBigQuery + "/" + name.substr(0, end)});
}

/// A full name in its two parts.
struct FullName {
  std::string host;  ///< Empty: not given.
  std::string path;
};

FullName SplitName(const std::string& name) {
  if (!name.starts_with(kSlashes)) return {"", name};
  const auto end = std::min(name.find('/', kSlashes.size()), name.size());
  return {name.substr(kSlashes.size(), end - kSlashes.size()),
          end == name.size() ? "" : name.substr(end + 1)};
}

/// The nearest resource of a row in a name that no row has.
struct NearestRow {
  const google::IamRow* row = nullptr;  ///< Null: none.
  std::string name;
  bool is_ambiguous = false;  ///< Several services have such names.
};

NearestRow FindNearestRow(const FullName& full, std::size_t container) {
  NearestRow nearest;
  for (auto slash = full.path.rfind('/'); slash != std::string::npos && slash > container;
       slash = full.path.rfind('/', slash - 1)) {
    nearest.name = full.path.substr(0, slash);
    for (const google::IamRow& row : google::IamRows()) {
      const bool is_other =
          !row.policy_of.empty() || row.container || (!full.host.empty() && row.host != full.host);
      if (is_other || !HasNameForm(row, nearest.name)) continue;
      nearest.is_ambiguous = nearest.row != nullptr && nearest.row->service != row.service;
      if (nearest.is_ambiguous) return nearest;
      if (nearest.row == nullptr) nearest.row = &row;
    }
    if (nearest.row != nullptr) return nearest;
  }
  return nearest;
}

/// Resources that conditions know, in a resource.
struct KnownForms {
  std::string service;  ///< resource.service
  std::string around;   ///< The name of the resource around.
  std::span<const google::conditions::PartForm> forms;
  bool has_names = false;  ///< The values of resource.name are known.
};

/// The attributes of "…/secrets/key/versions/1", if it has one of the forms.
void AddAttributesOfForm(const KnownForms& known, const std::string& name, ResourcePlace& place) {
  const std::string_view path = std::string_view(name).substr(known.around.size());
  const auto form = std::ranges::find_if(
      known.forms, [&](const auto& each) { return HasPath(each, path) && !each.type.empty(); });
  if (form == known.forms.end()) return;
  place.attributes["resource.service"] = known.service;
  place.attributes["resource.type"] = form->type;
  place.parts.clear();
  if (known.has_names) place.name = name;
  for (const google::conditions::PartForm& inner : known.forms) {
    const bool is_inside = inner.path.size() > form->path.size() &&
                           inner.path.starts_with(form->path) &&
                           inner.path[form->path.size()] == '/';
    if (!is_inside) continue;
    place.parts.push_back(MakePart({known.service, std::string(inner.type)}, place.name,
                                   inner.path.substr(form->path.size())));
  }
}

/// Likewise of a part of a row's resource.
void AddAttributesOfPart(const NearestRow& nearest, const std::string& name, ResourcePlace& place) {
  const auto* form = google::conditions::FindResourceForm(nearest.row->id);
  const std::string service(nearest.row->host);
  if (form == nullptr || !google::conditions::IsKnownService(service)) return;
  AddAttributesOfForm({service, nearest.name, form->parts, NamesInConditions(nearest.row->service)},
                      name, place);
}

/// What the host of a full name tells: the service, also of all that is inside. Locations have a
/// type that does not name the service.
void AddAttributesOfHost(const FullName& full, ResourcePlace& place) {
  constexpr std::string_view kLocations = "/locations/";
  const std::string service = google::conditions::GetServiceOfHost(full.host);
  if (!google::conditions::IsKnownService(service)) return;
  place.attributes["resource.service"] = service;
  place.parts.push_back({service});
  const std::string container = FirstTwoSegments(full.path);
  const std::string_view rest = std::string_view(full.path).substr(container.size());
  const bool is_location =
      rest.starts_with(kLocations) && rest.find('/', kLocations.size()) == std::string_view::npos;
  if (!is_location) place.type_begin = service + "/";
}

/// Of a name that no row has, or several: the name tells the container, and perhaps the resource
/// around.
ResourcePlace PlaceOfName(const std::string& name) {
  const FullName full = SplitName(name);
  ResourcePlace place;
  place.inherits = true;
  place.container = FirstTwoSegments(full.path);
  AddAttributesOfHost(full, place);
  const NearestRow nearest = FindNearestRow(full, place.container.size());
  if (nearest.is_ambiguous) {
    place.not_listed.push_back("policies of resources around " + name +
                               ": several services have such names, write //HOST/" + full.path);
  } else if (nearest.row != nullptr) {
    place.above.push_back({google::GetPolicyName(*nearest.row), "", nearest.name});
    AddPrefixes(*nearest.row, nearest.name, place.above);
    AddAttributesOfPart(nearest, full.path, place);
    place.container = ContainerOfName(*nearest.row, nearest.name);
  }
  const bool may_be_in_dataset = full.host.empty() || full.host == kBigQuery;
  const std::string rest = full.path.substr(std::min(full.path.size(), place.container.size()));
  if (may_be_in_dataset && rest.starts_with(kDatasets)) {
    AddDataset(full.path, place.above);
    AddAttributesOfForm({kBigQuery, place.container, google::conditions::ListBigQueryForms(), true},
                        full.path, place);
  }
  return place;
}

/// Of a resource of a scan that has no kind: the host tells the service.
ResourcePlace PlaceOfScanned(const std::string& name) {
  const FullName full = SplitName(name);
  ResourcePlace place;
  if (full.host.empty()) return place;
  AddAttributesOfHost(full, place);
  if (full.host != kBigQuery) return place;
  AddAttributesOfForm(
      {kBigQuery, FirstTwoSegments(full.path), google::conditions::ListBigQueryForms(), true},
      full.path, place);
  return place;
}

/// Without a host, a name is only known by a resource around it, or as that of a data set: others
/// may be misspelt.
bool IsKnownByPath(const FullName& full, const std::string& container) {
  const NearestRow nearest = FindNearestRow(full, container.size());
  return nearest.row != nullptr ||
         full.path.substr(std::min(full.path.size(), container.size())).starts_with(kDatasets);
}

/// A name of a resource in an organization, a folder or a project of Google.
bool IsBelowContainer(const FullName& full) {
  const std::string container = FirstTwoSegments(full.path);
  if (full.host.empty() && !IsKnownByPath(full, container)) return false;
  const bool is_google = full.host.empty() || full.host.ends_with(".googleapis.com");
  const bool is_name = !full.path.ends_with('/') && full.path.find("//") == std::string::npos &&
                       full.path.find_first_of(" *") == std::string::npos;
  return is_google && is_name && full.path.size() > container.size() && container != "projects/_" &&
         TargetOfContainer(container).has_value();
}

}  // namespace

ResourcePlace PlaceOfTarget(const Target& target) {
  const google::IamRow* row = LookUpRow(target.kind.str());
  if (row == nullptr) {
    return target.kind.empty() ? PlaceOfName(target.name) : PlaceOfScanned(target.name);
  }
  ResourcePlace place;
  const std::string& name = target.name;
  place.inherits = true;
  place.container = ContainerOfName(*row, name);
  AddAttributes(*row, name, place);
  AddParts(*row, name, place);
  if (row->service == kContainerService && row->container) return place;
  if (row->service == "storage") {
    AddStorage(name, place.above);
  } else {
    AddPrefixes(*row, name, place.above);
  }
  if (row->service == "bigquery") AddDataset(name, place.above);
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
  if (found.size() == 1) return *found.begin();
  if (found.empty() && !IsBelowContainer(SplitName(name))) return std::nullopt;
  return Target{"", "", name};
}

}  // namespace bindery::providers
