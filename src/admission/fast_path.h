#pragma once

#include <optional>

#include "admission/admission.h"

namespace bindery::admission {

/// Fast path, nearly always taken: no errors and no conflicts. Nothing means: run the full
/// admission.
[[nodiscard]] std::optional<AdmissionResult> AdmitFastPath(const AdmissionInput& input,
                                                           const PlacementResolver& resolve);

}  // namespace bindery::admission
