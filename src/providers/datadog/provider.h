#pragma once

#include <memory>

#include "reconcilers/kind.h"

namespace bindery {

/// The only service: all kinds are at one endpoint.
inline constexpr const char* kDatadogService = "datadog";

// The parts of Datadog's provider that have files of their own.

[[nodiscard]] std::unique_ptr<Kind> MakeRestrictionPolicy();
[[nodiscard]] std::unique_ptr<Kind> MakeGetCurrentUser();

}  // namespace bindery
