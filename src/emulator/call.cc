#include "emulator/call.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/datadog/object_lists.h"
#include "emulator/google/api/asset_search.h"
#include "emulator/google/api/groups_api.h"
#include "emulator/google/api/iam_route.h"
#include "emulator/google/api/privileged_access_api.h"
#include "emulator/google/api/resource_manager_api.h"
#include "emulator/google/api/token_api.h"
#include "emulator/google/jwt.h"
#include "emulator/google/resource_name.h"
#include "emulator/seed.h"
#include "reconcilers/project_identity.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kAdmin = "/_emulator";
constexpr std::string_view kGoogle = "v1/";
constexpr std::string_view kMigrationCenter = "migrationcenter";
constexpr std::string_view kDatadog = "/api/";
constexpr std::string_view kRestriction = "/api/v2/restriction_policy";
constexpr std::string_view kMetadata = "/computeMetadata/v1/";
constexpr std::string_view kToken = "/token";
constexpr std::string_view kExchange = "/v1/token";
constexpr std::string_view kAccountsPath = "/v1/projects/-/serviceAccounts/";
constexpr std::string_view kGenerate = ":generateAccessToken";
constexpr std::string_view kCurrentUser = "/api/v2/current_user";

/// Lists of Datadog's, by path.
constexpr std::pair<std::string_view, std::string_view> kLists[] = {
    {"/api/v2/roles", section::kRoles},
    {"/api/v2/team", section::kTeams},
    {"/api/v2/users", section::kUsers}};

const char* GetName(Call::Verb verb) {
  switch (verb) {
    case Call::Verb::kGetPolicy:
      return "getIamPolicy";
    case Call::Verb::kSetPolicy:
      return "setIamPolicy";
    default:
      return "testIamPermissions";
  }
}

/// True when the request is for an allow policy.
bool ClassifyPolicy(const httpd::Request& request, const HoldsResource& holds, Call& call) {
  const std::vector<IamRoute> routes = FindIamRoutes(request);
  if (routes.empty()) return false;
  auto route = routes.begin();
  if (routes.size() > 1 && holds) {
    const auto held = std::find_if(routes.begin(), routes.end(), [&](const IamRoute& each) {
      return holds(MakeKey(*each.row, each.name));
    });
    if (held != routes.end()) route = held;
  }
  call.service = Call::Service::kGoogle;
  call.verb = route->verb;
  call.row = route->row;
  call.api = route->row->service;
  call.section = MakeSection(*route->row);
  call.target = route->name;
  call.operation = call.api + "." + GetName(route->verb);
  call.permission = GetPermissionPrefix(*route->row) + "." + GetName(route->verb);
  return true;
}

