#pragma once

#include <algorithm>

#include "controller/catalog.h"

namespace bindery {

/// A manifest in force was missed by the last look, and another look has to tell whether it is
/// gone: one at which the directory says the same does so, too. Cheap where nothing waits for
/// others.
[[nodiscard]] inline bool HasMissedOnce(const Catalog& catalog) {
  if (!catalog.directory().AwaitsOthers()) return false;
  const auto& resources = catalog.claims().resources();
  return std::any_of(resources.begin(), resources.end(), [](const auto& resource) {
    return resource.second.evidence.missing_scans == 1 && !resource.second.leaving();
  });
}

}  // namespace bindery
