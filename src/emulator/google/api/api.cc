#include "emulator/google/api/api.h"

#include <algorithm>
#include <charconv>

#include "emulator/google/api/asset_search.h"
#include "emulator/google/api/document.h"
#include "emulator/google/api/field_mask.h"
#include "emulator/google/api/groups_api.h"
#include "emulator/google/api/impersonation_api.h"
#include "emulator/google/api/privileged_access_api.h"
#include "emulator/google/api/request_body.h"
#include "emulator/google/api/request_query.h"
#include "emulator/google/api/resource_manager_api.h"
#include "emulator/google/api/response_shape.h"
#include "emulator/google/policy_reader.h"
#include "emulator/google/proto_reader.h"
#include "emulator/google/resource_name.h"
#include "emulator/google/service_habits.h"
#include "providers/google/clients/iam_permission_test.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kIamScope = "https://www.googleapis.com/auth/iam";
constexpr std::string_view kGroupsScope =
    "https://www.googleapis.com/auth/cloud-identity.groups.readonly";

const std::string* SystemParameter(const httpd::Request& request, std::string_view name) {
  const std::string* value = request.FindQuery(name);
  return value != nullptr ? value : request.FindQuery("$" + std::string(name));
}

bool WantsCompact(const httpd::Request& request) {
  const std::string* pretty = SystemParameter(request, "prettyPrint");
  return pretty != nullptr && (httpd::EqualsIgnoringCase(*pretty, "false") || *pretty == "0");
}

httpd::Response Respond(int status, const Json& body, const httpd::Request& request) {
  httpd::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json; charset=UTF-8"},
                      {"Vary", "Origin"},
                      {"Vary", "X-Origin"},
                      {"Vary", "Referer"},
                      {"Server", "ESF"},
                      {"Cache-Control", "private"},
                      {"X-XSS-Protection", "0"},
                      {"X-Frame-Options", "SAMEORIGIN"},
                      {"X-Content-Type-Options", "nosniff"}};
  const int indent = WantsCompact(request) ? -1 : 2;
  response.body = body.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

std::string GetToken(const httpd::Request& request) {
  const std::string header = request.headers.Get("Authorization");
  constexpr std::string_view kBearer = "bearer ";
  if (header.size() > kBearer.size() &&
      httpd::EqualsIgnoringCase(std::string_view(header).substr(0, kBearer.size()), kBearer)) {
    return header.substr(kBearer.size());
  }
  for (const char* name : {"access_token", "oauth_token"}) {
    if (const std::string* token = request.FindQuery(name)) return *token;
  }
  return {};
}

constexpr std::string_view kVersionField = "requestedPolicyVersion";

GoogleResult<int> ReadVersion(const std::string& text, const std::string& where) {
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) {
    return tl::unexpected(
        BadRequest({{where, "Invalid value at '" + where + "' (TYPE_INT32), \"" + text + "\""}}));
  }
  if (version != 0 && version != 1 && version != 3) {
    return tl::unexpected(InvalidArgument("Requested policy version (" + text +
                                          ") is invalid: valid values are 0, 1 and 3."));
  }
  return version;
}

/// The parameters of a method, by their JSON and proto names.
std::vector<std::string_view> MethodParameters(const Call& call) {
  std::vector<std::string_view> names;
  const bool get = call.verb == Call::Verb::kGetPolicy;
  if (get && call.row->version_place == google::IamVersionPlace::kDottedQuery) {
    names = {"options.requestedPolicyVersion", "options.requested_policy_version"};
  } else if (get && call.row->version_place == google::IamVersionPlace::kFlatQuery) {
    names = {"optionsRequestedPolicyVersion", "options_requested_policy_version"};
  }
  if (call.row->bare_body) names.emplace_back("userProject");
  if (call.verb == Call::Verb::kTestPermissions && google::TestsInQuery(*call.row)) {
    names.emplace_back("permissions");
  }
  return names;
}

/// {"options": {"requestedPolicyVersion": 3}}; empty where the method has no body.
GoogleResult<int> VersionInBody(const Call& call, const httpd::Request& request) {
  const auto body = ReadRequestBody(call, request);
  if (!body) return tl::unexpected(body.error());
  ProtoReader reader;
  const bool takes_options = call.row->version_place == google::IamVersionPlace::kBody;
  reader.CheckMessage(
      *body, "", "google.iam.v1.GetIamPolicyRequest",
      takes_options ? std::vector<std::string_view>{"options"} : std::vector<std::string_view>{});
  int version = 0;
  const Json* options = ProtoReader::Field(*body, "options");
  if (options != nullptr &&
      reader.CheckMessage(*options, "options", "google.iam.v1.GetPolicyOptions", {kVersionField})) {
    version = reader.Int32(*options, kVersionField, "options");
  }
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));
  return ReadVersion(std::to_string(version), "options.requested_policy_version");
}

