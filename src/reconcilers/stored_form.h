#pragma once

#include <string>
#include <vector>

#include "core/access/grant.h"

namespace bindery::reconcilers {

/// A service's stored form of a requested grant: the primary address of an alias, or a different
/// spelling, as reported in the answer to the write.
struct StoredForm {
  Grant asked;
  /// The stored principals. One of them is the principal of `asked`. Several: the answer does not
  /// tell which.
  std::vector<std::string> stored;
  /// The service stored nothing new: the principal of `asked` is a former holder of the
  /// role.
  bool was_there = false;
  /// The manifests that declare `asked`; filled in by ApplyStoredForms.
  std::vector<std::string> resources = {};
  bool is_declared = false;  ///< One of them is in the directory; likewise.
};

}  // namespace bindery::reconcilers
