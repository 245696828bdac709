#include "controller/claims/dependencies.h"

#include <utility>

namespace bindery::controller {

void Dependencies::Set(const std::string& name, std::set<std::string> needs) {
  if (const auto before = needs_.find(name); before != needs_.end()) {
    for (const std::string& need : before->second) {
      const auto edge = dependents_.find(need);
      edge->second.erase(name);
      if (edge->second.empty()) dependents_.erase(edge);
    }
    needs_.erase(before);
  }
  if (needs.empty()) return;
  for (const std::string& need : needs) dependents_[need].insert(name);
  needs_.emplace(name, std::move(needs));
}

const std::set<std::string>& Dependencies::Of(const Edges& edges, const std::string& name) {
  static const std::set<std::string> kNobody;
  const auto found = edges.find(name);
  return found == edges.end() ? kNobody : found->second;
}

const std::set<std::string>& Dependencies::Needs(const std::string& name) const {
  return Of(needs_, name);
}

const std::set<std::string>& Dependencies::Dependents(const std::string& name) const {
  return Of(dependents_, name);
}

}  // namespace bindery::controller
