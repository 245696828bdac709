#include "providers/google/clients/iam_policy_client.h"

#include <algorithm>
#include <utility>

#include "cloud/http_errors.h"
#include "core/base/json_text.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/clients/iam_permission_test.h"
#include "providers/google/roles/role_forms.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::google {
namespace {

constexpr int kPolicyVersion = 3;

bool IsText(const Json* member) { return member != nullptr && member->is_string(); }

/// A write would lose what cannot be read of audit configurations.
std::string FaultInAuditConfigs(const Json& policy) {
  const Json* configs = FindMember(policy, "auditConfigs");
  if (configs == nullptr) return "";
  const auto is_log = [](const Json& log) {
    const Json* type = FindMember(log, "logType");
    return log.is_object() && (type == nullptr || type->is_string());
  };
  const auto is_config = [&is_log](const Json& config) {
    const Json* logs = FindMember(config, "auditLogConfigs");
    return IsText(FindMember(config, "service")) &&
           (logs == nullptr || (logs->is_array() && std::ranges::all_of(*logs, is_log)));
  };
  const bool good = configs->is_array() && std::ranges::all_of(*configs, is_config);
  return good ? "" : "a policy whose audit configurations are not a list of services and log types";
}

/// As FaultInPolicy(), of the bindings.
std::string FaultInBindings(const Json& policy) {
  const Json* bindings = FindMember(policy, "bindings");
  if (bindings == nullptr) return "";
  if (!bindings->is_array()) return "a policy whose bindings are not a list";
  for (const Json& binding : *bindings) {
    if (!IsText(FindMember(binding, "role"))) return "a policy with a binding without a role";
    // Version 1 although 3 was asked for: its conditions are missing, and cannot be kept.
    if (!StripConditionSuffix(StringMember(binding, "role")).empty()) {
      return "a policy of version 1, which hides the condition of \"" +
             cloud::OneLine(StringMember(binding, "role")) + "\"";
    }
    const Json* members = FindMember(binding, "members");
    const Json* condition = FindMember(binding, "condition");
    if (condition != nullptr && !condition->is_object()) {
      return "a policy with a condition that is not an object";
    }
    if (members == nullptr) continue;
    if (!members->is_array() ||
        !std::ranges::all_of(*members, [](const Json& member) { return member.is_string(); })) {
      return "a policy with members that are not a list of strings";
    }
  }
  return "";
}

/// The error of a policy's shape; empty when nothing is. Unknown members are none of our
/// business.
std::string FaultInPolicy(const Json& policy) {
  if (FindMember(policy, "error") != nullptr || FindMember(policy, "errors") != nullptr) {
    return "an error instead of a policy";
  }
  const Json* etag = FindMember(policy, "etag");
  if (etag != nullptr && !etag->is_string()) return "a policy whose etag is not a string";
  // These services give an etag with every policy, also with an empty policy. An answer without an
  // etag is no policy, and a later write would replace any newer policy.
  if (StringMember(policy, "etag").empty()) return "a policy without an etag";
  if (std::string fault = FaultInAuditConfigs(policy); !fault.empty()) return fault;
  return FaultInBindings(policy);
}

std::string FaultInPermissions(const Json& answer) {
  const Json* list = FindMember(answer, "permissions");
  if (list == nullptr) return "";  // None of them.
  const bool texts = list->is_array() && std::ranges::all_of(*list, [](const Json& permission) {
                       return permission.is_string();
                     });
  return texts ? "" : "permissions that are not a list of strings";
}

const char* GetMethod(IamVerb verb) {
  switch (verb) {
    case IamVerb::kPost:
      return "POST";
    case IamVerb::kPut:
      return "PUT";
    case IamVerb::kGet:
    case IamVerb::kNone:
      break;
  }
  return "GET";
}

/// `method`: "getIamPolicy". Storage has one path for reading and writing.
std::string GetLastPart(const IamRow& row, std::string_view method) {
  if (row.suffix != "/iam") return std::string(row.suffix) + std::string(method);
  return method == "testIamPermissions" ? "/iam/testPermissions" : "/iam";
}

/// The name as part of a URL: a slash within its last part is no separator.
Expected<std::string> EncodeName(const IamRow& row, const std::string& name) {
  if (!row.names.ends_with("=**}")) return cloud::EncodePath(name);
  std::size_t rest = 0;
  for (auto left = std::ranges::count(row.names, '/'); left > 0; --left) {
    rest = name.find('/', rest) + 1;
  }
  auto path = cloud::EncodePath(name.substr(0, rest - 1));
  if (!path) return path;
  return *path + "/" + cloud::EncodeSegment(name.substr(rest));
}

Expected<std::string> MakeUrl(const IamPolicyClient::Endpoint& endpoint,
                              const std::string& resource, std::string_view method) {
  auto path = EncodeName(endpoint.row, resource);
  if (!path) return path;
  return IamPolicyClient::BaseUrl(endpoint, resource) + "/" + std::string(endpoint.row.path) +
         *path + GetLastPart(endpoint.row, method);
}

cloud::HttpRequest MakeRequest(const IamRow& row, IamVerb verb, std::string url,
                               const char* operation, std::chrono::milliseconds timeout) {
  cloud::HttpRequest request;
  request.method = GetMethod(verb);
  request.url = std::move(url);
  request.headers.emplace_back("Accept", "application/json");
  request.timeout = timeout;
  request.service = row.service;
  request.operation = operation;
  return request;
}

void SetBody(cloud::HttpRequest& request, std::string body) {
  request.headers.emplace(request.headers.begin(), "Content-Type", "application/json");
  request.body = std::move(body);
}

}  // namespace

