#include "report/resource_counts.h"

#include "report/reports.h"

namespace bindery {

bool IsFailing(const ResourceStatus& status) {
  return IsFailure(status) || status.reason == reason::kImportMismatch;
}

void ResourceCounts::Take(const ResourceStatus& status) {
  ++total;
  if (IsFailing(status)) ++failing;
  switch (status.state) {
    case ResourceState::kReady:
      ++ready;
      break;
    case ResourceState::kSuspended:
      ++suspended;
      break;
    case ResourceState::kReconciling:
      ++reconciling;
      break;
    case ResourceState::kStalled:
      ++stalled;
      if (status.reason == reason::kGuardHeld || status.reason == reason::kRemovalDenied) ++held;
      break;
  }
}

}  // namespace bindery
