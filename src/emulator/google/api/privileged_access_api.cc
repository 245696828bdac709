#include "emulator/google/api/privileged_access_api.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text/digest.h"
#include "emulator/google/api/page.h"
#include "emulator/google/api/request_body.h"
#include "emulator/google/api/request_query.h"
#include "emulator/google/containers.h"
#include "emulator/google/privileged_access.h"
#include "emulator/google/proto_reader.h"
#include "manifests/schema/check_text.h"

namespace bindery::emulator {
namespace {

constexpr const char* kPam = "privilegedaccessmanager";
constexpr std::string_view kV1 = "v1/";
constexpr std::string_view kPackage = "google.cloud.privilegedaccessmanager.v1.";
/// Segments of "projects/acme/locations/global/entitlements".
constexpr std::size_t kListSegments = 5;

/// One method: by HTTP method, segments of the path, and the verb behind the last segment.
struct Method {
  std::string_view http;
  std::size_t segments;
  std::string_view verb;
  const char* name;
  const char* permission;  ///< Behind the service's name; empty: being eligible is what counts.
};

constexpr Method kMethods[] = {
    {"GET", kListSegments, "", "listEntitlements", "entitlements.list"},
    {"POST", kListSegments, "", "createEntitlement", "entitlements.create"},
    {"GET", kListSegments + 1, "", "getEntitlement", "entitlements.get"},
    {"GET", kListSegments + 2, "", "listGrants", "grants.list"},
    {"POST", kListSegments + 2, "", "createGrant", ""},
    {"GET", kListSegments + 3, "", "getGrant", "grants.get"},
    {"POST", kListSegments + 3, "approve", "approveGrant", ""},
    {"POST", kListSegments + 3, "deny", "denyGrant", ""},
    {"POST", kListSegments + 3, "revoke", "revokeGrant", "grants.revoke"},
};

bool HasEntitlements(const std::vector<std::string_view>& segments) {
  const auto is = [&](std::size_t at, std::string_view text) {
    return segments.size() <= at || segments[at] == text;
  };
  return segments.size() >= kListSegments && segments.size() <= kListSegments + 3 &&
         IsContainerCollection(segments[0]) && is(2, "locations") && is(3, "global") &&
         is(4, "entitlements") && is(6, "grants") &&
         std::ranges::none_of(segments, [](std::string_view one) { return one.empty(); });
}

bool Calls(const Call& call, std::string_view method) {
  return call.operation == std::string(kPam) + "." + std::string(method);
}

std::optional<std::chrono::seconds> SecondsIn(const std::string& text) {
  std::int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || end - rest != 1 || *rest != 's' || count <= 0) return std::nullopt;
  return std::chrono::seconds(count);
}

/// A finished operation.
Json Done(const Call& call, std::string_view type, const Json& response) {
  Json typed = {{"@type", "type.googleapis.com/" + std::string(kPackage) + std::string(type)}};
  typed.update(response);
  constexpr std::size_t kDigits = 24;
  return Json{
      {"name", std::string(ContainerIn(call.target)) + "/locations/global/operations/operation-" +
                   Sha256Hex(call.operation + typed.dump()).substr(0, kDigits)},
      {"metadata",
       Json{{"@type", "type.googleapis.com/" + std::string(kPackage) + "OperationMetadata"},
            {"target", StringMember(response, "name")},
            {"apiVersion", "v1"}}},
      {"done", true},
      {"response", std::move(typed)}};
}

/// The error of an entitlement; nothing: valid.
std::optional<GoogleError> CheckEntitlement(const Call& call, const Json& body) {
  ProtoReader reader;
  reader.CheckMessage(body, "entitlement", std::string(kPackage) + "Entitlement",
                      {"name", "createTime", "updateTime", "eligibleUsers", "approvalWorkflow",
                       "privilegedAccess", "maxRequestDuration", "state",
                       "requesterJustificationConfig", "additionalNotificationTargets", "etag"});
  if (!reader.violations().empty()) return BadRequest(reader.violations());
  const Json* access = FindPath(body, {"privilegedAccess", "gcpIamAccess"});
  const Json* roles = access == nullptr ? nullptr : FindMember(*access, "roleBindings");
  if (roles == nullptr || !roles->is_array() || roles->empty()) {
    return InvalidArgument("privilegedAccess.gcpIamAccess.roleBindings: at least one is required.");
  }
  const std::string resource =
      "//cloudresourcemanager.googleapis.com/" + std::string(ContainerIn(call.target));
  if (StringMember(*access, "resource") != resource) {
    return InvalidArgument("privilegedAccess.gcpIamAccess.resource must be " + resource + ".");
  }
  for (const Json& binding : *roles) {
    const std::string role = StringMember(binding, "role");
    if (role == "roles/owner" || role == "roles/editor" || role == "roles/viewer") {
      return InvalidArgument("Role " + role + " cannot be granted by an entitlement.");
    }
  }
  if (!SecondsIn(StringMember(body, "maxRequestDuration"))) {
    return InvalidArgument("maxRequestDuration is required.");
  }
  return std::nullopt;
}

GoogleResult<Json> CreateEntitlement(Cloud& cloud, const Call& call,
                                     const httpd::Request& request) {
  auto body = ReadRequestBody(call, request);
  if (!body) return body;
  const std::string* id = request.FindQuery("entitlementId");
  if (id == nullptr || id->empty())
    return tl::unexpected(InvalidArgument("entitlementId is required."));
  if (auto refusal = CheckEntitlement(call, *body)) return tl::unexpected(std::move(*refusal));
  auto made = cloud.WithPrivilegedAccess([&](PrivilegedAccess& pam, Storage& storage) {
    return pam.CreateEntitlement(call.target + "/entitlements/" + *id, *body, storage);
  });
  if (!made) return made;
  return Done(call, "Entitlement", *made);
}

/// The requester of a grant: the caller, or if the cloud does not know its callers, the first
/// eligible principal.
GoogleResult<std::string> FindRequester(const Access& access, const Json& entitlement) {
  std::vector<std::string> eligible;
  if (const Json* users = FindMember(entitlement, "eligibleUsers")) {
    for (const Json& entry : *users) {
      for (const Json& principal : entry.value("principals", Json::array())) {
        if (principal.is_string()) eligible.push_back(principal.get<std::string>());
      }
    }
  }
  const std::string& caller = access.credential.principal;
  if (caller.empty() && !eligible.empty()) return eligible.front();
  const bool by_group = std::ranges::any_of(
      eligible, [](const std::string& one) { return one.starts_with("group:"); });
  if (by_group || std::ranges::find(eligible, caller) != eligible.end()) return caller;
  return tl::unexpected(
      PermissionDenied("privilegedaccessmanager.grants.create", StringMember(entitlement, "name")));
}

GoogleResult<Json> CreateGrant(Cloud& cloud, const Call& call, const httpd::Request& request,
                               const Access& access) {
  auto body = ReadRequestBody(call, request);
  if (!body) return body;
  ProtoReader reader;
  reader.CheckMessage(*body, "grant", std::string(kPackage) + "Grant",
                      {"name", "createTime", "updateTime", "requester", "requestedDuration",
                       "justification", "state", "timeline", "privilegedAccess", "auditTrail",
                       "additionalEmailRecipients", "externallyModified"});
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));
  const auto duration = SecondsIn(StringMember(*body, "requestedDuration"));
  if (!duration) return tl::unexpected(InvalidArgument("requestedDuration is required."));
  return cloud.WithPrivilegedAccess(
      [&](PrivilegedAccess& pam, Storage& storage) -> GoogleResult<Json> {
        auto entitlement = pam.Entitlement(call.target);
        if (!entitlement) return entitlement;
        const auto longest = SecondsIn(StringMember(*entitlement, "maxRequestDuration"));
        if (longest && *duration > *longest) {
          return tl::unexpected(
              InvalidArgument("requestedDuration is longer than maxRequestDuration."));
        }
        auto requester = FindRequester(access, *entitlement);
        if (!requester) return tl::unexpected(requester.error());
        const Json* justification = FindMember(*body, "justification");
        return pam.CreateGrant({call.target, *std::move(requester), *duration,
                                justification == nullptr ? Json() : *justification},
                               storage);
      });
}

