#include "emulator/google/api/asset_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/google/api/page.h"
#include "emulator/google/api/request_query.h"
#include "emulator/google/containers.h"
#include "emulator/google/privileged_access.h"
#include "emulator/google/resource_name.h"
#include "manifests/schema/check_text.h"
#include "providers/google/rows/asset_types.h"

namespace bindery::emulator {
namespace {

constexpr const char* kAsset = "cloudasset";
constexpr std::string_view kAssetV1 = "v1/";
constexpr std::string_view kSearchPolicies = ":searchAllIamPolicies";
constexpr std::string_view kSearchResources = ":searchAllResources";
constexpr const char* kPolicyCall = "cloudasset.searchAllIamPolicies";
constexpr std::string_view kGrantType = "privilegedaccessmanager.googleapis.com/Grant";
constexpr std::string_view kManagerHost = "//cloudresourcemanager.googleapis.com/";
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kContainerTypes = {
    {{"projects/", "cloudresourcemanager.googleapis.com/Project"},
     {"folders/", "cloudresourcemanager.googleapis.com/Folder"},
     {"organizations/", "cloudresourcemanager.googleapis.com/Organization"}}};
/// Types that the search knows, and of which this cloud has nothing.
constexpr std::array<std::string_view, 4> kAbsentTypes = {
    "iam.googleapis.com/PolicyV2", "iam.googleapis.com/PrincipalAccessBoundaryPolicy",
    "iam.googleapis.com/PolicyBinding", "bigquery.googleapis.com/Dataset"};
constexpr PageSizes kSearchPages{100, 500};

std::string_view TypeOfContainer(std::string_view name) {
  for (const auto& [collection, type] : kContainerTypes) {
    if (name.starts_with(collection)) return type;
  }
  return {};
}

/// The requested types.
class WantedTypes {
 public:
  /// A pattern that is no regular expression, or fits no type of the search, is refused.
  static GoogleResult<WantedTypes> Read(const httpd::Request& request) {
    WantedTypes wanted;
    for (const auto& [name, pattern] : request.query) {
      if (name != "assetTypes" || pattern.empty()) continue;
      if (!wanted.Add(pattern)) {
        return tl::unexpected(InvalidArgument("assetTypes: \"" + pattern +
                                              "\" is no asset type that can be searched."));
      }
    }
    return wanted;
  }

  [[nodiscard]] bool Has(std::string_view type) const {
    return !type.empty() && (types_.empty() || types_.contains(type));
  }

 private:
  bool Add(const std::string& pattern) {
    std::optional<std::regex> form;
    try {
      form.emplace(pattern);
    } catch (const std::regex_error&) {
      return false;
    }
    const std::size_t before = types_.size();
    const auto take = [&](std::string_view type) {
      if (std::regex_match(type.begin(), type.end(), *form)) types_.insert(type);
    };
    for (const google::AssetType& type : google::AssetTypes()) take(type.name);
    for (const auto& [collection, type] : kContainerTypes) take(type);
    for (const std::string_view type : kAbsentTypes) take(type);
    take(kGrantType);
    return types_.size() > before || types_.contains(pattern);
  }

  std::set<std::string_view> types_;  ///< Empty: all.
};

/// "resource", "assetType DESC, resource"
struct Order {
  struct Key {
    std::string field;
    bool descending = false;
  };
  std::vector<Key> keys;

  static std::optional<Order> Read(const httpd::Request& request,
                                   const std::vector<std::string_view>& known) {
    Order order;
    const std::string* text = request.FindQuery("orderBy");
    if (text == nullptr || text->empty()) return order;
    for (const std::string_view part : manifests::Split(*text, ',')) {
      const auto begin = part.find_first_not_of(' ');
      if (begin == std::string_view::npos) return std::nullopt;
      const std::string_view words = part.substr(begin, part.find_last_not_of(' ') + 1 - begin);
      const auto space = words.find(' ');
      const std::string_view direction =
          space == std::string_view::npos ? "ASC" : words.substr(words.find_last_of(' ') + 1);
      Key key{std::string(words.substr(0, space)), direction == "DESC" || direction == "desc"};
      if (std::find(known.begin(), known.end(), key.field) == known.end()) return std::nullopt;
      if (!key.descending && direction != "ASC" && direction != "asc") return std::nullopt;
      order.keys.push_back(std::move(key));
    }
    return order;
  }

