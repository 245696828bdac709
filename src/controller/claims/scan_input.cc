#include "controller/claims/scan_input.h"

namespace bindery {

std::vector<std::shared_ptr<const Manifest>> ScanInput::Manifests() const {
  std::vector<std::shared_ptr<const Manifest>> all;
  all.reserve(manifests);
  for (const auto& file : files) {
    all.insert(all.end(), file->manifests.begin(), file->manifests.end());
  }
  return all;
}

}  // namespace bindery
