#pragma once

#include <prometheus/labels.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/drift.h"
#include "core/status.h"

namespace bindery::metrics_internal {

/// In the order of the values.
inline constexpr std::array kDriftClasses = {
    DriftClass::kMissing,          DriftClass::kUndeclared,    DriftClass::kConditionChanged,
    DriftClass::kPrincipalDeleted, DriftClass::kTargetMissing, DriftClass::kLookupChanged};
inline constexpr std::array kCauses = {DriftCause::kUnknown, DriftCause::kManifest,
                                       DriftCause::kForeign, DriftCause::kExpiry};
inline constexpr std::array kSeverities = {Severity::kLow, Severity::kMedium, Severity::kHigh,
                                           Severity::kCritical};

template <typename Enum>
std::size_t Index(Enum value) {
  return static_cast<std::size_t>(value);
}

/// "Ready" is a word of kstatus; label values are lower case.
[[nodiscard]] std::string LowerCase(std::string_view text);

// The labels of a series, by what they tell apart.

[[nodiscard]] prometheus::Labels Kind(std::string_view kind);
[[nodiscard]] prometheus::Labels Controller(std::string_view kind);
[[nodiscard]] prometheus::Labels Queue(std::string_view kind);
[[nodiscard]] prometheus::Labels State(std::string_view kind, ResourceState state);
[[nodiscard]] prometheus::Labels Drift(std::string_view kind, DriftClass drift_class,
                                       Severity severity, DriftCause cause);
[[nodiscard]] prometheus::Labels AcceptedDrift(std::string_view kind, DriftClass drift_class);

}  // namespace bindery::metrics_internal