/// The answer of a service that no project has enabled.
GoogleError NotEnabled(const Call& call) {
  const std::string container = std::string(ContainerIn(call.target));
  GoogleError error = PermissionDenied(call.permission, call.target);
  error.message = "Privileged Access Manager API has not been used in " + container +
                  " before or it is disabled.";
  error.details = Json::array({ErrorInfo(
      "SERVICE_DISABLED", "googleapis.com",
      Json{{"service", "privilegedaccessmanager.googleapis.com"}, {"consumer", container}})});
  return error;
}

GoogleResult<Json> Read(Cloud& cloud, const Call& call, const httpd::Request& request) {
  constexpr PageSizes kPages{100, 1'000};
  return cloud.WithPrivilegedAccess(
      [&](PrivilegedAccess& pam, Storage& /*storage*/) -> GoogleResult<Json> {
        if (!pam.enabled()) return tl::unexpected(NotEnabled(call));
        if (Calls(call, "getEntitlement")) return pam.Entitlement(call.target);
        if (Calls(call, "getGrant")) return pam.Grant(call.target);
        if (Calls(call, "listEntitlements")) {
          return MakePage(request, "entitlements", pam.EntitlementsIn(call.target), kPages);
        }
        const auto grants = pam.ListGrants(call.target);
        if (!grants) return tl::unexpected(grants.error());
        return MakePage(request, "grants", *grants, kPages);
      });
}

GoogleResult<Json> Decide(Cloud& cloud, const Call& call, const httpd::Request& request) {
  auto body = ReadRequestBody(call, request);
  if (!body) return body;
  ProtoReader reader;
  reader.CheckMessage(*body, "", std::string(kPackage) + "ApproveGrantRequest", {"reason"});
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));
  const bool revokes = Calls(call, "revokeGrant");
  auto decided = cloud.WithPrivilegedAccess([&](PrivilegedAccess& pam, Storage& storage) {
    return revokes ? pam.Revoke(call.target, storage)
                   : pam.Decide(call.target, Calls(call, "approveGrant"), storage);
  });
  if (!decided || !revokes) return decided;
  return Done(call, "Grant", *decided);
}

}  // namespace

