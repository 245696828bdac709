#pragma once

#include <string>
#include <vector>

#include "controller/catalog/catalog.h"
#include "controller/catalog/rollbacks.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// An operator's order about resources.
struct SuspendOrder {
  const std::vector<std::string>& names;
  bool suspend = true;  ///< False: resume.
  const std::string& actor;
};

/// Suspends resources by an operator's order, or resumes them, with the claims they had before.
/// Names that no resource has are passed over. Resuming ends a rollback that still waits on the
/// target. Returns the targets that are to be compared again.
[[nodiscard]] std::vector<TargetKey> SetSuspended(Catalog& catalog, Rollbacks& rollbacks,
                                                  const SuspendOrder& order,
                                                  store::StoreChange& change, const Now& now);

}  // namespace bindery::controller
