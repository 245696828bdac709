#include "controller/claims/status_code.h"

#include <algorithm>
#include <array>
#include <utility>

#include "controller/claims/grant_times.h"
#include "controller/claims/resource_entry.h"

namespace bindery::controller {
namespace {

constexpr std::array<std::pair<std::string_view, StatusCode>, 13> kCodes = {{
    {reason::kConditionDropped, StatusCode::kConditionDropped},
    {reason::kDeleting, StatusCode::kDeleting},
    {reason::kDependencyNotReady, StatusCode::kDependencyNotReady},
    {reason::kDuplicateName, StatusCode::kDuplicateName},
    {reason::kExpired, StatusCode::kExpired},
    {reason::kGuardHeld, StatusCode::kGuardHeld},
    {reason::kManifestInvalid, StatusCode::kManifestInvalid},
    {reason::kProtected, StatusCode::kProtected},
    {reason::kProviderConflict, StatusCode::kProviderConflict},
    {reason::kRemovalBlocked, StatusCode::kRemovalBlocked},
    {reason::kRemovalPending, StatusCode::kRemovalPending},
    {reason::kRoleConflict, StatusCode::kRoleConflict},
    {reason::kTargetNotFound, StatusCode::kTargetNotFound},
}};

}  // namespace

StatusCode GetCode(std::string_view reason) {
  const auto* const found = std::ranges::find(kCodes, reason, &decltype(kCodes)::value_type::first);
  return found == kCodes.end() ? StatusCode::kOther : found->second;
}

}  // namespace bindery::controller