GoogleResult<int> RequestedVersion(const Call& call, const httpd::Request& request) {
  if (call.row->get == google::IamVerb::kPost) {
    auto version = VersionInBody(call, request);
    if (!version || call.row->version_place == google::IamVersionPlace::kBody) return version;
  }
  for (const std::string_view name : MethodParameters(call)) {
    if (name == "userProject") continue;
    const std::string* text = request.FindQuery(name);
    if (text != nullptr && !text->empty()) return ReadVersion(*text, ProtoName(name));
  }
  return 0;
}

/// With storage's members besides the policy.
Json AsAnswered(const Call& call, const Distortion& distortion, Json policy) {
  if (distortion.etag) policy["etag"] = *distortion.etag;
  if (!call.row->bare_body) return policy;
  policy["kind"] = "storage#policy";
  constexpr std::string_view kBuckets = "b/";
  policy["resourceId"] = "projects/_/buckets/" + call.target.substr(kBuckets.size());
  return policy;
}

GoogleResult<Json> GetPolicy(Cloud& cloud, const Call& call, const httpd::Request& request,
                             const Access& access, const Distortion& distortion) {
  if (auto refusal = CheckQuery(request, MethodParameters(call))) {
    return tl::unexpected(std::move(*refusal));
  }
  const auto version = RequestedVersion(call, request);
  if (!version) return tl::unexpected(version.error());
  if (!access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  const int shown = GetHabits(*call.row).shows_conditions_to_all ? kConditionalVersion : *version;
  auto policy = cloud.ReadPolicy(call.key, shown, distortion.staleness);
  if (!policy) return policy;
  // Storage does not show conditional roles to clients of version 1.
  if (call.row->bare_body && NamesConditionalRole(*policy)) {
    return tl::unexpected(
        InvalidArgument("The policy has conditional role bindings: request policy version 3."));
  }
  return AsAnswered(call, distortion, std::move(*policy));
}

GoogleResult<Json> SetPolicy(Cloud& cloud, const Call& call, const httpd::Request& request,
                             const Access& access, const Distortion& distortion) {
  if (auto refusal = CheckQuery(request, MethodParameters(call))) {
    return tl::unexpected(std::move(*refusal));
  }
  const auto body = ReadRequestBody(call, request);
  if (!body) return tl::unexpected(body.error());
  auto write = ReadPolicyWrite(*body, *call.row);
  if (!write) return tl::unexpected(write.error());
  if (!access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  if (auto refusal = RefuseOnResource(*call.row, call.target, write->bindings)) {
    return tl::unexpected(std::move(*refusal));
  }
  if (distortion.etag) write->etag.reset();
  if (distortion.drops_conditions) {
    for (Binding& binding : write->bindings) binding.condition.reset();
  }
  auto written = cloud.WritePolicy(call.key, *write);
  if (written) return AsAnswered(call, distortion, std::move(*written));
  const bool stale = written.error().status == "ABORTED";
  return stale && call.row->conflict == kPreconditionFailed ? tl::unexpected(ConditionNotMet())
                                                            : written;
}

GoogleResult<Json> AskedPermissions(const Call& call, const httpd::Request& request) {
  auto body = ReadRequestBody(call, request);
  if (!body || !google::TestsInQuery(*call.row)) return body;
  ProtoReader reader;
  reader.CheckMessage(*body, "", "google.iam.v1.TestIamPermissionsRequest", {});
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));
  Json asked = {{"permissions", Json::array()}};
  for (const auto& [name, value] : request.query) {
    if (name == "permissions") asked["permissions"].push_back(value);
  }
  return asked;
}

GoogleResult<Json> TestPermissions(Cloud& cloud, const Call& call, const httpd::Request& request,
                                   const Access& access) {
  if (auto refusal = CheckQuery(request, MethodParameters(call))) {
    return tl::unexpected(std::move(*refusal));
  }
  const auto body = AskedPermissions(call, request);
  if (!body) return tl::unexpected(body.error());
  const auto permissions = ReadPermissionTest(*body);
  if (!permissions) return tl::unexpected(permissions.error());
  if (const auto found = cloud.ReadDocument(call.key); !found) {
    return tl::unexpected(found.error());
  }
  Json answer = Json::object();
  if (call.row->bare_body) answer["kind"] = "storage#testIamPermissionsResponse";
  for (const std::string& permission : *permissions) {
    if (access.Allows(permission, call.target)) answer["permissions"].push_back(permission);
  }
  return answer;
}

