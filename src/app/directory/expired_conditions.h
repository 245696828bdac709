#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/engine/dry_run.h"
#include "core/base/clock.h"
#include "manifests/schema/manifest.h"
#include "manifests/schema/problem.h"
#include "report/values/problem_values.h"

namespace bindery::app {

/// A warning when the manifest declares a condition that can hold at no time from `now` on. Nothing
/// for one with references, which cannot be evaluated yet.
[[nodiscard]] std::optional<manifests::Problem> ExpiredCondition(
    const manifests::Manifest& manifest, WallTime now);

/// The same as a line of the list that reports show of such manifests.
[[nodiscard]] report::ExpiredManifest MakeExpiredManifest(const manifests::Problem& expired);

/// The expired conditions of the planned manifests, or of the named manifests, by file and line.
[[nodiscard]] std::vector<report::ExpiredManifest> ExpiredIn(const controller::DryRun& run,
                                                             const std::vector<std::string>& names);

}  // namespace bindery::app
