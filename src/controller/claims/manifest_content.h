#pragma once

#include "manifests/schema/manifest.h"

namespace bindery {

/// Both declare the same. The digests of a manifest before and after a rename differ.
[[nodiscard]] inline bool DeclareTheSame(const Manifest& a, const Manifest& b) {
  return a.spec == b.spec && a.options == b.options && a.labels == b.labels &&
         a.annotations == b.annotations && *a.token == *b.token;
}

}  // namespace bindery
