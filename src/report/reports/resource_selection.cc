#include "report/reports/resource_selection.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/text/json_fields.h"

namespace bindery::report {
namespace {

std::string InLowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool IsOfKind(const TypeToken& token, const TypeToken& wanted) {
  if (wanted.api_version.empty()) return InLowerCase(token.kind) == InLowerCase(wanted.kind);
  return token == wanted;
}

/// `text` is in lower case.
bool Mentions(const store::ResourceRecord& record, const std::string& text) {
  const auto has = [&](const std::string& where) {
    return InLowerCase(where).find(text) != std::string::npos;
  };
  if (has(record.name) || has(record.target.name) || has(record.source_file) ||
      has(record.status.reason) || has(record.role)) {
    return true;
  }
  const Json labels = ObjectFromText(record.labels);
  for (const auto& label : labels.items()) {
    if (!label.value().is_string()) continue;
    if (has(label.key() + "=" + label.value().get<std::string>())) return true;
  }
  return false;
}

bool Passes(const store::ResourceRecord& record, const ResourceFilter& filter) {
  if (filter.kind && !IsOfKind(record.token, *filter.kind)) return false;
  if (!filter.name.empty() && record.name != filter.name) return false;
  if (filter.not_ready && record.status.state == ResourceState::kReady) return false;
  if (filter.state && record.status.state != *filter.state) return false;
  return filter.labels.empty() || filter.labels.Matches(ObjectFromText(record.labels));
}

ListedPlace PlaceOfResource(const store::ResourceRecord& record, ResourceOrder order) {
  ListedPlace place{0, "", 0, record.name};
  switch (order) {
    case ResourceOrder::kName:
      break;
    case ResourceOrder::kKind:
      place.text = record.token.kind;
      break;
    case ResourceOrder::kTarget:
      place.text = record.target.name;
      break;
    case ResourceOrder::kManifest:
      place.text = record.source_file;
      place.line = record.source_line;
      break;
    case ResourceOrder::kState:
      // The worst is the greatest of the states.
      place.rank = -static_cast<std::int64_t>(record.status.state);
      place.text = record.status.reason;
      break;
    case ResourceOrder::kLabels:
      // As JSON: a resource without labels comes after all that have some.
      place.text = record.labels;
      break;
    case ResourceOrder::kChanged:
      place.rank = -record.status_since.time_since_epoch().count();
      break;
  }
  return place;
}

ListSelection<ListedPlace>::Order ChooseOrder(const ResourceList& list) {
  if (list.descending) return std::greater<>();
  return std::less<>();
}

}  // namespace

ResourceSelection::ResourceSelection(ResourceFilter filter, const ResourceList& list)
    : filter_(std::move(filter)),
      text_(InLowerCase(filter_.text)),
      order_(list.order),
      kept_(list.page, ChooseOrder(list)) {}

bool ResourceSelection::Wants(const store::ResourceRecord& record) const {
  return Passes(record, filter_) && (text_.empty() || Mentions(record, text_));
}

void ResourceSelection::Take(const store::ResourceRecord& record) {
  if (Wants(record)) kept_.Take(PlaceOfResource(record, order_));
}

std::vector<std::string> ResourceSelection::Page() {
  std::vector<std::string> names;
  for (ListedPlace& place : kept_.Page()) names.push_back(std::move(place.name));
  return names;
}

void Facets::Take(const store::ResourceRecord& record) {
  // An unreadable manifest may have none.
  if (!record.token.kind.empty()) ++kinds_[record.token.kind];
  states_.Take(record.status);
  if (record.labels.size() > 2) ++labels_[record.labels];  // Not "{}".
}

FacetCounts Facets::Counts() const {
  constexpr std::size_t kMostLabels = 50;
  std::map<std::string, std::size_t> labels;
  for (const auto& [text, count] : labels_) {
    const Json own = ObjectFromText(text);
    for (const auto& label : own.items()) {
      if (!label.value().is_string()) continue;
      labels[LabelSelectorText(label.key(), label.value().get<std::string>())] += count;
    }
  }
  std::vector<std::pair<std::string, std::size_t>> frequent(labels.begin(), labels.end());
  std::stable_sort(frequent.begin(), frequent.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  frequent.resize(std::min(frequent.size(), kMostLabels));
  FacetCounts counts;
  counts.kinds = kinds_;
  counts.states = {states_.ready, states_.suspended, states_.reconciling, states_.stalled};
  counts.labels.insert(frequent.begin(), frequent.end());
  return counts;
}

}  // namespace bindery::report
