// Policies as gcloud prints them: of one resource, which the text does not name, or of many, found
// by a search.

#include <utility>
#include <vector>

#include "convert/exports.h"
#include "convert/nodes.h"
#include "convert/programs.h"
#include "convert/shapes/shape.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/validate.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

/// "projects/acme/topics/t" of "//pubsub.example.com/projects/acme/topics/t".
std::string NameBehindHost(const std::string& resource) {
  const std::size_t slash = resource.find('/', 2);
  return slash == std::string::npos ? resource : resource.substr(slash + 1);
}

/// Of a policy, as far as other checks do not look at the values.
constexpr ExpectedShape kShapesOfGcloudPolicy[] = {
    {"bindings", Shape::kList},
    {"bindings[]", Shape::kMap},
    {"bindings[].members", Shape::kList},
    {"bindings[].condition", Shape::kMap},
    {"bindings[].condition.*", Shape::kText},
    {"auditConfigs", Shape::kList},
    {"auditConfigs[]", Shape::kMap},
    {"auditConfigs[].auditLogConfigs", Shape::kList},
    {"auditConfigs[].auditLogConfigs[]", Shape::kMap},
    {"auditConfigs[].auditLogConfigs[].exemptedMembers", Shape::kList},
};
/// Of a result, likewise.
constexpr ExpectedShape kShapesOfResult[] = {
    {"assetType", Shape::kText}, {"explanation", Shape::kMap},
    {"resource", Shape::kText},  {"explanation.matchedPermissions", Shape::kMap},
    {"name", Shape::kText},      {"policy", Shape::kMap},
    {"iamPolicy", Shape::kMap},
};

constexpr const char* kPartOfPolicy =
    "the search asked for permissions, and shows only the bindings that have these: search without "
    "a query";

/// The result of a search with a query holds only the bindings that match the query.
bool IsPartOfPolicy(const Node& result) {
  const Node* explanation = MapUnder(result, "explanation");
  const Node* matched = explanation == nullptr ? nullptr : explanation->Find("matchedPermissions");
  return matched != nullptr && !matched->fields.empty();
}

class GcloudPolicies final : public Exports {
 public:
  using Exports::Exports;
  /// One policy of that resource.
  void TakePolicy(const Node& policy, const std::string& resource, const std::string& path,
                  const std::string& fault = "");
  /// Results of a search.
  void TakeResults(const std::vector<const Node*>& results, yaml::Position at);
  using Exports::TellPassedOver;

 private:
  void TakeResult(const Node& result, const std::string& path);

  bool told_of_queries_ = false;
};

void GcloudPolicies::TakePolicy(const Node& policy, const std::string& resource,
                                const std::string& path, const std::string& fault) {
  ExportedResource made;
  made.fault = fault;
  made.address = resource;
  made.name = NameBehindHost(resource);
  made.at = policy.at;
  const manifests::KindSchema* kind = facts().policy_kind ? facts().policy_kind(resource) : nullptr;
  if (kind == nullptr) {
    return LeaveOut(policy.at, path,
                    "the whole policy: bindery has no kind for " + manifests::Quote(resource));
  }
  made.of = {kind, nullptr};
  made.values = MapNode(policy.at);
  if (ReportShapes(policy, kShapesOfGcloudPolicy, path)) {
    // Half of a policy would take the other half away.
    made.fault = "some of its policy has a wrong form";
    Put(made.values, "name", TextNode(resource, policy.at));
    return Take(std::move(made));
  }
  const Node* bindings = ListUnder(policy, "bindings");
  const Node* audit = ListUnder(policy, "auditConfigs");
  if ((bindings == nullptr || bindings->items.empty()) && audit == nullptr) {
    // Bindings may stand there under another key.
    if (ReportUnknown(policy, "version etag bindings auditConfigs name kind resourceId", path)) {
      return;
    }
    return PassOver("policy that grants nothing", "policies that grant nothing");
  }
  made.values = policy;
  EraseFrom(made.values, "name");
  Put(made.values, "name", TextNode(resource, policy.at));
  Take(std::move(made));
}

void GcloudPolicies::TakeResult(const Node& result, const std::string& path) {
  // Two commands: asset search-all-iam-policies, and asset list --content-type=iam-policy.
  ReportUnknown(result,
                "assetType explanation folders organization policy project resource ancestors "
                "iamPolicy name updateTime",
                path);
  const Node* explanation = MapUnder(result, "explanation");
  if (explanation != nullptr) {
    ReportUnknown(*explanation, "matchedPermissions", path + ".explanation");
  }
  const bool known = !ReportShapes(result, kShapesOfResult, path);
  const Node* policy = MapUnder(result, "policy");
  const std::string resource = TextUnder(result, policy == nullptr ? "name" : "resource");
  if (policy == nullptr) policy = MapUnder(result, "iamPolicy");
  if (policy == nullptr || resource.empty()) {
    return LeaveOut(result.at, path, "it has no policy, or names no resource");
  }
  const bool searched = result.Find("policy") != nullptr;
  if (searched && !std::exchange(told_of_queries_, true)) {
    Note(result.at, "",
         "a search with a query shows only the bindings that match: convert the results of a "
         "search without a query");
  }
  const char* const fault = known ? "" : "some of the result has a wrong form";
  TakePolicy(*policy, resource, path, IsPartOfPolicy(result) ? kPartOfPolicy : fault);
}

void GcloudPolicies::TakeResults(const std::vector<const Node*>& results, yaml::Position at) {
  if (results.empty()) Note(at, "", "the list is empty: the search found no policy");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string path = ItemPath("", i);
    const Node& result = *results[i];
    if (result.kind == NodeKind::kMap) {
      TakeResult(result, path);
    } else {
      LeaveOut(result.at, path, "expected a map, found " + WhatIs(result));
    }
  }
}

}  // namespace

void ConvertGcloudPolicies(const std::vector<Node>& documents, const ConvertWish& wish,
                           const manifests::KindSchemas& kinds, Conversion& conversion) {
  GcloudPolicies policies(conversion, kinds, wish.facts);
  const Node& first = documents.front();
  const bool one =
      documents.size() == 1 && first.kind == NodeKind::kMap && first.Find("assetType") == nullptr;
  if (one) {
    policies.TakePolicy(first, wish.target, "");
  } else {
    // The output of several commands may be several lists.
    std::vector<const Node*> results;
    for (const Node& document : documents) {
      if (document.kind != NodeKind::kList) results.push_back(&document);
      for (const Node& item : document.items) results.push_back(&item);
    }
    policies.TakeResults(results, first.at);
  }
  policies.TellPassedOver(first.at);
}

}  // namespace bindery::convert
