#pragma once

#include <algorithm>

#include "controller/catalog/catalog.h"

namespace bindery::controller {

/// The last look missed a manifest in force, and a further look has to decide whether
/// the manifest is gone: also a look with the same result. Cheap if no manifest
/// waits.
[[nodiscard]] inline bool HasMissedOnce(const Catalog& catalog) {
  if (!catalog.directory().AwaitsOthers()) return false;
  const auto& resources = catalog.claims().resources();
  return std::any_of(resources.begin(), resources.end(), [](const auto& resource) {
    return resource.second.evidence.missing_scans == 1 && !resource.second.leaving();
  });
}

}  // namespace bindery::controller
