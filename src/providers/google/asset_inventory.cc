// Cloud Asset Inventory as the index of Google Cloud (cloudasset v1, discovery rev 20261017).

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cloud/http_errors.h"
#include "cloud/policy_call.h"
#include "core/base/member_text.h"
#include "core/text/digest.h"
#include "manifests/schema/check_text.h"
#include "providers/google/asset_results.h"
#include "providers/google/clients/cloud_identity.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/clients/privileged_access.h"
#include "providers/google/rows/asset_types.h"
#include "providers/google/rows/iam_rows.h"
#include "providers/google/settings.h"
#include "providers/inventory_source.h"

namespace bindery::google {

const providers::InventorySource& GoogleInventory();

namespace {

constexpr std::string_view kResults = "results";
constexpr std::string_view kProjectNames = "projects/";
constexpr std::string_view kProjectType = "cloudresourcemanager.googleapis.com/Project";
constexpr std::string_view kDenyType = "iam.googleapis.com/PolicyV2";
constexpr std::string_view kBoundaryType = "iam.googleapis.com/PrincipalAccessBoundaryPolicy";
constexpr std::string_view kBoundaryBindingType = "iam.googleapis.com/PolicyBinding";
constexpr std::string_view kDatasetType = "bigquery.googleapis.com/Dataset";
/// In InventoryPage::others: results that are in no known form.
constexpr std::string_view kUnknownForm = "?";
constexpr std::array kListedTypes = {kProjectType, kFolderAsset,  kOrganizationAsset,
                                     kDenyType,    kBoundaryType, kBoundaryBindingType,
                                     kDatasetType};
/// The most that Cloud Asset gives at once.
constexpr const char* kAssetPageSize = "500";
/// 500 policies of 1,500 members fit.
constexpr std::size_t kMostBytes = 128U << 20U;
/// The slowest row of Google's list of freshness, for policies (asset types, 2026-04-10).
constexpr std::chrono::hours kOldest{36};

constexpr std::array<providers::InventoryStep, 2> kSteps = {
    {{"the hierarchy", false}, {"policies", true}}};
constexpr std::size_t kPolicies = 1;

bool IsContainerType(std::string_view type) {
  return type == kProjectType || type == kFolderAsset || type == kOrganizationAsset;
}

/// A policy without a list of bindings, as one with audit settings alone, grants nothing.
bool HasNoBindings(const Json& result) {
  const Json* policy = FindMember(result, "policy");
  const bool is_policy = !StringMember(result, "resource").empty() &&
                         (policy == nullptr || policy->is_null() || policy->is_object());
  if (!is_policy) return false;
  const Json* bindings = policy == nullptr ? nullptr : FindMember(*policy, "bindings");
  return bindings == nullptr || bindings->is_null();
}

/// A search shows a project by its id. If a project comes by its number, the id is an attribute.
InventoryContainer ContainerIn(const Json& result) {
  InventoryContainer container;
  container.name = ContainerOfAsset(StringMember(result, "name"));
  container.parent = ContainerOfAsset(StringMember(result, "parentFullResourceName"));
  container.shown = StringMember(result, "displayName");
  container.state = StringMember(result, "state");
  if (container.name.starts_with(kProjectNames)) {
    const std::string number = StringMember(result, "project");
    const Json* id = FindPath(result, {"additionalAttributes", "projectId"});
    if (container.name == number && id != nullptr && id->is_string()) {
      container.name = std::string(kProjectNames) + id->get<std::string>();
    }
    if (container.name != number) container.number = number;
  }
  return container;
}

void AddPolicy(const Json& result, InventoryPage& page) {
  auto policy = PolicyOfAsset(result);
  if (policy) {
    page.policies.push_back(*std::move(policy));
  } else if (!HasNoBindings(result)) {
    ++page.others[std::string(kUnknownForm)];
  }
}

void AddAsset(const Json& result, InventoryPage& page) {
  const std::string type = StringMember(result, "assetType");
  if (!type.empty() && !IsContainerType(type)) {
    ++page.others[type];
    return;
  }
  auto container = ContainerIn(result);
  if (type.empty() || container.name.empty()) {
    ++page.others[std::string(kUnknownForm)];
  } else {
    page.containers.push_back(std::move(container));
  }
}

/// The error of an answer's shape: what is left out of a list without a word would look as if the
/// list were over.
std::string SearchFault(const Json& answer) {
  const Json* next = FindMember(answer, "nextPageToken");
  if (next != nullptr && !next->is_null() && !next->is_string()) {
    return "an answer whose nextPageToken is no text";
  }
  const Json* results = FindMember(answer, kResults);
  const bool listed = results == nullptr || results->is_null() || results->is_array();
  return listed ? "" : "an answer whose results are no list";
}

/// Of an answer without a SearchFault().
InventoryPage PageIn(const Json& answer, bool policies) {
  InventoryPage page;
  page.next = StringMember(answer, "nextPageToken");
  const Json* results = FindMember(answer, kResults);
  if (results == nullptr || !results->is_array()) return page;
  for (const Json& result : *results) {
    if (policies) {
      AddPolicy(result, page);
    } else {
      AddAsset(result, page);
    }
  }
  return page;
}

/// The answer without its results, so that nothing of these is parsed.
std::string Without(const std::string& body, std::string_view results) {
  const auto begin = static_cast<std::size_t>(results.data() - body.data());
  return body.substr(0, begin) + "[]" + body.substr(begin + results.size());
}

std::int64_t GetCount(const InventoryRecord& scan, std::string_view type) {
  const auto found = scan.others.find(std::string(type));
  return found == scan.others.end() ? 0 : found->second;
}

/// "deny policies: 3 found, none is read"
std::string FoundOnly(std::string_view what, std::int64_t count) {
  return std::string(what) + ": " + std::to_string(count) + " found, none is read";
}

/// The types of resources that a search does not show.
std::string KindsNotShown() {
  std::size_t all = 0;
  std::vector<std::string_view> missing;
  for (const IamRow& row : BuiltInIamRows()) {
    ++all;
    if (GetAssetType(row).empty()) missing.push_back(row.id);
  }
  std::string text =
      "resource types that Cloud Asset does not search: " + std::to_string(missing.size()) +
      " of " + std::to_string(all) + ":";
  for (const std::string_view id : missing) text += " " + std::string(id);
  return text;
}

class AssetInventory final : public providers::InventorySource {
 public:
  [[nodiscard]] std::string_view provider_type() const override { return "cloudnative"; }

