#include "report/values/resource_counts.h"

#include "core/base/error.h"

namespace bindery::report {

bool IsFailure(const ResourceStatus& status) {
  return CodeFromString(status.reason).has_value() ||
         status.reason == reason::kProgressingWithRetry ||
         status.reason == reason::kManifestInvalid || status.reason == reason::kDuplicateName ||
         status.reason == reason::kRoleConflict || status.reason == reason::kProviderConflict;
}

bool IsFailing(const ResourceStatus& status) {
  return IsFailure(status) || status.reason == reason::kImportMismatch;
}

void ResourceCounts::Take(const ResourceStatus& status, std::int64_t resources) {
  total += resources;
  if (IsFailing(status)) failing += resources;
  switch (status.state) {
    case ResourceState::kReady:
      ready += resources;
      break;
    case ResourceState::kSuspended:
      suspended += resources;
      break;
    case ResourceState::kReconciling:
      reconciling += resources;
      break;
    case ResourceState::kStalled:
      stalled += resources;
      if (status.reason == reason::kGuardHeld || status.reason == reason::kRemovalDenied) {
        held += resources;
      }
      break;
  }
}

}  // namespace bindery::report
