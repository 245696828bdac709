#include "emulator/google/api/resource_manager_api.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/google/api/page.h"
#include "emulator/google/api/request_query.h"
#include "emulator/google/containers.h"

namespace bindery::emulator {
namespace {

constexpr const char* kResourceManager = "cloudresourcemanager";
constexpr std::string_view kManagerV1 = "v1/";
constexpr std::string_view kManagerV3 = "v3/";
constexpr std::string_view kContainerSearch = ":search";
constexpr std::string_view kAncestry = ":getAncestry";
constexpr PageSizes kContainerPages{100, 1'000};

void MakeContainerCall(Call& call, std::string_view collection, const char* method,
                       std::string_view target, const char* permission) {
  call.service = Call::Service::kGoogle;
  call.verb = Call::Verb::kContainers;
  call.api = kResourceManager;
  call.section = collection;
  call.target = target;
  call.operation = std::string(kResourceManager) + "." + method;
  call.permission = "resourcemanager." + std::string(collection) + "." + permission;
}

bool CallsManager(const Call& call, const char* method) {
  return call.operation == std::string(kResourceManager) + "." + method;
}

/// The containers of the collection, sorted, as the service describes them.
std::vector<Json> Described(const IamResources& iam, const std::string& collection,
                            const std::string& parent, const Access& access) {
  std::vector<Json> list;
  for (const std::string& name : iam.containers().All()) {
    if (!name.starts_with(collection + "/")) continue;
    if (!parent.empty() && iam.containers().GetParent(name) != parent) continue;
    if (!access.Allows("resourcemanager." + collection + ".get", name)) continue;
    if (auto described = iam.Describe(name)) list.push_back(*std::move(described));
  }
  return list;
}

GoogleResult<Json> DescribedOne(const IamResources& iam, const Call& call) {
  auto described = iam.Describe(call.target);
  if (!described) return tl::unexpected(PermissionDenied(call.permission, call.target));
  return *std::move(described);
}

/// The container that "parent:folders/1" or "parent=folders/1" names; empty for no query.
GoogleResult<std::string> ParentIn(const httpd::Request& request) {
  const std::string* query = request.FindQuery("query");
  if (query == nullptr || query->empty()) return "";
  constexpr std::string_view kParent = "parent";
  const std::string name = query->size() > kParent.size() ? query->substr(kParent.size() + 1) : "";
  const bool sign = query->size() > kParent.size() &&
                    std::string_view(":=").find((*query)[kParent.size()]) != std::string_view::npos;
  if (query->starts_with(kParent) && sign && ContainerIn(name) == name && !name.empty())
    return name;
  return tl::unexpected(
      InvalidArgument("query: the embedded cloud evaluates only \"parent:NAME\"."));
}

GoogleResult<Json> Ancestry(const IamResources& iam, const Call& call) {
  if (!iam.containers().Holds(call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  std::vector<std::string> line = iam.containers().ListAncestors(call.target);
  line.insert(line.begin(), call.target);
  Json answer = Json::object();
  for (const std::string& name : line) {
    const auto slash = name.find('/');
    // "project" of "projects/acme"
    answer["ancestor"].push_back(Json{
        {"resourceId", Json{{"type", name.substr(0, slash - 1)}, {"id", name.substr(slash + 1)}}}});
  }
  return answer;
}

}  // namespace

void ClassifyContainers(const httpd::Request& request, std::string_view path, Call& call) {
  const bool get = request.method == "GET" || request.method == "HEAD";
  if (request.method == "POST" && path.starts_with(kManagerV1) && path.ends_with(kAncestry)) {
    std::string_view name = path.substr(kManagerV1.size());
    name.remove_suffix(kAncestry.size());
    if (!name.starts_with("projects/") || ContainerIn(name) != name) return;
    MakeContainerCall(call, "projects", "getAncestry", name, "get");
    return;
  }
  if (!get || !path.starts_with(kManagerV3)) return;
  std::string_view name = path.substr(kManagerV3.size());
  if (name.ends_with(kContainerSearch)) {
    name.remove_suffix(kContainerSearch.size());
    if (IsContainerCollection(name)) MakeContainerCall(call, name, "search", "", "get");
  } else if (IsContainerCollection(name) && name != "organizations") {
    const std::string* parent = request.FindQuery("parent");
    MakeContainerCall(call, name, "list", parent == nullptr ? "" : *parent, "list");
  } else if (ContainerIn(name) == name && !name.empty() &&
             name.find(':') == std::string_view::npos) {
    MakeContainerCall(call, name.substr(0, name.find('/')), "get", name, "get");
  }
}

GoogleResult<Json> ServeContainers(Cloud& cloud, const Call& call, const httpd::Request& request,
                                   const Access& access) {
  const bool search = CallsManager(call, "search");
  const bool list = CallsManager(call, "list");
  std::vector<std::string_view> parameters;
  if (search || list) parameters = {"pageSize", "pageToken"};
  if (search) parameters.emplace_back("query");
  if (list) parameters.insert(parameters.end(), {"parent", "showDeleted"});
  if (auto refusal = CheckQuery(request, parameters)) return tl::unexpected(std::move(*refusal));
  // A search shows what the caller may see, and refuses nobody.
  if (!search && !access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  GoogleResult<std::string> parent = search ? ParentIn(request) : call.target;
  if (!parent) return tl::unexpected(parent.error());
  return cloud.ReadAssets(
      [&](const IamResources& iam, const PrivilegedAccess& /*privileged*/) -> GoogleResult<Json> {
        if (CallsManager(call, "getAncestry")) return Ancestry(iam, call);
        if (!search && !list) return DescribedOne(iam, call);
        if (list && (parent->empty() || ContainerIn(*parent) != *parent)) {
          return tl::unexpected(InvalidArgument("parent must name a folder or an organization."));
        }
        return MakePage(request, call.section.c_str(),
                        Described(iam, call.section, *parent, access), kContainerPages);
      });
}

}  // namespace bindery::emulator
