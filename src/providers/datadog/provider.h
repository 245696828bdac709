#pragma once

#include <memory>

#include "reconcilers/kind.h"

namespace bindery::datadog {

/// The only service: all kinds are at one endpoint.
inline constexpr const char* kDatadogService = "datadog";

/// The common traits of all Datadog kinds.
[[nodiscard]] inline reconcilers::KindTraits DatadogTraits() {
  reconcilers::KindTraits traits;
  traits.service = kDatadogService;
  traits.provider_type = "monitoring";
  traits.words = kRestrictionWords;
  traits.names_are_global = false;
  return traits;
}

// The parts of Datadog's provider in separate files.

[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeRestrictionPolicy();
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeDataset();
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeLogsRestrictionQuery();
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeGetCurrentUser();
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeGetRole();
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeGetTeam();
[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeGetUser();

}  // namespace bindery::datadog
