#pragma once

#include <optional>

#include "core/clock.h"
#include "manifests/manifest.h"
#include "manifests/problem.h"

namespace bindery {

/// A warning when the manifest declares a condition that can hold at no time from `now` on. Nothing
/// for one with references, which cannot be evaluated yet.
[[nodiscard]] std::optional<Problem> ExpiredCondition(const Manifest& manifest, WallTime now);

}  // namespace bindery
