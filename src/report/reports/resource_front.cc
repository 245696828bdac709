#include "report/reports/resource_front.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "report/reports/resource_selection.h"

namespace bindery::report {
namespace {

/// Those of the resources it is given that are worst off.
class Worst {
 public:
  void Take(const store::ResourceRecord& record) {
    constexpr std::size_t kWorstShown = 10;
    if (record.status.state == ResourceState::kReady) return;
    // The worst is the greatest of the states.
    std::pair place(-static_cast<int>(record.status.state), record.name);
    if (worst_.size() == kWorstShown && worst_.rbegin()->first < place) return;
    worst_.emplace(std::move(place),
                   AttentionLine{record.name, record.token.kind, record.status.state,
                                 record.status.reason, record.status.message, record.status_since});
    if (worst_.size() > kWorstShown) worst_.erase(std::prev(worst_.end()));
  }

  [[nodiscard]] std::vector<AttentionLine> InOrder() const {
    std::vector<AttentionLine> list;
    for (const auto& [place, line] : worst_) list.push_back(line);
    return list;
  }

 private:
  std::map<std::pair<int, std::string>, AttentionLine> worst_;
};

/// Counts resources that are not ready by the reason.
class Causes {
 public:
  void Take(const store::ResourceRecord& record) {
    const ResourceStatus& status = record.status;
    if (status.state == ResourceState::kReady) return;
    AttentionCause& cause = causes_[{-static_cast<int>(status.state), status.reason}];
    cause.state = status.state;
    cause.reason = status.reason;
    if (cause.resources++ == 0 || record.name < cause.example) {
      cause.example = record.name;
      cause.message = status.message;
    }
    const bool longer = cause.since == WallTime{} || record.status_since < cause.since;
    if (longer) cause.since = record.status_since;
  }

  [[nodiscard]] std::vector<AttentionCause> InOrder() const {
    std::vector<AttentionCause> list;
    for (const auto& [key, cause] : causes_) list.push_back(cause);
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
      return std::pair(b.state, b.resources) < std::pair(a.state, a.resources);
    });
    return list;
  }

 private:
  std::map<std::pair<int, std::string>, AttentionCause> causes_;
};

OrderedNames MakeOrdered(const std::vector<std::string>& names) {
  OrderedNames ordered;
  for (const std::string& name : names) ordered.Add(name);
  return ordered;
}

}  // namespace

void OrderedNames::Add(std::string_view name) {
  text_ += name;
  ends_.push_back(text_.size());
}

std::vector<std::string> OrderedNames::Page(const ListPage& page, bool from_end) const {
  const std::size_t first = std::min(page.offset, size());
  const std::size_t count = std::min(page.limit.value_or(size()), size() - first);
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) {
    const std::size_t at = from_end ? size() - 1 - i : i;
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    names.push_back(text_.substr(begin, ends_[at] - begin));
  }
  return names;
}

Expected<ResourceFront> ReadResourceFront(const store::ReportReader& store) {
  ResourceFront front;
  Worst worst;
  Causes causes;
  Facets facets;
  std::vector<std::string> names;
  auto read = store.ReadResources([&](store::ResourceRecord&& record) {
    front.counts.Take(record.status);
    worst.Take(record);
    causes.Take(record);
    facets.Take(record);
    names.push_back(std::move(record.name));
  });
  if (!read) return Fail(read.error());
  front.attention = worst.InOrder();
  front.causes = causes.InOrder();
  front.facets = facets.Counts();
  std::sort(names.begin(), names.end());
  front.names = MakeOrdered(names);
  return front;
}

Expected<OrderedNames> ReadOrderedNames(const store::ReportReader& store, ResourceOrder order) {
  ResourceSelection selection({}, {order, /*descending=*/false, {}});
  auto read = store.ReadResources([&](store::ResourceRecord&& record) { selection.Take(record); });
  if (!read) return Fail(read.error());
  return MakeOrdered(selection.Page());
}

}  // namespace bindery::report
