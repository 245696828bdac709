#include "providers/google/asset_results.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json_text.h"
#include "providers/google/rows/asset_names.h"
#include "providers/google/rows/iam_kinds.h"

namespace bindery::google {
namespace {

constexpr std::string_view kContainerNames = "//cloudresourcemanager.googleapis.com/";
constexpr std::string_view kBucketType = "storage.googleapis.com/Bucket";
constexpr std::string_view kProjectPart = "/projects/";

/// The first text of a list of texts; empty: there is none.
std::string FirstIn(const Json& result, std::string_view list) {
  const Json* texts = FindMember(result, list);
  const bool some =
      texts != nullptr && texts->is_array() && !texts->empty() && texts->front().is_string();
  return some ? texts->front().get<std::string>() : std::string();
}

/// The place of a resource. Folders and organizations are their own place.
std::string PlaceOfAsset(const Json& result, const std::string& name, std::string_view type) {
  if (type == kFolderAsset || type == kOrganizationAsset) return ContainerOfAsset(name);
  for (std::string place : {StringMember(result, "project"), FirstIn(result, "folders"),
                            StringMember(result, "organization"), FirstIn(result, "ancestors")}) {
    if (!place.empty()) return place;
  }
  return {};
}

/// The project that a full name has: "projects/acme"; empty: none, or any project
/// ("projects/_/buckets/data").
std::string ProjectIn(const std::string& full_name) {
  const std::size_t at = full_name.find(kProjectPart, 2);
  if (at == std::string::npos) return {};
  const std::size_t end = full_name.find('/', at + kProjectPart.size());
  std::string project = full_name.substr(at + 1, end == std::string::npos ? end : end - at - 1);
  if (project == "projects/_" || project == "projects/-") project.clear();
  return project;
}

/// The target of a resource whose type the export does not tell.
std::optional<AssetTarget> TargetOfName(const std::string& resource) {
  const std::optional<TypeToken> token =
      IamKindTable().ForResource(GenericToken(IamShape::kBinding), resource);
  if (!token) return TargetOfAsset(kBucketType, resource);
  const std::unique_ptr<reconcilers::Kind> kind = IamKindTable().Make(*token);
  auto name = kind->CanonicalName(resource, "");
  if (!name) return std::nullopt;
  return AssetTarget{kind->traits().policy, *std::move(name)};
}

/// The result of an export as a search of the index shows it. An empty object: a resource without
/// a policy.
Expected<Json> AsSearched(const Json& result) {
  if (!result.is_object()) {
    return Fail(Code::kInvalidArgument, "expected an object with a resource and its policy");
  }
  Json searched = result;
  // Exports to a bucket have names with underscores.
  for (const char* key : {"iamPolicy", "iam_policy"}) {
    const Json* listed = FindMember(result, key);
    if (listed == nullptr) continue;
    searched["policy"] = *listed;
    searched["resource"] = StringMember(result, "name");
  }
  if (const Json* type = FindMember(result, "asset_type")) searched["assetType"] = *type;
  const Json* policy = FindMember(searched, "policy");
  if (policy == nullptr || !policy->is_object() || StringMember(searched, "resource").empty()) {
    return Fail(Code::kInvalidArgument, "it has no policy, or names no resource");
  }
  const Json* matched = FindPath(searched, {"explanation", "matchedPermissions"});
  if (matched != nullptr && !matched->empty()) {
    return Fail(Code::kInvalidArgument,
                "the search asked for permissions, and shows only the bindings that have these: "
                "search without a query");
  }
  const Json* bindings = FindMember(*policy, "bindings");
  if (bindings == nullptr) return Json::object();
  if (bindings->is_array()) return searched;
  return Fail(Code::kInvalidArgument,
              "its bindings are no list: print the policies without --flatten");
}

/// A project under both of its names, where the result tells both.
std::optional<InventoryContainer> ProjectByBothNames(const InventoryPolicy& policy) {
  InventoryContainer project;
  project.name = ProjectIn(policy.resource);
  if (project.name.empty() || !policy.place.starts_with(kProjectPart.substr(1)))
    return std::nullopt;
  if (project.name == policy.place) return std::nullopt;
  project.number = policy.place;
  return project;
}

}  // namespace

std::string ContainerOfAsset(const std::string& full_name) {
  if (!full_name.starts_with(kContainerNames)) return {};
  return full_name.substr(kContainerNames.size());
}

std::optional<InventoryPolicy> PolicyOfAsset(const Json& result) {
  InventoryPolicy policy;
  policy.resource = StringMember(result, "resource");
  policy.type = StringMember(result, "assetType");
  const Json* bindings = FindPath(result, {"policy", "bindings"});
  if (policy.resource.empty() || bindings == nullptr || !bindings->is_array()) return std::nullopt;
  policy.place = PlaceOfAsset(result, policy.resource, policy.type);
  policy.bindings = CompactJson(*bindings);
  if (auto target = TargetOfAsset(policy.type, policy.resource)) {
    policy.kind = std::move(target->kind);
    policy.target = std::move(target->name);
  }
  return policy;
}

Expected<InventoryPage> PoliciesOfExport(const Json& results) {
  InventoryPage page;
  std::size_t at = 0;
  for (const Json& result : results) {
    ++at;
    const Expected<Json> searched = AsSearched(result);
    if (!searched) return Fail(searched.error().Wrap("result " + std::to_string(at)));
    auto policy = PolicyOfAsset(*searched);
    if (!policy) continue;
    if (policy->type.empty()) {
      if (auto target = TargetOfName(policy->resource)) {
        policy->kind = std::move(target->kind);
        policy->target = std::move(target->name);
      }
    }
    if (policy->place.empty()) policy->place = ProjectIn(policy->resource);
    if (policy->place.empty()) policy->place = ContainerOfAsset(policy->resource);
    if (auto project = ProjectByBothNames(*policy)) page.containers.push_back(*std::move(project));
    page.policies.push_back(*std::move(policy));
  }
  return page;
}

}  // namespace bindery::google
