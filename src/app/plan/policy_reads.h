#pragma once

#include <string>
#include <vector>

#include "app/clouds/provider_access.h"
#include "core/base/expected.h"
#include "reconcilers/kind.h"

namespace bindery::app {

/// A policy to read.
struct PolicyRead {
  const reconcilers::Kind* kind = nullptr;
  std::string target;
};

/// Reads the policies, several at once. A refusal by a quota, and a service that does not answer,
/// are waited out for some minutes. The answers in the order of the questions. Blocks.
[[nodiscard]] std::vector<Expected<reconcilers::Observation>> ReadPolicies(
    const OpenedProvider& provider, const std::vector<PolicyRead>& reads);

}  // namespace bindery::app
