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
  void Take(const ResourceRecord& record) {
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
  void Take(const ResourceRecord& record) {
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

}  // namespace

Expected<ResourceFront> ReadResourceFront(const ReportReader& store) {
  ResourceFront front;
  Worst worst;
  Causes causes;
  Facets facets;
  auto read = store.ReadResources([&](ResourceRecord&& record) {
    front.counts.Take(record.status);
    worst.Take(record);
    causes.Take(record);
    facets.Take(record);
  });
  if (!read) return Fail(read.error());
  front.attention = worst.InOrder();
  front.causes = causes.InOrder();
  front.facets = facets.Counts();
  return front;
}

}  // namespace bindery::report