bool IsRead(const httpd::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

/// GET of a resource itself.
void ClassifyDocument(const httpd::Request& request, std::string_view path, Call& call) {
  if (!IsRead(request) || !path.starts_with(kGoogle)) return;
  const auto resource = ParseResourceName(path.substr(kGoogle.size()));
  if (!resource) return;
  const bool has_policy = resource->row != nullptr;
  call.service = Call::Service::kGoogle;
  call.verb = Call::Verb::kGet;
  call.api = has_policy ? resource->row->service : kMigrationCenter;
  call.section = resource->section;
  call.target = resource->name;
  call.operation = call.api + ".get";
  call.permission =
      (has_policy ? GetPermissionPrefix(*resource->row) : "migrationcenter.importDataFiles") +
      ".get";
}

/// Reads of objects without a policy here.
void MakeRead(Call::Verb verb, const char* api, std::string_view name, const char* permission,
              Call& call) {
  call.service = Call::Service::kGoogle;
  call.verb = verb;
  call.api = api;
  call.target = name;
  call.operation = call.api + ".get";
  call.permission = permission;
}

/// GET /v1/projects/P/serviceAccounts/A, of IAM.
void ClassifyAccount(const httpd::Request& request, std::string_view path, Call& call) {
  if (!IsRead(request) || !path.starts_with(kGoogle)) return;
  const std::string_view name = path.substr(kGoogle.size());
  if (!reconcilers::IsAccountNumber(name) && !reconcilers::IsAccountAddress(name)) return;
  MakeRead(Call::Verb::kGetAccount, "iam", name, "iam.serviceAccounts.get", call);
}

/// Calls of Datadog's whose path is `before`, or, if `before` ends with a slash, `before`, an id
/// and `after`. The first match counts.
struct DatadogOperation {
  std::string_view method;
  std::string_view before;
  std::string_view after;
  Call::Verb verb;
  const char* name;
  std::string_view section;
};

constexpr std::string_view kQueries = "/api/v2/logs/config/restriction_queries";
constexpr std::string_view kQuery = "/api/v2/logs/config/restriction_queries/";
constexpr std::string_view kQueryRoles = "/roles";

constexpr DatadogOperation kDatadogOperations[] = {
    {"GET", "/api/v2/datasets", "", Call::Verb::kList, "dataset.list", section::kDatasets},
    {"POST", "/api/v2/datasets", "", Call::Verb::kPost, "dataset.create", section::kDatasets},
    {"GET", "/api/v2/datasets/", "", Call::Verb::kGet, "dataset.get", section::kDatasets},
    {"PUT", "/api/v2/datasets/", "", Call::Verb::kPut, "dataset.update", section::kDatasets},
    {"DELETE", "/api/v2/datasets/", "", Call::Verb::kDelete, "dataset.delete", section::kDatasets},
    {"GET", kQueries, "", Call::Verb::kList, "restrictionQuery.list", section::kRestrictionQueries},
    {"POST", kQueries, "", Call::Verb::kPost, "restrictionQuery.create",
     section::kRestrictionQueries},
    {"GET", "/api/v2/logs/config/restriction_queries/role/", "", Call::Verb::kList, kQueriesOfRole,
     section::kRestrictionQueries},
    {"GET", "/api/v2/logs/config/restriction_queries/user/", "", Call::Verb::kList, kQueriesOfUser,
     section::kRestrictionQueries},
    {"GET", kQuery, kQueryRoles, Call::Verb::kList, "restrictionQuery.listRoles",
     section::kRestrictionQueries},
    {"POST", kQuery, kQueryRoles, Call::Verb::kPost, "restrictionQuery.addRole",
     section::kRestrictionQueries},
    {"DELETE", kQuery, kQueryRoles, Call::Verb::kDelete, "restrictionQuery.removeRole",
     section::kRestrictionQueries},
    {"GET", kQuery, "", Call::Verb::kGet, "restrictionQuery.get", section::kRestrictionQueries},
    {"PUT", kQuery, "", Call::Verb::kPut, "restrictionQuery.replace", section::kRestrictionQueries},
    {"PATCH", kQuery, "", Call::Verb::kPut, "restrictionQuery.update",
     section::kRestrictionQueries},
    {"DELETE", kQuery, "", Call::Verb::kDelete, "restrictionQuery.delete",
     section::kRestrictionQueries},
};

/// The id in a path of the operation, empty where it has none; nothing when it is another's.
std::optional<std::string_view> IdInPath(const DatadogOperation& operation, std::string_view path) {
  if (!operation.before.ends_with('/')) {
    return path == operation.before ? std::optional<std::string_view>("") : std::nullopt;
  }
  if (!path.starts_with(operation.before) || !path.ends_with(operation.after)) return std::nullopt;
  path.remove_prefix(operation.before.size());
  if (path.size() <= operation.after.size()) return std::nullopt;
  path.remove_suffix(operation.after.size());
  const bool one = path.find('/') == std::string_view::npos;
  return one ? std::optional<std::string_view>(path) : std::nullopt;
}

/// True for one of the operations.
bool ClassifyListed(const httpd::Request& request, Call& call) {
  const std::string_view sent = request.method;
  const std::string_view method = sent == "HEAD" ? "GET" : sent;
  for (const DatadogOperation& operation : kDatadogOperations) {
    if (operation.method != method) continue;
    const auto id = IdInPath(operation, request.path);
    if (!id) continue;
    call.service = Call::Service::kDatadog;
    call.section = operation.section;
    call.verb = operation.verb;
    call.operation = operation.name;
    call.target = *id;
    return true;
  }
  return false;
}

void ClassifyDatadog(const httpd::Request& request, Call& call) {
  const std::string_view path = request.path;
  const bool get = IsRead(request);
  if (path == kCurrentUser && get) {
    call.service = Call::Service::kDatadog;
    call.verb = Call::Verb::kCurrentUser;
    call.operation = "currentUser.get";
    return;
  }
  for (const auto& [list, section] : kLists) {
    if (path != list || !get) continue;
    call.service = Call::Service::kDatadog;
    call.verb = Call::Verb::kList;
    call.section = section;
    call.operation = call.section + ".list";
    return;
  }
  if (ClassifyListed(request, call) || ClassifyObjectList(request, call)) return;
  if (!path.starts_with(kRestriction)) return;
  std::string_view id = path.substr(kRestriction.size());
  if (!id.empty() && id.front() != '/') return;
  if (!id.empty()) id.remove_prefix(1);
  if (get) {
    call.verb = Call::Verb::kGet;
    call.operation = "restrictionPolicy.get";
  } else if (request.method == "POST") {
    call.verb = Call::Verb::kPost;
    call.operation = "restrictionPolicy.post";
  } else if (request.method == "DELETE") {
    call.verb = Call::Verb::kDelete;
    call.operation = "restrictionPolicy.delete";
  } else {
    return;
  }
  call.service = Call::Service::kDatadog;
  call.target = id;
}

/// The principal of a requested token, by the unverified request.
void ClassifyToken(const httpd::Request& request, Call& call) {
  call.service = Call::Service::kOauth;
  if (request.path == kExchange) {
    call.verb = Call::Verb::kExchange;
    call.operation = "sts.exchange";
    call.target = FormField(request.body, "audience");
    return;
  }
  const std::string grant = FormField(request.body, "grant_type");
  if (grant == kJwtBearerGrant) {
    call.operation = "token.jwtBearer";
    const auto jwt = ParseJwt(FormField(request.body, "assertion"));
    if (jwt) call.target = jwt->Text("iss");
  } else if (grant == kRefreshGrant) {
    call.operation = "token.refresh";
    call.target = FormField(request.body, "client_id");
  } else {
    call.operation = "token.unsupported";
  }
}

void ClassifyMetadata(const httpd::Request& request, Call& call) {
  constexpr std::string_view kTokenEnd = "/token";
  call.service = Call::Service::kMetadata;
  if (request.path.starts_with(kMetadata)) call.target = request.path.substr(kMetadata.size());
  const std::string_view path = request.path;
  const bool token =
      path.size() > kTokenEnd.size() && path.substr(path.size() - kTokenEnd.size()) == kTokenEnd;
  call.operation = token ? "metadata.token" : "metadata.get";
}

/// True when the request is one for tokens, or for the metadata server.
bool ClassifyIdentity(const httpd::Request& request, Call& call) {
  const std::string_view path = request.path;
  if (request.method == "POST" && (path == kToken || path == kExchange)) {
    ClassifyToken(request, call);
    return true;
  }
  if (request.method == "POST" && path.starts_with(kAccountsPath) &&
      path.size() > kAccountsPath.size() + kGenerate.size() &&
      path.substr(path.size() - kGenerate.size()) == kGenerate) {
    call.service = Call::Service::kGoogle;
    call.verb = Call::Verb::kGenerateToken;
    call.api = "iamcredentials";
    call.operation = "iamCredentials.generateAccessToken";
    call.target =
        path.substr(kAccountsPath.size(), path.size() - kAccountsPath.size() - kGenerate.size());
    return true;
  }
  if (!IsRead(request)) return false;
  const bool metadata = path == "/" || path == "/computeMetadata" || path == "/computeMetadata/" ||
                        path == "/computeMetadata/v1" || path.starts_with(kMetadata);
  if (metadata) ClassifyMetadata(request, call);
  return metadata;
}

}  // namespace

