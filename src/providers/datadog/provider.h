#pragma once

#include <memory>

#include "reconcilers/kind.h"

namespace bindery {

/// The only service: all kinds are at one endpoint.
inline constexpr const char* kDatadogService = "datadog";

/// The common traits of all Datadog kinds.
[[nodiscard]] inline KindTraits DatadogTraits() {
  KindTraits traits;
  traits.service = kDatadogService;
  traits.provider_type = "monitoring";
  traits.words = kRestrictionWords;
  traits.names_are_global = false;
  return traits;
}

// The parts of Datadog's provider in separate files.

[[nodiscard]] std::unique_ptr<Kind> MakeRestrictionPolicy();
[[nodiscard]] std::unique_ptr<Kind> MakeDataset();
[[nodiscard]] std::unique_ptr<Kind> MakeLogsRestrictionQuery();
[[nodiscard]] std::unique_ptr<Kind> MakeGetCurrentUser();
[[nodiscard]] std::unique_ptr<Kind> MakeGetRole();
[[nodiscard]] std::unique_ptr<Kind> MakeGetTeam();
[[nodiscard]] std::unique_ptr<Kind> MakeGetUser();

}  // namespace bindery
