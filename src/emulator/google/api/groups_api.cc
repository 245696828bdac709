#include "emulator/google/api/groups_api.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/ascii.h"
#include "emulator/google/api/page.h"
#include "emulator/google/api/request_query.h"
#include "emulator/google/groups.h"

namespace bindery::emulator {
namespace {

constexpr const char* kIdentity = "cloudidentity";
constexpr const char* kLookup = "cloudidentity.groups.lookup";
constexpr const char* kListMembers = "cloudidentity.groups.memberships.list";
constexpr const char* kSearchMembers = "cloudidentity.groups.memberships.searchTransitive";
constexpr std::string_view kLookupPath = "v1/groups:lookup";
constexpr std::string_view kGroupsPath = "v1/groups/";
constexpr std::string_view kMemberships = "/memberships";
constexpr std::string_view kTransitive = ":searchTransitive";

GoogleError RefusedToAsk(const char* message) {
  GoogleError error;
  error.http_status = 403;
  error.status = "PERMISSION_DENIED";
  error.message = message;
  return error;
}

/// The service's words for a group that is not there, or not for the caller.
GoogleError NoSuchGroup() {
  return RefusedToAsk("Error(2028): Permission denied for resource Group (or it may not exist).");
}

std::string MembershipType(std::string_view member) {
  if (member.starts_with("user:")) return "USER";
  if (member.starts_with("group:")) return "GROUP";
  return member.starts_with("serviceAccount:") ? "SERVICE_ACCOUNT" : "OTHER";
}

/// The view BASIC has the name and the key alone.
std::vector<Json> Memberships(const Groups& groups, const std::string& email, bool full) {
  std::vector<Json> list;
  const std::string parent = groups.GetName(email) + "/memberships/";
  for (const std::string& member : groups.FindMembers(email)) {
    const std::string id = member.substr(member.find(':') + 1);
    Json one = {{"name", parent + std::to_string(list.size() + 1)},
                {"preferredMemberKey", {{"id", id}}}};
    if (full) {
      one["roles"] = Json::array({Json{{"name", "MEMBER"}}});
      one["type"] = MembershipType(member);
    }
    list.push_back(std::move(one));
  }
  return list;
}

GoogleResult<Json> LookUpGroup(const Groups& groups, const Call& call, const Access& access) {
  const std::string name = groups.GetName(call.target);
  if (name.empty() || !access.Allows(call.permission, AsciiLower(call.target))) {
    return tl::unexpected(NoSuchGroup());
  }
  return Json{{"name", name}};
}

GoogleResult<Json> ListMembers(const Groups& groups, const Call& call,
                               const httpd::Request& request, const Access& access) {
  const std::string email = groups.GetEmail(call.target);
  if (email.empty() || !access.Allows(call.permission, email)) {
    return tl::unexpected(NoSuchGroup());
  }
  const std::string* view = request.FindQuery("view");
  const bool full = view != nullptr && *view == "FULL";
  if (view != nullptr && !full && *view != "BASIC") {
    return tl::unexpected(InvalidArgument("view: \"" + *view + "\" is no view."));
  }
  const PageSizes sizes = full ? PageSizes{50, 500} : PageSizes{200, 1'000};
  return MakePage(request, "memberships", Memberships(groups, email, full), sizes);
}

}  // namespace

void ClassifyGroups(const httpd::Request& request, std::string_view path, Call& call) {
  if (request.method != "GET") return;
  const auto is = [&call](const char* operation, std::string_view target) {
    call.service = Call::Service::kGoogle;
    call.verb = Call::Verb::kGroups;
    call.api = kIdentity;
    call.target = target;
    call.operation = operation;
    call.permission = operation;
  };
  if (path == kLookupPath) {
    const std::string* email = request.FindQuery("groupKey.id");
    return is(kLookup, email == nullptr ? std::string_view() : std::string_view(*email));
  }
  if (!path.starts_with(kGroupsPath)) return;
  const std::string_view name =
      path.substr(kGroupsPath.size() - std::string_view("groups/").size());
  const std::size_t end = name.find(kMemberships);
  if (end == std::string_view::npos) return;
  const std::string_view rest = name.substr(end + kMemberships.size());
  if (rest.empty()) return is(kListMembers, name.substr(0, end));
  if (rest.starts_with(kTransitive)) return is(kSearchMembers, name.substr(0, end));
}

GoogleResult<Json> ServeGroups(Cloud& cloud, const Call& call, const httpd::Request& request,
                               const Access& access) {
  const bool lookup = call.operation == kLookup;
  const std::vector<std::string_view> parameters =
      lookup ? std::vector<std::string_view>{"groupKey.id", "groupKey.namespace"}
             : std::vector<std::string_view>{"view", "pageSize", "pageToken", "query"};
  if (auto refusal = CheckQuery(request, parameters)) return tl::unexpected(std::move(*refusal));
  if (call.operation == kSearchMembers) {
    return tl::unexpected(RefusedToAsk(
        "Error(4013): Insufficient permissions: the edition has no search of transitive groups."));
  }
  return cloud.ReadAssets([&](const IamResources& iam, const PrivilegedAccess&) {
    const Groups& groups = iam.groups();
    return lookup ? LookUpGroup(groups, call, access) : ListMembers(groups, call, request, access);
  });
}

}  // namespace bindery::emulator
