#include "providers/datadog/clients/restriction_policy_client.h"

#include <algorithm>
#include <utility>

#include "cloud/http_errors.h"
#include "core/base/json_text.h"
#include "providers/datadog/clients/api_call.h"

namespace bindery::datadog {
namespace {

constexpr const char* kService = "restrictionPolicy";
constexpr const char* kType = "restriction_policy";
constexpr const char* kRemove = "DELETE";

std::string Url(const std::string& base_url, const std::string& resource_id) {
  return base_url + "/api/v2/restriction_policy/" + cloud::EncodeSegment(resource_id);
}

/// An empty id would name the collection; dots would name something above it.
Expected<void> CheckId(const std::string& resource_id) {
  if (!resource_id.empty() && resource_id != "." && resource_id != "..") return {};
  return Fail(Code::kInvalidArgument, "\"" + resource_id + "\" is not a resource id");
}

Json EmptyPolicy(const std::string& resource_id) {
  Json document;
  document["data"]["type"] = kType;
  document["data"]["id"] = resource_id;
  document["data"]["attributes"]["bindings"] = Json::array();
  return document;
}

/// The error of a document's shape; empty when nothing is.
std::string ShapeFault(const Json& document) {
  const Json* data = FindMember(document, "data");
  const Json* attributes = data == nullptr ? nullptr : FindMember(*data, "attributes");
  const Json* bindings = attributes == nullptr ? nullptr : FindMember(*attributes, "bindings");
  if (bindings == nullptr || !bindings->is_array()) {
    return "a policy without a list data.attributes.bindings";
  }
  if (StringMember(*data, "type") != kType) return "a document that is not a restriction policy";
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

/// A policy must belong to the requested resource.
std::string IdFault(const Json& document, const std::string& asked) {
  const Json* id = FindMember(*FindMember(document, "data"), "id");
  if (id == nullptr || !id->is_string()) return "a policy that does not say of which resource";
  if (id->get<std::string>() == asked) return "";
  return "the policy of \"" + cloud::OneLine(id->get<std::string>()) + "\"";
}

/// The document of an empty policy.
std::string EmptyBody(const std::string& resource_id) {
  return CompactJson(EmptyPolicy(resource_id));
}

Expected<cloud::PolicyCall> CallOn(const std::string& resource_id, cloud::HttpRequest request,
                                   std::chrono::milliseconds timeout) {
  if (auto checked = CheckId(resource_id); !checked) return Fail(std::move(checked.error()));
  return DatadogCall(std::move(request), kService, timeout, resource_id);
}

}  // namespace

Expected<cloud::PolicyCall> RestrictionPolicyClient::BuildGet(const std::string& base_url,
                                                              const std::string& resource_id,
                                                              std::chrono::milliseconds timeout) {
  return CallOn(resource_id, DatadogRequest("GET", Url(base_url, resource_id), "get"), timeout);
}

Expected<cloud::PolicyCall> RestrictionPolicyClient::BuildSet(const std::string& base_url,
                                                              const std::string& resource_id,
                                                              const Json& document,
                                                              std::chrono::milliseconds timeout) {
  return CallOn(resource_id, DatadogRequest("POST", Url(base_url, resource_id), "post", document),
                timeout);
}

Expected<cloud::PolicyCall> RestrictionPolicyClient::Removing(const std::string& base_url,
                                                              const std::string& resource_id,
                                                              std::chrono::milliseconds timeout) {
  auto removal =
      CallOn(resource_id, DatadogRequest(kRemove, Url(base_url, resource_id), "delete"), timeout);
  if (!removal) return removal;
  removal->body_when_absent = EmptyBody(resource_id);
  return removal;
}

Expected<Json> RestrictionPolicyClient::ParseResponse(const cloud::PolicyCall& call,
                                                      const std::string& body) {
  const bool removal = call.request.method == kRemove;
  // The service answers 204 without a body: anything else was said by somebody before it.
  if (removal && body.empty()) return ParseJson(call.body_when_absent);
  auto document = cloud::ParseObject(call.request, body);
  if (!document) return document;
  if (removal) return ParseJson(call.body_when_absent);
  std::string fault = ShapeFault(*document);
  if (fault.empty()) fault = IdFault(*document, call.expected_id);
  if (!fault.empty()) return Fail(cloud::ShapeError(call.request, fault));
  return document;
}

}  // namespace bindery::datadog
