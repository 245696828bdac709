#include "cloud/iam_policy_client.h"

#include <algorithm>
#include <utility>

#include "cloud/http_errors.h"

namespace bindery {
namespace {

constexpr int kPolicyVersion = 3;

bool IsText(const Json* member) { return member != nullptr && member->is_string(); }

/// What is wrong with a policy's shape; empty when nothing is. Unknown members are none of our
/// business.
std::string FaultInPolicy(const Json& policy) {
  const Json* etag = FindMember(policy, "etag");
  if (etag != nullptr && !etag->is_string()) return "a policy whose etag is not a string";
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

Expected<PolicyRead> IamPolicyClient::Reading(const Endpoint& endpoint, const std::string& resource,
                                              std::chrono::milliseconds timeout) {
  auto path = cloud_internal::EncodePath(resource);
  if (!path) return Fail(std::move(path.error()));
  PolicyRead read;
  // Without the parameter a policy with conditions comes back without them, its roles renamed.
  read.request.url =
      endpoint.base_url + "/v1/" + *path +
      ":getIamPolicy?options.requestedPolicyVersion=" + std::to_string(kPolicyVersion);
  read.request.headers.emplace_back("Accept", "application/json");
  read.request.timeout = timeout;
  read.request.service = endpoint.service;
  read.request.operation = "getIamPolicy";
  read.dialect = ErrorDialect::kGoogle;
  return read;
}

Expected<Json> IamPolicyClient::Understand(const PolicyRead& read, const std::string& body) {
  auto policy = cloud_internal::ParseObject(read.request, body);
  if (!policy) return policy;
  const std::string fault = FaultInPolicy(*policy);
  if (!fault.empty()) return Fail(cloud_internal::ShapeError(read.request, fault));
  return policy;
}

Expected<Json> IamPolicyClient::GetPolicy(const std::string& resource,
                                          std::chrono::milliseconds timeout) const {
  auto read = Reading(endpoint_, resource, timeout);
  if (!read) return Fail(std::move(read.error()));
  auto body = Fetch(*read, *transport_, *authorizer_);
  if (!body) return Fail(std::move(body.error()));
  return Understand(*read, *body);
}

Expected<Json> IamPolicyClient::SetPolicy(const std::string& resource, Json policy,
                                          std::chrono::milliseconds timeout) const {
  auto path = cloud_internal::EncodePath(resource);
  if (!path) return Fail(std::move(path.error()));
  Json body = Json::object();
  body["policy"] = std::move(policy);
  body["policy"]["version"] = kPolicyVersion;  // Less would drop the conditions.
  // Audit settings are not in the mask: they stay as they are.
  body["updateMask"] = "bindings,etag";
  HttpRequest request;
  request.method = "POST";
  request.url = endpoint_.base_url + "/v1/" + *path + ":setIamPolicy";
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  request.timeout = timeout;
  request.operation = "setIamPolicy";
  return Call(std::move(request), FaultInPolicy);
}

Expected<std::vector<std::string>> IamPolicyClient::TestPermissions(
    const std::string& resource, const std::vector<std::string>& permissions,
    std::chrono::milliseconds timeout) const {
  auto path = cloud_internal::EncodePath(resource);
  if (!path) return Fail(std::move(path.error()));
  HttpRequest request;
  request.method = "POST";
  request.url = endpoint_.base_url + "/v1/" + *path + ":testIamPermissions";
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = Json{{"permissions", permissions}}.dump();
  request.timeout = timeout;
  request.operation = "testIamPermissions";
  const Expected<Json> answer = Call(std::move(request), FaultInPermissions);
  if (!answer) return Fail(answer.error());
  const Json* list = FindMember(*answer, "permissions");
  if (list == nullptr) return std::vector<std::string>{};
  return list->get<std::vector<std::string>>();
}

Expected<Json> IamPolicyClient::Call(HttpRequest request, ShapeCheck fault_in) const {
  request.service = endpoint_.service;
  request.headers.emplace_back("Accept", "application/json");
  auto response =
      cloud_internal::Exchange(*transport_, *authorizer_, request, ErrorDialect::kGoogle);
  if (!response) return Fail(std::move(response.error()));
  auto answer = cloud_internal::ParseObject(request, *response);
  if (!answer) return answer;
  const std::string fault = fault_in(*answer);
  if (fault.empty()) return answer;
  Error error = cloud_internal::ShapeError(request, fault);
  error.http_status = response->status;
  return Fail(std::move(error));
}

}  // namespace bindery
