#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/offline_catalog.h"
#include "app/progress_bar.h"
#include "controller/engine.h"
#include "core/expected.h"
#include "core/json.h"

namespace bindery {

/// What a plan without a daemon works with.
struct OfflinePlanSettings {
  const Engine::Connections& connections;
  std::size_t concurrency = 1;
  ProgressBar* progress = nullptr;  ///< Told of the targets that are read; may be null.
};

/// As MakePlan, of these resources or of all. Manifests that refer to others are resolved with what
/// was just read of those. The problems of the catalog are those of that outcome.
[[nodiscard]] Expected<Json> MakeOfflinePlan(OfflineCatalog& offline, const Guard& guard,
                                             const OfflinePlanSettings& settings,
                                             const std::vector<std::string>& names);

}  // namespace bindery
