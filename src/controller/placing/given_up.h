#pragma once

#include <string>
#include <vector>

#include "controller/claims/claims.h"
#include "controller/placing/placer.h"

namespace bindery::controller {

/// Equal for grants that give the same access, in whatever spelling and under whatever name of
/// their conditions.
[[nodiscard]] std::string AccessKey(const Grant& grant);

/// The formerly declared grants within the claim of a manifest that the manifest does not declare:
/// its own former grants, and the grants of manifests that make way. Call before the manifest comes
/// into force. Pure.
[[nodiscard]] GivenUp GivenUpBy(const admission::Admitted& admitted, const Claims& claims,
                                const Placer& placer);

/// Drops the entries that the policy does not hold: a later grant is made by a different writer.
/// True when no entry is left.
[[nodiscard]] bool KeepHeld(SparseBox<GivenUp>& given_up, const std::vector<Grant>& held);

/// Whether `given_up` holds the grant.
[[nodiscard]] bool Holds(const GivenUp& given_up, const Grant& grant);

}  // namespace bindery::controller
