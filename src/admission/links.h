#pragma once

#include <memory>
#include <vector>

#include "admission/admission.h"

namespace bindery {

/// A manifest that names others in a way that cannot work, and one thing that is wrong with it.
struct LinkFault {
  const Manifest* manifest = nullptr;  ///< One of the input, perhaps an invalid one.
  Problem problem;
};

/// Whether any manifest of a scan names a different one.
[[nodiscard]] bool HasLinks(const AdmissionInput& input);

/// Checks references, dependencies and former names of all manifests against the names of the whole
/// scan: whether these exist, have such a field of such a type, ever give a value, and lead back to
/// where they came from. Names of documents that are invalid count as there, and so do those that
/// a file last held which cannot be read in full at the moment. Pure.
[[nodiscard]] std::vector<LinkFault> CheckLinks(const AdmissionInput& input);

}  // namespace bindery
