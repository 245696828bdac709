// Datadog datasets: the roles and teams that may see the data of some filters.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"
#include "providers/datadog/clients/dataset_client.h"
#include "providers/datadog/listed_policy.h"
#include "providers/datadog/principals.h"
#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "reconcilers/bindings.h"

namespace bindery::datadog {
namespace {

constexpr const char* kDatasetViewer = "viewer";
constexpr const char* kDatasetFilter = "filter";

/// Without one of its filters, data is open to everyone in the organization.
std::optional<Severity> LossInDataset(const Grant& grant) {
  if (grant.role == kDatasetFilter) return Severity::kHigh;
  return std::nullopt;
}

const GrantSeverities& DatasetSeverities() {
  static const GrantSeverities kSeverities = {.of_loss = LossInDataset};
  return kSeverities;
}

const reconcilers::DiffRules& DatasetRules() {
  static const reconcilers::DiffRules kRules{DatasetPrincipals(), DatasetSchema().token.kind,
                                             &DatasetSeverities()};
  return kRules;
}

/// The texts of a list of a document or a spec.
std::vector<std::string> GetTexts(const Json& holder, std::string_view name) {
  std::vector<std::string> texts;
  const Json* list = FindMember(holder, name);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& item : *list) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

/// A principal is one grant, and so is a filter: "logs service:web". Each can be added
/// and removed alone. No product has a blank, no principal has a blank before its
/// colon.
std::vector<Grant> GrantsOfDataset(const Json& holder, std::string_view filters_name) {
  std::vector<Grant> grants;
  for (std::string& principal : GetTexts(holder, "principals")) {
    grants.push_back({kDatasetViewer, std::move(principal)});
  }
  const Json* entries = FindMember(holder, filters_name);
  if (entries == nullptr || !entries->is_array()) return grants;
  for (const Json& entry : *entries) {
    const std::string product = StringMember(entry, "product");
    for (const std::string& filter : GetTexts(entry, "filters")) {
      grants.push_back({kDatasetFilter, product + " " + filter});
    }
  }
  return grants;
}

/// The lists of a dataset that `grants` make up, as `filters_name` calls the filters.
Json DatasetLists(const std::vector<Grant>& grants, const char* filters_name) {
  Json principals = Json::array();
  Json filters = Json::array();
  for (const Grant& grant : grants) {
    if (grant.role == kDatasetViewer) principals.push_back(grant.principal);
    if (grant.role != kDatasetFilter) continue;
    const std::size_t blank = std::min(grant.principal.find(' '), grant.principal.size() - 1);
    const std::string product = grant.principal.substr(0, blank);
    auto entry = std::find_if(filters.begin(), filters.end(), [&](const Json& known) {
      return StringMember(known, "product") == product;
    });
    if (entry == filters.end()) {
      filters.push_back({{"product", product}, {"filters", Json::array()}});
      entry = std::prev(filters.end());
    }
    (*entry)["filters"].push_back(grant.principal.substr(blank + 1));
  }
  return {{"principals", std::move(principals)}, {filters_name, std::move(filters)}};
}

class Dataset final : public ListedPolicy {
 public:
  using ListedPolicy::ListedPolicy;

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    return Distinct(GrantsOfDataset(spec, "productFilters"));
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const override {
    return DatasetClient::Listing(connection.BaseUrl(traits().service), target, timeout);
  }

  [[nodiscard]] Expected<reconcilers::Observation> ParseResponse(
      const cloud::PolicyCall& call, const std::string& body) const override {
    Expected<Json> document = DatasetClient::ParseResponse(call, body);
    if (!document) return Fail(std::move(document.error()));
    reconcilers::Observation seen;
    seen.grants = Distinct(GrantsOfDataset((*document)["data"]["attributes"], "product_filters"));
    seen.exists = !seen.grants.empty();
    seen.document = std::move(*document);
    seen.document["bindings"] = MakeBindings(seen.grants);
    return seen;
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildSet(
      const cloud::Connection& connection, const std::string& target,
      const reconcilers::TargetPlan& plan, const reconcilers::Observation& now,
      std::chrono::milliseconds timeout) const override {
    const std::string& base_url = connection.BaseUrl(traits().service);
    const Json bindings = BindingsAfter(plan, now);
    Json document = DatasetClient::NoDataset(target);
    if (const Json* data = FindMember(now.document, "data")) {
      if (std::string id = StringMember(*data, "id"); !id.empty()) {
        document["data"]["id"] = std::move(id);
      }
    }
    if (bindings.empty()) return DatasetClient::Removing(base_url, document, timeout);
    document["data"]["attributes"].update(
        DatasetLists(reconcilers::ListGrants(bindings, traits().binding_words), "product_filters"));
    return DatasetClient::Storing(base_url, document, timeout);
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& /*role*/,
                                      const reconcilers::Observation& now) const override {
    if (!now.exists)
      return Fail(Code::kNotFound, "there is no dataset named " + manifests::Quote(target));
    Json inputs = {{"name", target}};
    inputs.update(DatasetLists(now.grants, "productFilters"));
    if (!inputs["principals"].empty() && !inputs["productFilters"].empty()) return inputs;
    return Fail(Code::kFailedPrecondition, "the dataset " + manifests::Quote(target) +
                                               " has no principals or no filters, which no "
                                               "manifest can declare");
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeDataset() {
  return std::make_unique<Dataset>(DatasetSchema(),
                                   ListedPolicyTraits(DatasetPrincipals(), DatasetSeverities()),
                                   DatasetRules(), CheckDatasetName);
}

}  // namespace bindery::datadog
