#include "controller/forget_resource.h"

namespace bindery {

void ForgetResource(const std::string& name, Claims& claims, Links& links, ScanState& state,
                    StoreChange& change) {
  const TargetKey key = claims.FindResource(name)->target;
  links.NoteFreed(name);
  links.Erase(name);
  state.unaccepted.erase(name);
  state.missing_once.erase(name);
  claims.Erase(name, change);
  if (claims.FindTarget(key) == nullptr) state.contested_on.erase(key);
}

}  // namespace bindery