  void Sort(std::vector<Json>& results) const {
    std::stable_sort(results.begin(), results.end(), [&](const Json& a, const Json& b) {
      for (const Key& key : keys) {
        const std::string left = StringMember(a, key.field);
        const std::string right = StringMember(b, key.field);
        if (left != right) return key.descending ? right < left : left < right;
      }
      return false;
    });
  }
};

/// The full resource name that the search has for a resource.
std::string MakeAssetName(const ResourceName& resource) {
  constexpr std::string_view kBuckets = "b/";
  std::string_view name = resource.name;
  if (resource.row->service == "storage" && name.starts_with(kBuckets)) {
    name.remove_prefix(kBuckets.size());
  }
  return "//" + std::string(resource.row->host) + "/" + std::string(name);
}

/// Project, folders and organization, as a result has them.
void PutPlace(const IamResources& iam, const std::string& container, Json& result) {
  std::vector<std::string> line = iam.containers().ListAncestors(container);
  line.insert(line.begin(), container);
  for (const std::string& name : line) {
    if (name.starts_with("projects/")) {
      const auto project = iam.projects().Describe(name);
      result["project"] = project ? StringMember(*project, "name") : name;
    } else if (name.starts_with("folders/")) {
      result["folders"].push_back(name);
    } else {
      result["organization"] = name;
    }
  }
}

/// A resource of the cloud that the search knows.
struct Found {
  std::string key;
  ResourceName resource;
  std::string_view type;
  std::string container;
};

/// The resources with a policy in the scope, sorted by name.
std::vector<Found> ResourcesIn(const IamResources& iam, const std::string& scope,
                               const WantedTypes& wanted) {
  std::vector<Found> found;
  for (const std::string& key : iam.Keys()) {
    auto resource = ResourceOfKey(key);
    if (!resource || resource->row == nullptr) continue;
    const std::string_view type = google::GetAssetType(*resource->row);
    if (!wanted.Has(type)) continue;
    std::string container = iam.GetContainer(resource->name);
    if (!iam.containers().LiesIn(container, scope)) continue;
    found.push_back({key, *std::move(resource), type, std::move(container)});
  }
  return found;
}

GoogleResult<std::vector<Json>> PoliciesIn(const IamResources& iam, const std::string& scope,
                                           const WantedTypes& wanted, Staleness staleness) {
  std::vector<Json> results;
  for (const Found& found : ResourcesIn(iam, scope, wanted)) {
    const auto policy = iam.ReadPolicy(found.key, kConditionalVersion, staleness);
    if (!policy) return tl::unexpected(policy.error());
    const Json* bindings = FindMember(*policy, "bindings");
    if (bindings == nullptr || bindings->empty()) continue;
    Json result = {{"resource", MakeAssetName(found.resource)}, {"assetType", found.type}};
    PutPlace(iam, found.container, result);
    result["policy"] = Json{{"bindings", *bindings}};
    results.push_back(std::move(result));
  }
  return results;
}

Json AssetOfContainer(const IamResources& iam, const std::string& name, std::string_view type) {
  Json asset = {{"name", std::string(kManagerHost) + name}, {"assetType", type}};
  PutPlace(iam, name, asset);
  const auto described = iam.projects().Describe(name);
  asset["displayName"] = described ? StringMember(*described, "displayName") : name;
  asset["state"] = "ACTIVE";
  const std::string parent = iam.containers().GetParent(name);
  if (!parent.empty()) {
    asset["parentFullResourceName"] = std::string(kManagerHost) + parent;
    asset["parentAssetType"] = TypeOfContainer(parent);
  }
  return asset;
}

/// Without `whole` the answer leaves out the grant itself.
Json AssetOfGrant(const IamResources& iam, const Json& grant, bool whole) {
  const std::string name = StringMember(grant, "name");
  const std::string host = "//privilegedaccessmanager.googleapis.com/";
  Json asset = {{"name", host + name}, {"assetType", kGrantType}};
  PutPlace(iam, std::string(ContainerIn(name)), asset);
  asset["location"] = "global";
  asset["state"] = StringMember(grant, "state");
  asset["parentFullResourceName"] = host + name.substr(0, name.rfind("/grants/"));
  asset["parentAssetType"] = "privilegedaccessmanager.googleapis.com/Entitlement";
  if (whole) {
    asset["versionedResources"] = Json::array({Json{{"version", "v1"}, {"resource", grant}}});
  }
  return asset;
}

std::vector<Json> AssetsIn(const IamResources& iam, const PrivilegedAccess& privileged,
                           const std::string& scope, const WantedTypes& wanted, bool whole) {
  std::vector<Json> assets;
  for (const std::string& name : iam.containers().All()) {
    const std::string_view type = TypeOfContainer(name);
    if (!wanted.Has(type) || !iam.containers().LiesIn(name, scope)) continue;
    assets.push_back(AssetOfContainer(iam, name, type));
  }
  for (const Found& found : ResourcesIn(iam, scope, wanted)) {
    if (!TypeOfContainer(found.resource.name).empty() &&
        ContainerIn(found.resource.name) == found.resource.name) {
      continue;
    }
    Json asset = {{"name", MakeAssetName(found.resource)}, {"assetType", found.type}};
    PutPlace(iam, found.container, asset);
    assets.push_back(std::move(asset));
  }
  if (wanted.Has(kGrantType)) {
    for (const Json& grant : privileged.Grants()) {
      const std::string container(ContainerIn(StringMember(grant, "name")));
      if (!iam.containers().LiesIn(container, scope)) continue;
      assets.push_back(AssetOfGrant(iam, grant, whole));
    }
  }
  return assets;
}

bool WantsWholeResources(const httpd::Request& request) {
  const std::string* mask = request.FindQuery("readMask");
  return mask != nullptr && (*mask == "*" || mask->find("versionedResources") != std::string::npos);
}

}  // namespace

void ClassifyAssetSearch(const httpd::Request& request, std::string_view path, Call& call) {
  if (!path.starts_with(kAssetV1) || request.method != "GET") return;
  std::string_view scope = path.substr(kAssetV1.size());
  const bool policies = scope.ends_with(kSearchPolicies);
  const std::string_view method = policies ? kSearchPolicies : kSearchResources;
  if (!scope.ends_with(method)) return;
  scope.remove_suffix(method.size());
  if (scope.empty() || ContainerIn(scope) != scope) return;
  call.service = Call::Service::kGoogle;
  call.verb = Call::Verb::kSearchAssets;
  call.api = kAsset;
  call.target = scope;
  call.operation = std::string(kAsset) + "." + std::string(method.substr(1));
  call.permission = std::string(kAsset) + ".assets." + std::string(method.substr(1));
}

GoogleResult<Json> SearchAssets(Cloud& cloud, const Call& call, const httpd::Request& request,
                                const Access& access, Staleness staleness) {
  const bool policies = call.operation == kPolicyCall;
  std::vector<std::string_view> parameters = {"query", "assetTypes", "pageSize", "pageToken",
                                              "orderBy"};
  if (!policies) parameters.emplace_back("readMask");
  if (auto refusal = CheckQuery(request, parameters)) return tl::unexpected(std::move(*refusal));
  if (!access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  const std::string* query = request.FindQuery("query");
  if (query != nullptr && !query->empty()) {
    return tl::unexpected(InvalidArgument("query: the embedded cloud evaluates no queries."));
  }
  const auto wanted = WantedTypes::Read(request);
  if (!wanted) return tl::unexpected(wanted.error());
  const auto order = Order::Read(
      request, policies ? std::vector<std::string_view>{"resource", "assetType", "project"}
                        : std::vector<std::string_view>{"name", "assetType", "project",
                                                        "displayName", "state"});
  if (!order)
    return tl::unexpected(InvalidArgument("orderBy: \"" + *request.FindQuery("orderBy") +
                                          "\" names a field that has no order."));
  return cloud.ReadAssets(
      [&](const IamResources& iam, const PrivilegedAccess& privileged) -> GoogleResult<Json> {
        if (!iam.containers().Holds(call.target)) {
          return tl::unexpected(PermissionDenied(call.permission, call.target));
        }
        std::vector<Json> results;
        if (policies) {
          auto read = PoliciesIn(iam, call.target, *wanted, staleness);
          if (!read) return tl::unexpected(read.error());
          results = *std::move(read);
        } else {
          results = AssetsIn(iam, privileged, call.target, *wanted, WantsWholeResources(request));
        }
        order->Sort(results);
        return MakePage(request, "results", results, kSearchPages);
      });
}

}  // namespace bindery::emulator