IamPolicyClient::IamPolicyClient(Endpoint endpoint, std::shared_ptr<cloud::Transport> transport,
                                 std::shared_ptr<cloud::Authorizer> authorizer)
    : endpoint_(std::move(endpoint)),
      transport_(std::move(transport)),
      authorizer_(std::move(authorizer)) {}

std::string IamPolicyClient::BaseUrl(const Endpoint& endpoint, const std::string& resource) {
  // The service's host is the last part of the base URL; another host (a proxy) stays.
  const IamRow& row = endpoint.row;
  constexpr std::string_view kPublicDomain = "googleapis.com";
  const std::string& base = endpoint.base_url;
  const std::string service = std::string(row.service) + ".";
  const auto begin = base.rfind('/') + 1;
  const bool usual = base.compare(begin, service.size(), service) == 0;
  if (row.location_host.empty() || !usual) return base;
  std::string host = GetHost(row, resource);
  if (host == row.host) return base;
  host.replace(host.size() - kPublicDomain.size(), kPublicDomain.size(),
               base.substr(begin + service.size()));
  return base.substr(0, begin) + host;
}

Expected<cloud::PolicyCall> IamPolicyClient::BuildGet(const Endpoint& endpoint,
                                                      const std::string& resource,
                                                      std::chrono::milliseconds timeout) {
  const IamRow& row = endpoint.row;
  auto url = MakeUrl(endpoint, resource, "getIamPolicy");
  if (!url) return Fail(std::move(url.error()));
  cloud::PolicyCall read;
  read.request = MakeRequest(row, row.get, std::move(*url), "getIamPolicy", timeout);
  // Without the version a policy with conditions comes back without the conditions, with renamed
  // roles.
  const Json version = {{"requestedPolicyVersion", kPolicyVersion}};
  switch (row.version_place) {
    case IamVersionPlace::kDottedQuery:
      read.request.url += "?options.requestedPolicyVersion=" + std::to_string(kPolicyVersion);
      break;
    case IamVersionPlace::kFlatQuery:
      read.request.url += "?optionsRequestedPolicyVersion=" + std::to_string(kPolicyVersion);
      break;
    case IamVersionPlace::kBody:
      SetBody(read.request, CompactJson({{"options", version}}));
      break;
    case IamVersionPlace::kNowhere:
      break;
  }
  read.dialect = &GoogleErrors();
  return read;
}

Expected<cloud::PolicyCall> IamPolicyClient::ReadEtag(const Endpoint& endpoint,
                                                      const std::string& resource,
                                                      std::chrono::milliseconds timeout) {
  auto read = BuildGet(endpoint, resource, timeout);
  if (!read) return read;
  std::string& url = read->request.url;
  url += url.find('?') == std::string::npos ? '?' : '&';
  url += "fields=etag";
  return read;
}

Expected<cloud::PolicyCall> IamPolicyClient::BuildSet(const Endpoint& endpoint,
                                                      const std::string& resource, NewPolicy policy,
                                                      std::chrono::milliseconds timeout) {
  const IamRow& row = endpoint.row;
  auto url = MakeUrl(endpoint, resource, "setIamPolicy");
  if (!url) return Fail(std::move(url.error()));
  policy.document["version"] = kPolicyVersion;  // Less would drop the conditions.
  std::string body = CompactJson(policy.document, policy.verbatim);
  if (!row.bare_body) {
    const char* mask = policy.writes_audit_configs ? "bindings,etag,auditConfigs" : "bindings,etag";
    body = R"({"policy":)" + body +
           (row.update_mask ? R"(,"updateMask":")" + std::string(mask) + "\"}" : "}");
  }
  cloud::PolicyCall write;
  write.request = MakeRequest(row, row.set, std::move(*url), "setIamPolicy", timeout);
  SetBody(write.request, std::move(body));
  write.dialect = &GoogleErrors();
  return write;
}

Expected<Json> IamPolicyClient::ParseResponse(const cloud::PolicyCall& call,
                                              const std::string& body) {
  auto policy = cloud::ParseObject(call.request, body);
  if (!policy) return policy;
  const std::string fault = FaultInPolicy(*policy);
  if (!fault.empty()) return Fail(cloud::ShapeError(call.request, fault));
  return policy;
}

Expected<std::vector<std::string>> IamPolicyClient::TestPermissions(
    const std::string& resource, const std::vector<std::string>& permissions,
    std::chrono::milliseconds timeout) const {
  const IamRow& row = endpoint_.row;
  auto url = MakeUrl(endpoint_, resource, "testIamPermissions");
  if (!url) return Fail(std::move(url.error()));
  cloud::HttpRequest request =
      MakeRequest(row, row.test, std::move(*url), "testIamPermissions", timeout);
  if (!TestsInQuery(row)) {
    SetBody(request, CompactJson({{"permissions", permissions}}));
  } else {
    for (const std::string& permission : permissions) {
      request.url += (request.url.find('?') == std::string::npos ? "?" : "&");
      request.url += "permissions=" + cloud::EncodeSegment(permission);
    }
  }
  const auto response = Exchange(*transport_, *authorizer_, request, GoogleErrors());
  if (!response) return Fail(response.error());
  const Expected<Json> answer = cloud::ParseObject(request, *response);
  if (!answer) return Fail(answer.error());
  if (const std::string fault = FaultInPermissions(*answer); !fault.empty()) {
    return Fail(cloud::ShapeError(request, fault));
  }
  const Json* list = FindMember(*answer, "permissions");
  if (list == nullptr) return std::vector<std::string>{};
  return list->get<std::vector<std::string>>();
}

}  // namespace bindery::google
