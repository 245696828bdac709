#include "controller/claims/forget_resource.h"

#include <algorithm>

namespace bindery::controller {

void ForgetResource(const std::string& name, Claims& claims, Links& links, ScanState& state,
                    store::StoreChange& change) {
  const TargetKey key = claims.FindResource(name)->place.target;
  links.NoteFreed(name);
  links.Erase(name);
  state.unaccepted.erase(name);
  state.missing_once.erase(name);
  claims.Erase(name, change);
  if (claims.FindTarget(key) == nullptr) state.contested_on.erase(key);
}

const ResourceEntry* OnlyRetained(const Claims& claims, const TargetKey& key) {
  const TargetEntry* target = claims.FindTarget(key);
  if (target == nullptr || target->resources.empty()) return nullptr;
  const bool only_retained =
      std::all_of(target->resources.begin(), target->resources.end(), [](const auto* entry) {
        return entry->leaving() && entry->retained() && !entry->options().protect;
      });
  return only_retained ? target->resources.front() : nullptr;
}

}  // namespace bindery::controller
