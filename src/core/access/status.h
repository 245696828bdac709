#pragma once

#include <array>
#include <string>
#include <string_view>

namespace bindery {

/// kstatus, reduced to what bindery says of a resource. `Reconciling` and `Stalled` are kstatus'
/// abnormal-true conditions; `Ready` is the summary. `Suspended` is neither: somebody asked for it.
/// In ascending order of urgency.
enum class ResourceState { kReady, kSuspended, kReconciling, kStalled };
inline constexpr std::array<ResourceState, 4> kAllResourceStates = {
    ResourceState::kReady, ResourceState::kSuspended, ResourceState::kReconciling,
    ResourceState::kStalled};

[[nodiscard]] std::string_view ToString(ResourceState state);
[[nodiscard]] ResourceState ResourceStateFromString(std::string_view text);

/// Stable from pass to pass: the message holds no time and no counter.
struct ResourceStatus {
  ResourceState state = ResourceState::kReconciling;
  std::string reason;   ///< CamelCase, one of `reason::`.
  std::string message;  ///< One line for people.

  bool operator==(const ResourceStatus&) const = default;
};

namespace reason {
inline constexpr std::string_view kReconciled = "ReconciliationSucceeded";
inline constexpr std::string_view kProgressing = "Progressing";
inline constexpr std::string_view kProgressingWithRetry = "ProgressingWithRetry";
inline constexpr std::string_view kRoleConflict = "RoleConflict";
inline constexpr std::string_view kDuplicateName = "DuplicateName";
inline constexpr std::string_view kProviderConflict = "ProviderConflict";
inline constexpr std::string_view kManifestInvalid = "ManifestInvalid";
inline constexpr std::string_view kGuardHeld = "GuardHeld";
inline constexpr std::string_view kRemovalDenied = "RemovalDenied";
inline constexpr std::string_view kSuspended = "Suspended";
inline constexpr std::string_view kDriftObserved = "DriftObserved";
inline constexpr std::string_view kPrincipalDeleted = "PrincipalDeleted";
inline constexpr std::string_view kDeleting = "Deleting";
inline constexpr std::string_view kProtected = "Protected";
inline constexpr std::string_view kDependencyNotReady = "DependencyNotReady";
/// Something may be taken away once the directory has settled.
inline constexpr std::string_view kRemovalPending = "RemovalPending";
/// Something may not be taken away before a person acts: a file to repair, a question to answer.
inline constexpr std::string_view kRemovalBlocked = "RemovalBlocked";
inline constexpr std::string_view kImportMismatch = "ImportMismatch";
/// The write would take the permission to write this policy from bindery's own principal.
inline constexpr std::string_view kSelfLockout = "SelfLockout";
/// The write would remove the last holder of a role that governs a container.
inline constexpr std::string_view kLastOwner = "LastOwner";
/// The service stored a grant without the requested condition: the grant is not written again.
inline constexpr std::string_view kConditionDropped = "ConditionDropped";
}  // namespace reason

}  // namespace bindery
