#pragma once

#include <string>
#include <vector>

#include "app/clouds/provider_access.h"
#include "core/access/just_in_time.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "reconcilers/kind.h"

namespace bindery::app {

/// A policy to read.
struct PolicyRead {
  const reconcilers::Kind* kind = nullptr;
  std::string target;
  std::string project_number = {};  ///< As Desired::project_number.
};

/// Reads the policies, several at once. A refusal by a quota, and a service that does not answer,
/// are waited out for some minutes. The answers in the order of the questions. Blocks.
[[nodiscard]] std::vector<Expected<reconcilers::Observation>> ReadPolicies(
    const OpenedProvider& provider, const std::vector<PolicyRead>& reads);

/// What the services know of the grants in the form of access on request, in policies that
/// ReadPolicies() read: several questions are asked at once, as far as the quotas of Privileged
/// Access Manager allow. In the order of the policies. Blocks.
[[nodiscard]] std::vector<JustInTime> AskForJustInTime(
    const OpenedProvider& provider, const std::vector<PolicyRead>& reads,
    const std::vector<Expected<reconcilers::Observation>>& seen, WallTime now);

/// The policy that an export shows. `bindings`: a JSON array. Pure.
[[nodiscard]] Expected<reconcilers::Observation> ObservationInExport(
    const reconcilers::KindTraits& traits, const std::string& bindings);

}  // namespace bindery::app
