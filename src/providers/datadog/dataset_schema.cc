#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"
#include "providers/datadog/schemas.h"

namespace bindery::datadog {
namespace {

using DatasetFailures = std::vector<std::pair<std::string, manifests::CheckFailure>>;

std::string FiltersAt(std::size_t index) { return "productFilters[" + std::to_string(index) + "]"; }

void CheckRepeated(const Json& list, const std::string& at, const char* code,
                   DatasetFailures& failures) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) continue;  // The check of its type tells.
    const auto& text = list[i].get_ref<const std::string&>();
    if (seen.insert(text).second) continue;
    failures.emplace_back(
        at + "[" + std::to_string(i) + "]",
        manifests::CheckFailure{code, manifests::Quote(text) + " is listed twice", true});
  }
}

/// The documented rules about the filters of one product. The service may change the rules.
void CheckKeysAndNumber(const Json& filters, const std::string& at, DatasetFailures& failures) {
  constexpr std::size_t kMostFilters = 10;
  std::string first_key;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (!filters[i].is_string()) continue;
    const auto& text = filters[i].get_ref<const std::string&>();
    const std::string key = text.substr(0, text.find(':'));
    if (first_key.empty()) first_key = key;
    if (key == first_key) continue;
    failures.emplace_back(
        at + "[" + std::to_string(i) + "]",
        manifests::CheckFailure{"SeveralFilterKeys",
                                "filters of one product have one tag or attribute: this one has " +
                                    manifests::Quote(key) + ", the first one " +
                                    manifests::Quote(first_key) + "; the service refuses that",
                                true});
    break;
  }
  if (filters.size() <= kMostFilters) return;
  failures.emplace_back(at, manifests::CheckFailure{"TooManyFilters",
                                                    std::to_string(filters.size()) +
                                                        " filters of one product: the service "
                                                        "takes 10 at most",
                                                    true});
}

DatasetFailures CheckDataset(const Json& spec) {
  DatasetFailures failures;
  if (!spec.is_object()) return failures;
  if (const Json* principals = FindMember(spec, "principals")) {
    CheckRepeated(*principals, "principals", "DuplicatePrincipal", failures);
  }
  const Json* entries = FindMember(spec, "productFilters");
  if (entries == nullptr || !entries->is_array()) return failures;
  std::map<std::string, std::size_t> products;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const Json& entry = (*entries)[i];
    const std::string product = StringMember(entry, "product");
    const auto [first, inserted] = products.emplace(product, i);
    if (!inserted && !product.empty()) {
      failures.emplace_back(
          FiltersAt(i) + ".product",
          manifests::CheckFailure{"DuplicateProduct", "product " + manifests::Quote(product) +
                                                          " is declared twice (first in " +
                                                          FiltersAt(first->second) +
                                                          "): list all its filters in one entry"});
    }
    const Json* filters = FindMember(entry, "filters");
    if (filters == nullptr || !filters->is_array()) continue;
    CheckRepeated(*filters, FiltersAt(i) + ".filters", "DuplicateFilter", failures);
    CheckKeysAndNumber(*filters, FiltersAt(i) + ".filters", failures);
  }
  return failures;
}

manifests::Field ProductFiltersField() {
  manifests::Field product;
  product.name = "product";
  product.required = true;
  product.description =
      "The product whose data is meant: apm, rum, metrics, logs, error_tracking, cloud_cost, "
      "sd_repoinfo, secruntime or signal. Each product once.";
  product.pattern = "^[A-Za-z0-9_-]+$";
  product.examples = {"logs"};
  product.check = CheckDatasetProduct;

  manifests::Field filters;
  filters.name = "filters";
  filters.type = manifests::FieldType::kList;
  filters.required = true;
  filters.description =
      "Which data of the product belongs to the dataset, as tag:value or @attribute:value. All "
      "filters of one product have the same tag or attribute; there are 10 at most. No other "
      "dataset may have the same filter for the product.";
  filters.pattern = "^[^:\\s]+:.+$";
  filters.examples = {"@team:payments"};
  filters.check = CheckDatasetFilter;
  filters.min_items = 1;

  manifests::Field entries;
  entries.name = "productFilters";
  entries.type = manifests::FieldType::kList;
  entries.item_type = manifests::FieldType::kObject;
  entries.required = true;
  entries.description = "The data that the dataset restricts, for each product.";
  entries.fields = {std::move(product), std::move(filters)};
  entries.min_items = 1;
  return entries;
}

manifests::KindSchema MakeDatasetSchema() {
  manifests::Field name;
  name.name = "name";
  name.required = true;
  name.identity = true;
  name.description =
      "The name of the dataset, which identifies it: a dataset of that name in the organization "
      "is taken over, else one is created. Only one manifest may name a dataset.";
  name.pattern = "^\\S(.*\\S)?$";
  name.examples = {"Payments data"};
  name.check = CheckDatasetName;

  manifests::Field principals;
  principals.name = "principals";
  principals.type = manifests::FieldType::kList;
  principals.required = true;
  principals.description =
      "Who may see the data; nobody else may. role: or team: and the UUID. The lookups getRole and "
      "getTeam find the UUIDs: role:${NAME.id}.";
  principals.pattern = "^(role|team):.+$";
  principals.examples = {"role:94172442-be03-11e9-a77a-3b7612558ac1"};
  principals.check = CheckDatasetPrincipal;
  principals.min_items = 1;

  manifests::Field id;
  id.name = "id";
  id.description = "The identifier of the dataset: its name.";

  manifests::KindSchema schema;
  schema.token = {"monitoring", "Dataset"};
  schema.elsewhere = {.pulumi_package = "datadog",
                      .pulumi_extras = {"createdAt", "createdBy"},
                      .terraform = {{.type = "datadog_dataset"}}};
  schema.description = "The roles and teams that some monitoring data is restricted to.";
  schema.inputs = {std::move(name), std::move(principals), ProductFiltersField()};
  schema.outputs = {std::move(id)};
  schema.check_all = CheckDataset;
  return schema;
}

}  // namespace

const manifests::KindSchema& DatasetSchema() {
  static const manifests::KindSchema kSchema = MakeDatasetSchema();
  return kSchema;
}

}  // namespace bindery::datadog
