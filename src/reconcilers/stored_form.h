#pragma once

#include <string>
#include <vector>

#include "core/grant.h"

namespace bindery {

/// What a service made of a grant that it was asked for: it stores the primary address for an
/// alias, or another spelling, and says so in its answer to the write.
struct StoredForm {
  Grant asked;
  /// The principals that the service stores. One of them is the principal of `asked`. Several: the
  /// answer does not tell which of them.
  std::vector<std::string> stored;
  /// The service stored nothing that was missing before: the principal of `asked` is one of those
  /// that held the role already.
  bool was_there = false;
  /// The manifests that declare `asked`; filled in by ApplyStoredForms.
  std::vector<std::string> resources = {};
  bool is_declared = false;  ///< One of them is in the directory; likewise.
};

}  // namespace bindery
