#include "providers/google/iam_policy_client.h"

#include <algorithm>
#include <utility>

#include "cloud/http_errors.h"
#include "providers/google/error_dialect.h"

namespace bindery {
namespace {

constexpr int kPolicyVersion = 3;

bool IsText(const Json* member) { return member != nullptr && member->is_string(); }

/// What is wrong with a policy's shape; empty when nothing is. Unknown members are none of our
/// business.
std::string FaultInPolicy(const Json& policy) {
  if (FindMember(policy, "error") != nullptr || FindMember(policy, "errors") != nullptr) {
    return "an error instead of a policy";
  }
  const Json* etag = FindMember(policy, "etag");
  if (etag != nullptr && !etag->is_string()) return "a policy whose etag is not a string";
  // These services give one with every policy, also with an empty one. What has none is no policy,
  // and what would be written after it would replace whatever is there.
  if (StringMember(policy, "etag").empty()) return "a policy without an etag";
  const Json* bindings = FindMember(policy, "bindings");
  if (bindings == nullptr) return "";
  if (!bindings->is_array()) return "a policy whose bindings are not a list";
  for (const Json& binding : *bindings) {
    if (!IsText(FindMember(binding, "role"))) return "a policy with a binding without a role";
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

std::string FaultInPermissions(const Json& answer) {
  const Json* list = FindMember(answer, "permissions");
  if (list == nullptr) return "";  // None of them.
  const bool texts = list->is_array() && std::ranges::all_of(*list, [](const Json& permission) {
                       return permission.is_string();
                     });
  return texts ? "" : "permissions that are not a list of strings";
}

}  // namespace

IamPolicyClient::IamPolicyClient(Endpoint endpoint, std::shared_ptr<Transport> transport,
                                 std::shared_ptr<Authorizer> authorizer)
    : endpoint_(std::move(endpoint)),
      transport_(std::move(transport)),
      authorizer_(std::move(authorizer)) {}

Expected<PolicyCall> IamPolicyClient::Reading(const Endpoint& endpoint, const std::string& resource,
                                              std::chrono::milliseconds timeout) {
  auto path = cloud_internal::EncodePath(resource);
  if (!path) return Fail(std::move(path.error()));
  PolicyCall read;
  // Without the parameter a policy with conditions comes back without them, its roles renamed.
  read.request.url =
      endpoint.base_url + "/v1/" + *path +
      ":getIamPolicy?options.requestedPolicyVersion=" + std::to_string(kPolicyVersion);
  read.request.headers.emplace_back("Accept", "application/json");
  read.request.timeout = timeout;
  read.request.service = endpoint.service;
  read.request.operation = "getIamPolicy";
  read.dialect = &GoogleErrors();
  return read;
}

Expected<PolicyCall> IamPolicyClient::Writing(const Endpoint& endpoint, const std::string& resource,
                                              Json policy, std::chrono::milliseconds timeout) {
  auto path = cloud_internal::EncodePath(resource);
  if (!path) return Fail(std::move(path.error()));
  Json body = Json::object();
  body["policy"] = std::move(policy);
  body["policy"]["version"] = kPolicyVersion;  // Less would drop the conditions.
  // Audit settings are not in the mask: they stay as they are.
  body["updateMask"] = "bindings,etag";
  PolicyCall write;
  write.request.method = "POST";
  write.request.url = endpoint.base_url + "/v1/" + *path + ":setIamPolicy";
  write.request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  write.request.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  write.request.timeout = timeout;
  write.request.service = endpoint.service;
  write.request.operation = "setIamPolicy";
  write.dialect = &GoogleErrors();
  return write;
}

Expected<Json> IamPolicyClient::Understand(const PolicyCall& call, const std::string& body) {
  auto policy = cloud_internal::ParseObject(call.request, body);
  if (!policy) return policy;
  const std::string fault = FaultInPolicy(*policy);
  if (!fault.empty()) return Fail(cloud_internal::ShapeError(call.request, fault));
  return policy;
}

Expected<std::vector<std::string>> IamPolicyClient::TestPermissions(
    const std::string& resource, const std::vector<std::string>& permissions,
    std::chrono::milliseconds timeout) const {
  auto path = cloud_internal::EncodePath(resource);
  if (!path) return Fail(std::move(path.error()));
  HttpRequest request;
  request.method = "POST";
  request.url = endpoint_.base_url + "/v1/" + *path + ":testIamPermissions";
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  request.body = Json{{"permissions", permissions}}.dump();
  request.timeout = timeout;
  request.service = endpoint_.service;
  request.operation = "testIamPermissions";
  const auto response =
      cloud_internal::Exchange(*transport_, *authorizer_, request, GoogleErrors());
  if (!response) return Fail(response.error());
  const Expected<Json> answer = cloud_internal::ParseObject(request, *response);
  if (!answer) return Fail(answer.error());
  if (const std::string fault = FaultInPermissions(*answer); !fault.empty()) {
    return Fail(cloud_internal::ShapeError(request, fault));
  }
  const Json* list = FindMember(*answer, "permissions");
  if (list == nullptr) return std::vector<std::string>{};
  return list->get<std::vector<std::string>>();
}

}  // namespace bindery
