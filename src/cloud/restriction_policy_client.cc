#include "cloud/restriction_policy_client.h"

#include <algorithm>
#include <utility>

#include "cloud/http_errors.h"

namespace bindery {
namespace {

constexpr const char* kService = "restrictionPolicy";

std::string Url(const std::string& base_url, const std::string& resource_id) {
  return base_url + "/api/v2/restriction_policy/" + cloud_internal::EncodeSegment(resource_id);
}

/// An empty id would name the collection; dots would name something above it.
Expected<void> CheckId(const std::string& resource_id) {
  if (!resource_id.empty() && resource_id != "." && resource_id != "..") return {};
  return Fail(Code::kInvalidArgument, "\"" + resource_id + "\" is not a resource id");
}

Json EmptyPolicy(const std::string& resource_id) {
  Json document;
  document["data"]["type"] = "restriction_policy";
  document["data"]["id"] = resource_id;
  document["data"]["attributes"]["bindings"] = Json::array();
  return document;
}

/// What is wrong with a document's shape; empty when nothing is.
std::string ShapeFault(const Json& document) {
  const Json* data = FindMember(document, "data");
  const Json* attributes = data == nullptr ? nullptr : FindMember(*data, "attributes");
  const Json* bindings = attributes == nullptr ? nullptr : FindMember(*attributes, "bindings");
  if (bindings == nullptr || !bindings->is_array()) {
    return "a policy without a list data.attributes.bindings";
  }
  for (const Json& binding : *bindings) {
    const Json* relation = FindMember(binding, "relation");
    if (relation == nullptr || !relation->is_string()) {
      return "a policy with a binding without a relation";
    }
    const Json* principals = FindMember(binding, "principals");
    if (principals == nullptr || !principals->is_array() ||
        !std::ranges::all_of(*principals, [](const Json& item) { return item.is_string(); })) {
      return "a policy with principals that are not a list of strings";
    }
  }
  return "";
}

Expected<Json> PolicyIn(const HttpRequest& request, const std::string& body) {
  auto document = cloud_internal::ParseObject(request, body);
  if (!document) return document;
  const std::string fault = ShapeFault(*document);
  if (!fault.empty()) return Fail(cloud_internal::ShapeError(request, fault));
  return document;
}

}  // namespace

RestrictionPolicyClient::RestrictionPolicyClient(std::string base_url,
                                                 std::shared_ptr<Transport> transport,
                                                 std::shared_ptr<Authorizer> authorizer)
    : base_url_(std::move(base_url)),
      transport_(std::move(transport)),
      authorizer_(std::move(authorizer)) {}

Expected<PolicyRead> RestrictionPolicyClient::Reading(const std::string& base_url,
                                                      const std::string& resource_id,
                                                      std::chrono::milliseconds timeout) {
  if (auto checked = CheckId(resource_id); !checked) return Fail(std::move(checked.error()));
  PolicyRead read;
  read.request.url = Url(base_url, resource_id);
  read.request.headers.emplace_back("Accept", "application/json");
  read.request.timeout = timeout;
  read.request.service = kService;
  read.request.operation = "get";
  read.dialect = ErrorDialect::kDatadog;
  read.body_when_absent =
      EmptyPolicy(resource_id).dump(-1, ' ', false, Json::error_handler_t::replace);
  return read;
}

Expected<Json> RestrictionPolicyClient::Understand(const PolicyRead& read,
                                                   const std::string& body) {
  return PolicyIn(read.request, body);
}

Expected<Json> RestrictionPolicyClient::Get(const std::string& resource_id,
                                            std::chrono::milliseconds timeout) const {
  auto read = Reading(base_url_, resource_id, timeout);
  if (!read) return Fail(std::move(read.error()));
  auto body = Fetch(*read, *transport_, *authorizer_);
  if (!body) return Fail(std::move(body.error()));
  return Understand(*read, *body);
}

Expected<Json> RestrictionPolicyClient::Post(const std::string& resource_id, const Json& document,
                                             std::chrono::milliseconds timeout) const {
  if (auto checked = CheckId(resource_id); !checked) return Fail(std::move(checked.error()));
  HttpRequest request;
  request.method = "POST";
  request.url = Url(base_url_, resource_id);
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  request.timeout = timeout;
  request.service = kService;
  request.operation = "post";
  auto response = Call(request);
  if (!response) return Fail(std::move(response.error()));
  return PolicyIn(request, response->body);
}

Expected<void> RestrictionPolicyClient::Delete(const std::string& resource_id,
                                               std::chrono::milliseconds timeout) const {
  if (auto checked = CheckId(resource_id); !checked) return Fail(std::move(checked.error()));
  HttpRequest request;
  request.method = "DELETE";
  request.url = Url(base_url_, resource_id);
  request.timeout = timeout;
  request.service = kService;
  request.operation = "delete";
  const auto response = Call(request);
  if (!response) {
    if (response.error().code == Code::kNotFound) return {};
    return Fail(response.error());
  }
  // The service answers 204 without a body: anything else was said by somebody before it.
  if (response->body.empty()) return {};
  if (auto answer = cloud_internal::ParseObject(request, *response); !answer) {
    return Fail(std::move(answer.error()));
  }
  return {};
}

Expected<HttpResponse> RestrictionPolicyClient::Call(HttpRequest request) const {
  request.headers.emplace_back("Accept", "application/json");
  return cloud_internal::Exchange(*transport_, *authorizer_, request, ErrorDialect::kDatadog);
}

}  // namespace bindery
