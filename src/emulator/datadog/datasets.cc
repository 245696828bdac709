#include "emulator/datadog/datasets.h"

#include <algorithm>
#include <set>
#include <utility>

namespace bindery::emulator {
namespace {

using RefusedDataset = tl::unexpected<DatasetRefusal>;

RefusedDataset BadDataset(const std::string& what) {
  return RefusedDataset(DatasetRefusal{400, "Invalid request: " + what});
}

bool IsTextList(const Json* list) {
  return list != nullptr && list->is_array() &&
         std::ranges::all_of(*list, [](const Json& item) { return item.is_string(); });
}

std::string KeyOfFilter(const std::string& filter) { return filter.substr(0, filter.find(':')); }

/// One entry of product_filters, with the documented limits.
std::optional<std::string> FaultOfFilters(const Json& entry) {
  constexpr std::size_t kMost = 10;
  const std::string product = StringMember(entry, "product");
  const Json* filters = FindMember(entry, "filters");
  if (product.empty()) return "missing required attribute \"product\"";
  if (!IsTextList(filters) || filters->empty()) return "missing required attribute \"filters\"";
  if (filters->size() > kMost) {
    return "at most " + std::to_string(kMost) + " filters are supported for product \"" + product +
           "\"";
  }
  std::set<std::string> values;
  std::set<std::string> keys;
  for (const Json& item : *filters) {
    const std::string& filter = item.get_ref<const std::string&>();
    const std::string key = KeyOfFilter(filter);
    if (key.empty() || key.size() + 1 >= filter.size()) {
      return "filter \"" + filter + "\" is not of the form key:value";
    }
    if (!values.insert(filter).second) return "filter \"" + filter + "\" is not unique";
    keys.insert(key);
  }
  if (keys.size() == 1) return std::nullopt;
  return "only one tag key or attribute is supported for product \"" + product + "\"";
}

/// "product filter" of all filters of a dataset.
std::set<std::string> ReadFilters(const Json& product_filters) {
  std::set<std::string> filters;
  for (const Json& entry : product_filters) {
    for (const Json& filter : entry.at("filters")) {
      filters.insert(StringMember(entry, "product") + " " + filter.get<std::string>());
    }
  }
  return filters;
}

}  // namespace

Json DatasetData(const std::string& id, const Json& value) {
  Json attributes = {{"name", value.at("name")},
                     {"principals", value.at("principals")},
                     {"product_filters", value.at("productFilters")}};
  if (const Json* created = FindMember(value, "createdAt")) attributes["created_at"] = *created;
  return {{"type", "dataset"}, {"id", id}, {"attributes", std::move(attributes)}};
}

tl::expected<Json, DatasetRefusal> ReadDataset(const Json& document) {
  const Json* data = FindMember(document, "data");
  if (data == nullptr || !data->is_object()) {
    return BadDataset("missing required attribute \"data\"");
  }
  if (StringMember(*data, "type") != "dataset") {
    return BadDataset("\"data.type\" must be \"dataset\"");
  }
  const Json* attributes = FindMember(*data, "attributes");
  if (attributes == nullptr || !attributes->is_object()) {
    return BadDataset("missing required attribute \"data.attributes\"");
  }
  const std::string name = StringMember(*attributes, "name");
  if (name.empty()) return BadDataset("missing required attribute \"data.attributes.name\"");
  const Json* principals = FindMember(*attributes, "principals");
  if (!IsTextList(principals)) {
    return BadDataset("missing required attribute \"data.attributes.principals\"");
  }
  for (const Json& item : *principals) {
    const std::string& principal = item.get_ref<const std::string&>();
    const std::string type = KeyOfFilter(principal);
    const bool known = type == "role" || type == "team";
    if (!known || type.size() + 1 >= principal.size()) {
      return BadDataset("principal \"" + principal + "\" is neither a role nor a team");
    }
  }
  const Json* filters = FindMember(*attributes, "product_filters");
  if (filters == nullptr || !filters->is_array() || filters->empty()) {
    return BadDataset("missing required attribute \"data.attributes.product_filters\"");
  }
  std::set<std::string> products;
  for (const Json& entry : *filters) {
    if (auto fault = FaultOfFilters(entry)) return BadDataset(*fault);
    if (!products.insert(StringMember(entry, "product")).second) {
      return BadDataset("product \"" + StringMember(entry, "product") + "\" is not unique");
    }
  }
  return Json{{"name", name}, {"principals", *principals}, {"productFilters", *filters}};
}

std::optional<DatasetRefusal> RefuseDataset(const Json& present, const std::string& id,
                                            const Json& value) {
  const std::set<std::string> wanted = ReadFilters(value.at("productFilters"));
  for (const Json& other : present) {
    if (StringMember(other, "id") == id) continue;
    const Json& attributes = other.at("attributes");
    if (StringMember(attributes, "name") == StringMember(value, "name")) {
      return DatasetRefusal{
          409, "Conflict: a dataset named \"" + StringMember(value, "name") + "\" already exists"};
    }
    for (const std::string& filter : ReadFilters(attributes.at("product_filters"))) {
      if (!wanted.contains(filter)) continue;
      return DatasetRefusal{400, "Invalid request: \"" + filter + "\" is used by the dataset \"" +
                                     StringMember(attributes, "name") + "\""};
    }
  }
  return std::nullopt;
}

}  // namespace bindery::emulator