  [[nodiscard]] Expected<std::string> ReadScope(const std::string& text) const override {
    const auto slash = text.find('/');
    const std::string kind = text.substr(0, slash);
    const std::string id = slash == std::string::npos ? "" : text.substr(slash + 1);
    const bool numbered =
        (kind == "organizations" || kind == "folders") && manifests::IsDecimal(id);
    const bool project =
        kind == "projects" && !id.empty() &&
        id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.:") == std::string::npos;
    if (numbered || project) return text;
    return Fail(
        Code::kInvalidArgument,
        "\"" + text + "\" is no scope: write organizations/NUMBER, folders/NUMBER or projects/ID");
  }

  [[nodiscard]] providers::InventoryPlan ComposePlan(
      const providers::ProviderConfig& config) const override {
    const auto& own = config.own.Of<GoogleSettings>();
    return {own.scan_scope, own.scan_interval, own.scan_hints};
  }

  [[nodiscard]] std::vector<std::string> ListGroupFiles(
      const providers::ProviderConfig& config) const override {
    return config.own.Of<GoogleSettings>().group_files;
  }

  [[nodiscard]] providers::GroupPlan GetGroups(
      const providers::ProviderConfig& config) const override {
    const auto& own = config.own.Of<GoogleSettings>();
    const bool asked = own.group_source == GroupsFrom::kService;
    return {asked ? &CloudIdentity() : nullptr, own.group_max_age};
  }

  [[nodiscard]] std::vector<std::string> ListRoleFiles(
      const providers::ProviderConfig& config) const override {
    return config.own.Of<GoogleSettings>().role_files;
  }

