#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/clock.h"

namespace bindery {

enum class DriftClass {
  kMissing,           ///< Declared, not in the policy.
  kUndeclared,        ///< In the policy, but not declared.
  kConditionChanged,  ///< Same role and principal, another condition.
  kPrincipalDeleted,  ///< The policy shows the declared principal as deleted.
  kTargetMissing,     ///< The target itself is not there.
  kLookupChanged,     ///< A read-only lookup gives another result than before.
  kJustInTime,        ///< Access that a service gave on request, for some time: listed, no drift.
  // Notes, which are no differences:
  kTombstone,          ///< A deleted principal that no manifest declares is left in the policy.
  kStoredDifferently,  ///< The service stores a declared principal under another name.
};

/// The classes of differences.
inline constexpr std::array kAllDriftClasses = {
    DriftClass::kMissing,          DriftClass::kUndeclared,    DriftClass::kConditionChanged,
    DriftClass::kPrincipalDeleted, DriftClass::kTargetMissing, DriftClass::kLookupChanged};
/// The item is a note: it is shown apart, causes no write and counts as no difference.
[[nodiscard]] constexpr bool IsNote(DriftClass drift_class) {
  return drift_class == DriftClass::kTombstone || drift_class == DriftClass::kStoredDifferently;
}

/// The classes of all listed items.
inline constexpr std::array kAllItemClasses = {
    DriftClass::kMissing,          DriftClass::kUndeclared,    DriftClass::kConditionChanged,
    DriftClass::kPrincipalDeleted, DriftClass::kTargetMissing, DriftClass::kLookupChanged,
    DriftClass::kJustInTime,       DriftClass::kTombstone,     DriftClass::kStoredDifferently};

enum class Severity { kLow, kMedium, kHigh, kCritical };
inline constexpr std::array kAllSeverities = {Severity::kLow, Severity::kMedium, Severity::kHigh,
                                              Severity::kCritical};

/// The cause of the difference.
enum class DriftCause {
  kUnknown,   ///< Cannot be told: the policy was not known before.
  kManifest,  ///< The directory, or a setting, changed what is wanted.
  kForeign,   ///< The cloud changed, and not by bindery.
  kExpiry,    ///< The time of what is declared ended.
};
inline constexpr std::array kAllDriftCauses = {DriftCause::kUnknown, DriftCause::kManifest,
                                               DriftCause::kForeign, DriftCause::kExpiry};

/// Open until gone; `kCorrected` when bindery removed the difference; `kHeld` while the guard
/// withholds the repair; `kAccepted` while the configuration accepts the difference, or for
/// just-in-time access: no drift then. `kNoted`: the item is a note.
enum class DriftState { kOpen, kCorrected, kHeld, kAccepted, kNoted };

/// Why no pass repairs a difference, whatever the mode is. The numbers are stored.
enum class DriftRest {
  kNone,             ///< A pass may repair the difference.
  kUndeclaredRoles,  ///< `undeclaredRoles: report`.
  kImitation,        ///< It looks like just-in-time access, where undeclared grants stay.
  kUnknownAgent,     ///< The principal may be a service's own account.
  kGate,             ///< Another gate reports it: GrantChange::decided_by.
};
inline constexpr std::array kAllDriftRests = {DriftRest::kNone, DriftRest::kUndeclaredRoles,
                                              DriftRest::kImitation, DriftRest::kUnknownAgent,
                                              DriftRest::kGate};

/// For people: "undeclaredRoles: report"; empty for kNone.
[[nodiscard]] std::string_view ToString(DriftRest value);
[[nodiscard]] std::string_view ToString(DriftClass value);  ///< "missing", "condition-changed", …
[[nodiscard]] std::string_view ToString(Severity value);    ///< "low" … "critical"
[[nodiscard]] std::string_view ToString(DriftState value);  ///< "open", "corrected", …
[[nodiscard]] std::string_view ToString(DriftCause value);  ///< "unknown", "manifest", …
[[nodiscard]] DriftClass DriftClassFromString(std::string_view text);
[[nodiscard]] Severity SeverityFromString(std::string_view text);
[[nodiscard]] DriftState DriftStateFromString(std::string_view text);

/// Why a difference may stay for some time. Of kJustInTime the owner is the service that gave the
/// access.
struct Acceptance {
  std::string reason;
  std::string owner;                   ///< Who answers for it.
  std::optional<WallTime> until = {};  ///< From then on it is drift again; not set: without an end.

  bool operator==(const Acceptance&) const = default;
};

/// One difference between the declared state and the observed state, for one grant of one target.
/// Two items are the same difference when class, grant and resource are equal.
struct DriftItem {
  DriftClass drift_class = DriftClass::kMissing;
  Severity severity = Severity::kMedium;
  DriftState state = DriftState::kOpen;
  DriftCause cause = DriftCause::kUnknown;  ///< Of when it was found; it does not change.
  std::string resource;  ///< The manifest's name; empty when no manifest declares the grant.
  Grant grant;
  std::string desired;  ///< What the directory says, in words; "absent" when it says nothing.
  /// The observed state, in words. For kStoredDifferently: the principals that the service stores,
  /// separated by commas.
  std::string observed;
  /// The found grant, if it differs from `grant`: the same role and principal under a different
  /// condition, or the spelling of a deleted principal.
  std::optional<Grant> before = {};
  std::optional<Acceptance> acceptance = {};  ///< Of kAccepted; of others it means nothing.
  DriftRest rest = DriftRest::kNone;          ///< Of kOpen; of others it means nothing.
};

}  // namespace bindery