void ClassifyPrivilegedAccess(const httpd::Request& request, std::string_view path, Call& call) {
  if (!path.starts_with(kV1)) return;
  std::string_view name = path.substr(kV1.size());
  std::string_view verb;
  if (const auto colon = name.rfind(':');
      colon != std::string_view::npos && colon > name.rfind('/')) {
    verb = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  const auto segments = manifests::Split(name, '/');
  if (!HasEntitlements(segments)) return;
  for (const Method& method : kMethods) {
    if (method.http != request.method || method.segments != segments.size() ||
        method.verb != verb) {
      continue;
    }
    // A list has the name of its items.
    const bool list = segments.size() % 2 != 0;
    call.service = Call::Service::kGoogle;
    call.verb = Call::Verb::kPrivilegedAccess;
    call.api = kPam;
    call.target = list ? name.substr(0, name.rfind('/')) : name;
    call.operation = std::string(kPam) + "." + method.name;
    call.permission = *method.permission == '\0' ? "" : std::string(kPam) + "." + method.permission;
    return;
  }
}

GoogleResult<Json> ServePrivilegedAccess(Cloud& cloud, const Call& call,
                                         const httpd::Request& request, const Access& access) {
  if (auto refusal = CheckQuery(
          request, {"filter", "orderBy", "pageSize", "pageToken", "entitlementId", "requestId"})) {
    return tl::unexpected(std::move(*refusal));
  }
  if (!call.permission.empty() && !access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  if (Calls(call, "createEntitlement")) return CreateEntitlement(cloud, call, request);
  if (Calls(call, "createGrant")) return CreateGrant(cloud, call, request, access);
  return request.method == "GET" ? Read(cloud, call, request) : Decide(cloud, call, request);
}

}  // namespace bindery::emulator
