#include "report/reports/resource_selection.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "report/text/json_fields.h"

namespace bindery {
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
bool Mentions(const ResourceRecord& record, const std::string& text) {
  const auto has = [&](const std::string& where) {
    return InLowerCase(where).find(text) != std::string::npos;
  };
  if (has(record.name) || has(record.target.name) || has(record.source_file) ||
      has(record.status.reason) || has(record.role)) {
    return true;
  }
  const Json labels = report::ObjectFromText(record.labels);
  for (const auto& label : labels.items()) {
    if (!label.value().is_string()) continue;
    if (has(label.key() + "=" + label.value().get<std::string>())) return true;
  }
  return false;
}

bool Passes(const ResourceRecord& record, const ResourceFilter& filter) {
  if (filter.kind && !IsOfKind(record.token, *filter.kind)) return false;
  if (!filter.name.empty() && record.name != filter.name) return false;
  if (filter.not_ready && record.status.state == ResourceState::kReady) return false;
  if (filter.state && record.status.state != *filter.state) return false;
  return filter.labels.empty() || filter.labels.Matches(report::ObjectFromText(record.labels));
}

using Order = std::function<bool(const ResourceRecord&, const ResourceRecord&)>;

/// The worst is the greatest of the states.
Order Ascending(ResourceOrder order) {
  switch (order) {
    case ResourceOrder::kName:
      return [](const auto& a, const auto& b) { return a.name < b.name; };
    case ResourceOrder::kKind:
      return [](const auto& a, const auto& b) {
        return std::tie(a.token.kind, a.name) < std::tie(b.token.kind, b.name);
      };
    case ResourceOrder::kTarget:
      return [](const auto& a, const auto& b) {
        return std::tie(a.target.name, a.name) < std::tie(b.target.name, b.name);
      };
    case ResourceOrder::kManifest:
      return [](const auto& a, const auto& b) {
        return std::tie(a.source_file, a.source_line, a.name) <
               std::tie(b.source_file, b.source_line, b.name);
      };
    case ResourceOrder::kState:
      return [](const auto& a, const auto& b) {
        return std::tie(b.status.state, a.status.reason, a.name) <
               std::tie(a.status.state, b.status.reason, b.name);
      };
    case ResourceOrder::kChanged:
      return [](const auto& a, const auto& b) {
        return std::tie(b.status_since, a.name) < std::tie(a.status_since, b.name);
      };
  }
  return {};
}

Order OrderOf(const ResourceList& list) {
  Order ascending = Ascending(list.order);
  if (!list.descending) return ascending;
  return [ascending = std::move(ascending)](const ResourceRecord& a, const ResourceRecord& b) {
    return ascending(b, a);
  };
}

}  // namespace

report::ResourceSelection::ResourceSelection(ResourceFilter filter, const ResourceList& list)
    : filter_(std::move(filter)),
      text_(InLowerCase(filter_.text)),
      kept_(list.page, OrderOf(list)) {}

bool report::ResourceSelection::Wants(const ResourceRecord& record) const {
  return Passes(record, filter_) && (text_.empty() || Mentions(record, text_));
}

void report::ResourceSelection::Take(ResourceRecord&& record) {
  if (Wants(record)) kept_.Take(std::move(record));
}

void report::Facets::Take(const ResourceRecord& record) {
  // An unreadable manifest may have none.
  if (!record.token.kind.empty()) ++kinds_[record.token.kind];
  states_.Take(record.status);
  if (record.labels.size() <= 2) return;  // "{}"
  const Json own = ObjectFromText(record.labels);
  for (const auto& label : own.items()) {
    if (!label.value().is_string()) continue;
    ++labels_[LabelSelectorText(label.key(), label.value().get<std::string>())];
  }
}

FacetCounts report::Facets::Counts() const {
  constexpr std::size_t kMostLabels = 50;
  std::vector<std::pair<std::string, std::size_t>> frequent(labels_.begin(), labels_.end());
  std::stable_sort(frequent.begin(), frequent.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  frequent.resize(std::min(frequent.size(), kMostLabels));
  FacetCounts counts;
  counts.kinds = kinds_;
  counts.states = {states_.ready, states_.suspended, states_.reconciling, states_.stalled};
  counts.labels.insert(frequent.begin(), frequent.end());
  return counts;
}

}  // namespace bindery