Call Classify(const httpd::Request& request, const HoldsResource& holds) {
  Call call;
  if (ClassifyIdentity(request, call) || ClassifyPolicy(request, holds, call)) return call;
  const std::string_view path = MakeAddress(request).path;
  ClassifyDocument(request, path, call);
  ClassifyContainers(request, path, call);
  ClassifyAccount(request, path, call);
  ClassifyPrivilegedAccess(request, path, call);
  ClassifyAssetSearch(request, path, call);
  ClassifyGroups(request, path, call);
  if (request.path.starts_with(kDatadog)) ClassifyDatadog(request, call);
  if (request.path == kAdmin || request.path.starts_with(std::string(kAdmin) + "/")) {
    call.service = Call::Service::kAdmin;
  }
  return call;
}

void RequestCounts::Add(const Call& call, const httpd::Request& request) {
  const std::string* fields = request.FindQuery("fields");
  const MutexLock lock(mutex_);
  ++total_;
  ++operations_[call.operation];
  if (fields != nullptr) ++partial_[call.operation + "?fields=" + *fields];
}

void RequestCounts::AddAnswer(std::size_t body_bytes) {
  const MutexLock lock(mutex_);
  answered_bytes_ += body_bytes;
}

void RequestCounts::Reset() {
  const MutexLock lock(mutex_);
  total_ = 0;
  operations_.clear();
  partial_.clear();
  answered_bytes_ = 0;
}

Json RequestCounts::ToJson() {
  const MutexLock lock(mutex_);
  Json counts = {{"total", total_},
                 {"operations", Json::object()},
                 {"partial", Json::object()},
                 {"answeredBytes", answered_bytes_}};
  for (const auto& [operation, count] : operations_) counts["operations"][operation] = count;
  for (const auto& [request, count] : partial_) counts["partial"][request] = count;
  return counts;
}

}  // namespace bindery::emulator
