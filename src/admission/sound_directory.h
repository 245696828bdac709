#pragma once

#include <optional>

#include "admission/admission.h"

namespace bindery {

/// The answer where nothing is amiss and nobody is in another's way, which is nearly always; then
/// there is no conflict to weigh. Nothing where it takes a closer look.
[[nodiscard]] std::optional<AdmissionResult> AdmitSound(const AdmissionInput& input,
                                                        const PlacementResolver& resolve);

}  // namespace bindery
