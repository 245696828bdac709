#pragma once

#include <optional>

#include "core/clock.h"
#include "manifests/manifest.h"
#include "manifests/problem.h"
#include "report/problem_values.h"

namespace bindery {

/// A warning when the manifest declares a condition that can hold at no time from `now` on. Nothing
/// for one with references, which cannot be evaluated yet.
[[nodiscard]] std::optional<Problem> ExpiredCondition(const Manifest& manifest, WallTime now);

/// The same as a line of the list that reports show of such manifests.
[[nodiscard]] report::ExpiredManifest ExpiredManifestOf(const Problem& expired);

}  // namespace bindery
