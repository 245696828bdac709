#pragma once

#include "manifests/schema/manifest.h"

namespace bindery::controller {

/// Both declare the same. The digests of a manifest before and after a rename differ.
[[nodiscard]] inline bool DeclareTheSame(const manifests::Manifest& a,
                                         const manifests::Manifest& b) {
  return a.spec == b.spec && a.options == b.options && a.labels == b.labels &&
         a.annotations == b.annotations && *a.token == *b.token;
}

}  // namespace bindery::controller
