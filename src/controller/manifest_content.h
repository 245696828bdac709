#pragma once

#include "manifests/manifest.h"

namespace bindery {

/// Both declare the same. Their digests may differ: another version may have made them in another
/// way.
[[nodiscard]] inline bool DeclareTheSame(const Manifest& a, const Manifest& b) {
  return a.spec == b.spec && a.options == b.options && a.labels == b.labels &&
         a.annotations == b.annotations && *a.token == *b.token;
}

}  // namespace bindery
