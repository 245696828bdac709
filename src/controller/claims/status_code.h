#pragma once

#include <string_view>

#include "core/access/status.h"

namespace bindery::controller {

/// The reasons of statuses on which something is decided. The text of a reason is read here alone.
enum class StatusCode {
  kOther,
  kConditionDropped,
  kDeleting,
  kDependencyNotReady,
  kDuplicateName,
  kExpired,
  kGuardHeld,
  kManifestInvalid,
  kProtected,
  kProviderConflict,
  kRemovalBlocked,
  kRemovalPending,
  kRoleConflict,
  kTargetNotFound,
};

/// `reason`: as ResourceStatus::reason.
[[nodiscard]] StatusCode GetCode(std::string_view reason);
[[nodiscard]] inline StatusCode GetCode(const ResourceStatus& status) {
  return GetCode(status.reason);
}

}  // namespace bindery::controller
