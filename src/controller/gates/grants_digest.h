#pragma once

#include <string>

#include "reconcilers/kind.h"

namespace bindery::controller {

// Digests of the set of grants of a policy, equal whatever order or spelling they come in: tell a
// write that landed by what it asked for. Coarser than the kinds compare. Pure; any thread.

[[nodiscard]] std::string GrantsDigest(const reconcilers::Observation& seen);
/// Of what a write of the plan asks for.
[[nodiscard]] std::string DesiredDigest(const reconcilers::Observation& before,
                                        const reconcilers::TargetPlan& plan);

}  // namespace bindery::controller