GoogleResult<Json> GetDocument(Cloud& cloud, const Call& call, const httpd::Request& request,
                               const Access& access) {
  if (auto refusal = CheckQuery(request, {})) return tl::unexpected(std::move(*refusal));
  if (!access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  auto document = cloud.ReadDocument(call.target);
  if (!document) return document;
  return ShownDocument(call.section, call.target, *document);
}

GoogleResult<Json> GetAccount(Cloud& cloud, const Call& call, const httpd::Request& request,
                              const Access& access) {
  if (auto refusal = CheckQuery(request, {})) return tl::unexpected(std::move(*refusal));
  if (!access.Allows(call.permission, call.target)) {
    return tl::unexpected(PermissionDenied(call.permission, call.target));
  }
  const Json account = cloud.identities().DescribeAccount(call.target);
  return account.is_null() ? GoogleResult<Json>(tl::unexpected(NotFound(call.target))) : account;
}

std::optional<GoogleError> RefuseCaller(const Access& access, const Call& call) {
  const auto& scopes = access.credential.scopes;
  const bool generates = call.verb == Call::Verb::kGenerateToken;
  const bool groups = call.verb == Call::Verb::kGroups;
  switch (access.kind) {
    case Access::Kind::kMissing:
      return Unauthenticated("CREDENTIALS_MISSING", call.api);
    case Access::Kind::kInvalid:
      return Unauthenticated("ACCESS_TOKEN_EXPIRED", call.api);
    case Access::Kind::kBadJwt:
      return Unauthenticated("JWT_TOKEN_INVALID", call.api);
    case Access::Kind::kOpen:
    case Access::Kind::kKnown:
      break;
  }
  const bool enough =
      scopes.empty() || std::any_of(scopes.begin(), scopes.end(), [&](const std::string& scope) {
        return scope == kCloudScope || (generates && scope == kIamScope) ||
               (groups && scope == kGroupsScope);
      });
  if (!enough) return InsufficientScope(call.api);
  return std::nullopt;
}

GoogleResult<Json> GenerateToken(Cloud& cloud, const Call& call, const httpd::Request& request,
                                 const Access& access) {
  if (auto refusal = CheckQuery(request, {})) return tl::unexpected(std::move(*refusal));
  const auto body = ReadRequestBody(call, request);
  if (!body) return tl::unexpected(body.error());
  return GenerateAccessToken(cloud.identities(), call, *body, access);
}

/// The wanted form of an answer.
struct AnswerForm {
  FieldMask mask;
  bool numbered_enums = false;
};

GoogleResult<AnswerForm> ReadAnswerForm(const Call& call, const httpd::Request& request) {
  AnswerForm form;
  if (const std::string* fields = SystemParameter(request, "fields")) {
    auto mask = ReadFieldMask(*fields, GetShape(call));
    if (!mask) return tl::unexpected(mask.error());
    form.mask = *std::move(mask);
  }
  const std::string* alt = SystemParameter(request, "alt");
  form.numbered_enums = alt != nullptr && alt->ends_with(";enum-encoding=int");
  return form;
}

GoogleResult<Json> Dispatch(Cloud& cloud, const Call& call, const httpd::Request& request,
                            const Access& access, const Distortion& distortion) {
  switch (call.verb) {
    case Call::Verb::kGetPolicy:
      return GetPolicy(cloud, call, request, access, distortion);
    case Call::Verb::kContainers:
      return ServeContainers(cloud, call, request, access);
    case Call::Verb::kGetAccount:
      return GetAccount(cloud, call, request, access);
    case Call::Verb::kSetPolicy:
      return SetPolicy(cloud, call, request, access, distortion);
    case Call::Verb::kTestPermissions:
      return TestPermissions(cloud, call, request, access);
    case Call::Verb::kGenerateToken:
      return GenerateToken(cloud, call, request, access);
    case Call::Verb::kPrivilegedAccess:
      return ServePrivilegedAccess(cloud, call, request, access);
    case Call::Verb::kSearchAssets:
      return SearchAssets(cloud, call, request, access, distortion.staleness);
    case Call::Verb::kGroups:
      return ServeGroups(cloud, call, request, access);
    default:
      return GetDocument(cloud, call, request, access);
  }
}

GoogleResult<Json> Serve(Cloud& cloud, const Call& call, const httpd::Request& request,
                         const Distortion& distortion) {
  const Access access = GoogleAccess(cloud, call, request);
  if (auto refusal = RefuseCaller(access, call)) return tl::unexpected(std::move(*refusal));
  // Before anything is written.
  const auto form = ReadAnswerForm(call, request);
  if (!form) return tl::unexpected(form.error());
  auto answer = Dispatch(cloud, call, request, access, distortion);
  if (!answer) return answer;
  Json shown = Select(*answer, form->mask);
  if (form->numbered_enums) return WithNumberedEnums(shown, GetShape(call));
  return shown;
}

}  // namespace

Access GoogleAccess(Cloud& cloud, const Call& call, const httpd::Request& request) {
  return cloud.identities().FindGoogleToken(GetToken(request),
                                            {call.api, request.headers.Get("Host")});
}

httpd::Response GoogleErrorResponse(const GoogleError& error, std::string_view service,
                                    const httpd::Request& request) {
  httpd::Response response = Respond(error.http_status, ToJson(error, service), request);
  if (error.http_status == 401) {
    response.headers.Add("WWW-Authenticate",
                         "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\"");
  }
  return response;
}

httpd::Response ServeGoogle(Cloud& cloud, const Call& asked, const httpd::Request& request,
                            const Distortion& distortion) {
  Call call = asked;
  call.target = cloud.Canonical(asked.target);
  if (call.row != nullptr) call.key = MakeKey(*call.row, call.target);
  const auto answer = Serve(cloud, call, request, distortion);
  if (!answer) return GoogleErrorResponse(answer.error(), call.api, request);
  return Respond(200, *answer, request);
}

}  // namespace bindery::emulator
