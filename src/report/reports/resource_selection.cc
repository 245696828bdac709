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
      page_(list.page),
      before_(OrderOf(list)) {}

bool report::ResourceSelection::Wants(const ResourceRecord& record) const {
  return Passes(record, filter_) && (text_.empty() || Mentions(record, text_));
}

void report::ResourceSelection::Take(ResourceRecord&& record) {
  if (!Wants(record)) return;
  ++total_;
  kept_.push_back(std::move(record));
  if (!page_.limit) return;
  // Twice as much as useful, so that searches are rare.
  constexpr std::size_t kLeast = 256;
  const std::size_t useful = page_.offset + std::max(*page_.limit, kLeast);
  if (kept_.size() / 2 < useful) return;
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(useful);
  std::nth_element(kept_.begin(), end, kept_.end(), before_);
  kept_.erase(end, kept_.end());
}

std::vector<ResourceRecord> report::ResourceSelection::Page() {
  std::sort(kept_.begin(), kept_.end(), before_);
  const std::size_t first = std::min(page_.offset, kept_.size());
  const std::size_t count = std::min(page_.limit.value_or(kept_.size()), kept_.size() - first);
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(first + count), kept_.end());
  kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(first));
  return std::move(kept_);
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
