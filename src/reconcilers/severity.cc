#include "reconcilers/severity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace bindery {
namespace {

bool IsPublic(std::string_view principal) {
  return principal == "allUsers" || principal == "allAuthenticatedUsers";
}

/// Roles that let their holder change access itself, or everything: the basic owner and editor, and
/// every predefined or custom role that calls itself an administrator's or owner's.
bool IsOwnerLike(std::string_view role) {
  if (role == "roles/owner" || role == "roles/editor") return true;
  std::string lower(role);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find("admin") != std::string::npos || lower.ends_with("owner");
}

/// The relations of restriction policies that only look or run.
bool IsWeakRelation(std::string_view relation) {
  constexpr std::array<std::string_view, 3> kWeak = {"viewer", "runner", "resolver"};
  return std::find(kWeak.begin(), kWeak.end(), relation) != kWeak.end();
}

}  // namespace

Severity IamSeverity(DriftClass drift_class, const Grant& grant) {
  switch (drift_class) {
    case DriftClass::kUndeclared:
      if (IsPublic(grant.principal) || IsOwnerLike(grant.role)) return Severity::kCritical;
      return Severity::kHigh;
    case DriftClass::kConditionChanged:
      return IsPublic(grant.principal) || IsOwnerLike(grant.role) ? Severity::kCritical
                                                                  : Severity::kHigh;
    case DriftClass::kMissing:
      return Severity::kMedium;
    case DriftClass::kTargetMissing:
      return Severity::kHigh;
    case DriftClass::kPrincipalDeleted:
    case DriftClass::kLookupChanged:
      return Severity::kLow;
  }
  return Severity::kMedium;
}

Severity RestrictionSeverity(DriftClass drift_class, const Grant& grant) {
  switch (drift_class) {
    case DriftClass::kUndeclared:
    case DriftClass::kConditionChanged:
      if (IsWeakRelation(grant.role)) return Severity::kMedium;
      return grant.principal.starts_with("org:") ? Severity::kCritical : Severity::kHigh;
    case DriftClass::kMissing:
      // A restriction that lacks an entry narrows access, unless it lacks them all: then the
      // resource is open to everyone, and every one of its items says so.
      return Severity::kMedium;
    case DriftClass::kTargetMissing:
      return Severity::kHigh;
    case DriftClass::kPrincipalDeleted:
    case DriftClass::kLookupChanged:
      return Severity::kLow;
  }
  return Severity::kMedium;
}

}  // namespace bindery