  [[nodiscard]] std::span<const providers::InventoryStep> Steps() const override { return kSteps; }

  [[nodiscard]] Expected<InventoryPage> Read(
      const cloud::Connection& connection,
      const providers::InventoryQuestion& question) const override {
    const std::string& url = connection.BaseUrl(kCloudAsset);
    if (url.empty()) return Fail(Code::kUnimplemented, "the provider has no Cloud Asset service");
    const bool policies = question.step == kPolicies;
    auto scope = cloud::EncodePath(question.scope);
    if (!scope) return Fail(scope.error());
    cloud::PolicyCall call;
    call.request.operation = policies ? "searchAllIamPolicies" : "searchAllResources";
    call.request.url = url + "/v1/" + *scope + ":" + call.request.operation +
                       "?pageSize=" + kAssetPageSize + "&orderBy=assetType%2C" +
                       (policies ? "resource" : "name");
    if (!policies) {
      for (const std::string_view type : kListedTypes) {
        call.request.url += "&assetTypes=" + std::string(type);
      }
    }
    if (!question.token.empty()) {
      call.request.url += "&pageToken=" + cloud::EncodeSegment(question.token);
    }
    call.request.headers.emplace_back("Accept", "application/json");
    call.request.timeout = question.timeout;
    call.request.max_response_bytes = kMostBytes;
    call.request.service = kCloudAsset;
    call.dialect = &GoogleErrors();
    const auto body = cloud::Send(call, *connection.transport, *connection.authorizer);
    if (!body) return Fail(body.error());
    // What the index says besides the policies, as times of changes, is not compared.
    const std::string_view results =
        policies && question.digest ? MemberText(*body, kResults) : std::string_view();
    const bool compare = question.compare && !results.empty();
    const auto answer = cloud::ParseObject(call.request, compare ? Without(*body, results) : *body);
    if (!answer) return Fail(answer.error());
    const std::string fault = SearchFault(*answer);
    if (!fault.empty()) return Fail(cloud::ShapeError(call.request, fault));
    InventoryPage page = PageIn(*answer, policies);
    if (!results.empty()) page.digest = Sha256Hex(results);
    return page;
  }

  [[nodiscard]] Expected<InventoryPage> ReadExport(const Json& results) const override {
    return PoliciesOfExport(results);
  }

  [[nodiscard]] std::string JudgedAs() const override { return "pubsub:Topic"; }
  [[nodiscard]] TypeToken GetWholePolicy(const TypeToken& binding) const override {
    constexpr std::string_view kBinding = "IamBinding";
    if (!binding.kind.ends_with(kBinding)) return {};
    const std::string type = binding.kind.substr(0, binding.kind.size() - kBinding.size());
    return {binding.api_version, type + "IamPolicy"};
  }
  [[nodiscard]] std::chrono::hours MayBeOld() const override { return kOldest; }

  [[nodiscard]] std::vector<std::string> NotLookedAt(const InventoryRecord& scan) const override {
    std::vector<std::string> lines = {
        FoundOnly("deny policies", GetCount(scan, kDenyType)),
        FoundOnly("principal access boundary policies", GetCount(scan, kBoundaryType)),
        FoundOnly("bindings of principal access boundary policies",
                  GetCount(scan, kBoundaryBindingType)),
        "access policies of IAM v3: Cloud Asset does not list them",
        "members of groups and domains, and who projectOwner: and the like stand for",
        "legacy access control lists of buckets and objects",
        FoundOnly("access entries of BigQuery datasets", GetCount(scan, kDatasetType)),
        "policies of Identity-Aware Proxy other than those of tunnel destination groups",
        KindsNotShown()};
    if (const std::int64_t count = GetCount(scan, kUnknownForm); count > 0) {
      lines.push_back("results of Cloud Asset in an unknown form: " + std::to_string(count));
    }
    return lines;
  }
};

}  // namespace

const providers::InventorySource& GoogleInventory() {
  static const AssetInventory kInventory;
  return kInventory;
}

}  // namespace bindery::google
