#include "controller/claims/scan_input.h"

namespace bindery::controller {

std::vector<std::shared_ptr<const manifests::Manifest>> ScanInput::Manifests() const {
  std::vector<std::shared_ptr<const manifests::Manifest>> all;
  all.reserve(manifests);
  for (const auto& file : files) {
    all.insert(all.end(), file->manifests.begin(), file->manifests.end());
  }
  return all;
}

}  // namespace bindery::controller
