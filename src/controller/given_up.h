#pragma once

#include <string>
#include <vector>

#include "controller/claims.h"
#include "controller/placer.h"

namespace bindery {

/// Equal for grants that give the same access, in whatever spelling and under whatever name of
/// their conditions.
[[nodiscard]] std::string AccessKey(const Grant& grant);

/// What manifests declared of the part that a manifest claims, and it does not declare: its own
/// former one, and those that make way for it. Before it comes into force. Pure.
[[nodiscard]] GivenUp GivenUpBy(const Admitted& admitted, const Claims& claims,
                                const Placer& placer);

/// Those that the policy does not hold are gone: who grants one from then on is somebody else. True
/// when that leaves none.
[[nodiscard]] bool KeepHeld(SparseBox<GivenUp>& given_up, const std::vector<Grant>& held);

/// Whether the grant is among them.
[[nodiscard]] bool Holds(const GivenUp& given_up, const Grant& grant);

}  // namespace bindery
