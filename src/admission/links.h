#pragma once

#include <memory>
#include <vector>

#include "admission/admission.h"

namespace bindery::admission {

/// A manifest with an invalid reference, and one error of the reference.
struct LinkFault {
  const manifests::Manifest* manifest = nullptr;  ///< One of the input, perhaps an invalid one.
  manifests::Problem problem;
};

/// Whether any manifest of a scan names a different one.
[[nodiscard]] bool HasLinks(const AdmissionInput& input);

/// Checks references, dependencies and former names of all manifests against the names of the whole
/// scan: whether the names exist, have such a field of such a type, ever give a value, and form a
/// cycle. Names of invalid documents count as present, and so do the last known names of an
/// unreadable file. Pure.
[[nodiscard]] std::vector<LinkFault> CheckLinks(const AdmissionInput& input);

}  // namespace bindery::admission
