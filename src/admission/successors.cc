#include "admission/successors.h"

#include <algorithm>

#include "admission/conflict_text.h"
#include "core/access/status.h"

namespace bindery::admission {

PossibleSuccessors::PossibleSuccessors(const AdmissionInput& input,
                                       const std::vector<Rejected>& rejected) {
  for (const Rejected& one : rejected) {
    if (one.manifest == nullptr) continue;
    if (one.placement) {
      if (one.state == ResourceState::kReconciling) placed_.emplace(one.placement->target, &one);
      continue;
    }
    if (one.reason == reason::kProtected) continue;  // It would replace what it has itself.
    const std::string kind = input.targets_of ? input.targets_of(*one.manifest->token) : "";
    if (kind.empty()) continue;
    Placeless& placeless = placeless_[kind];
    const bool known = input.waiting.contains(one.name);
    if (placeless.any == nullptr) placeless.any = &one;
    if (placeless.newest == nullptr && !known) placeless.newest = &one;
  }
}

std::string PossibleSuccessors::Of(const InForce& missing) const {
  const auto [begin, end] = placed_.equal_range(missing.placement.target);
  for (auto it = begin; it != end; ++it) {
    if (!it->second->placement->Overlaps(missing.placement)) continue;
    return NameAndSource(it->second->name, it->second->source) + ", which waits, claims the same";
  }
  const auto found = placeless_.find(missing.placement.target.kind.str());
  if (found == placeless_.end()) return "";
  const Rejected* one = missing.held ? found->second.any : found->second.newest;
  return one == nullptr
             ? ""
             : "where " + NameAndSource(one->name, one->source) + " belongs cannot be told now";
}

std::string MayHold(const InForce& missing, const PossibleSuccessors& successors) {
  if (!missing.gone) return missing.held_by.empty() ? successors.Of(missing) : missing.held_by;
  // An unread file keeps a deleted manifest from removal, and need not bring the manifest back.
  return missing.is_protected ? "" : successors.Of(missing);
}

bool IsTaken(const InForce& missing, const std::map<std::string, Admitted>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [&missing](const auto& candidate) {
    return candidate.second.placement.Overlaps(missing.placement);
  });
}

}  // namespace bindery::admission
