#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/access/drift.h"
#include "core/access/grant.h"
#include "reconcilers/stored_form.h"

namespace bindery::reconcilers {

/// The effect of a write on a grant.
enum class ChangeAction {
  kNone,     ///< No write repairs the difference.
  kAdd,      ///< `grant` comes.
  kRemove,   ///< What was found goes.
  kReplace,  ///< `before` goes and `grant` comes, in one write.
};

/// Whether a change is written. A gate lowers a verdict and never raises one; the order is that of
/// the values.
enum class Verdict {
  kRefuse,  ///< The change is never written: a write would do harm or fail.
  kKeep,    ///< What is there stays, because somebody said so.
  kWait,    ///< The change waits for evidence, time or an operator.
  kReport,  ///< The change is only reported.
  kApply,   ///< The change is written now.
};

/// What stands between a difference and a write, in the order in which the gates are asked.
enum class Gate {
  kNone,  ///< No gate lowered the verdict.
  kJustInTime,
  kManagementPolicy,
  kProtectedPrincipals,
  kUndeclaredRoles,
  kAcceptedDrift,
  kDroppedConditions,
  kRefusedGrants,
  kLockout,
  kEvidence,
  kOscillation,
  kGuard,
  kOperatorAnswer,
};

/// Why a gate decided as it did. The words for people are made from the code.
enum class ReasonCode {
  kNone,
  kJustInTime,         ///< A service gave the access on request.
  kJustInTimeInDoubt,  ///< The same by its form, and the service does not say whether it did.
  kImitation,          ///< It has that form, and the service knows no such access.
  kObserved,           ///< Mode observe.
  kPaused,             ///< Suspended, contested or waiting for others.
  kUndeclaredInDoubt,  ///< It is unknown whether a manifest declares the grant.
  kServiceAgent,       ///< The provider made the grant for its own service.
  kDefaultAccount,
  kProtected,           ///< The configuration protects the principal.
  kUnknownAgent,        ///< The principal may be a service's own account. A person is to judge.
  kUndeclaredReported,  ///< `undeclaredRoles: report`.
  kAccepted,
  kAcceptanceInDoubt,    ///< It is unknown whether the acceptance has ended.
  kConditionDropped,     ///< The service stores the grant without its condition.
  kConditionHeldBefore,  ///< The principal held the role without a condition before.
  kServiceRefuses,       ///< The service refuses the grant.
  kServiceRefusesOneOf,  ///< The service refuses one of several, the grant among them.
  kSelfLockout,
  kLastOwner,
  kEvidencePending,
  kEvidenceBlocked,
  kOscillating,
  kOverLimits,  ///< The guard's own reasons say which limit.
  kAsked,       ///< The evidence asks an operator.
  kDenied,
};

/// A code with its parameters.
struct Reason {
  ReasonCode code = ReasonCode::kNone;
  std::string subject = {};  ///< A name or a text from outside that the code speaks of.

  bool operator==(const Reason&) const = default;
};

/// The decision of the gates about a change.
struct GateDecision {
  Verdict verdict = Verdict::kApply;
  Gate decided_by = Gate::kNone;
  Reason reason = {};

  /// Lowers the verdict. True when the verdict was higher before.
  bool Lower(Verdict to, Gate gate, Reason why) {
    if (to >= verdict) return false;
    verdict = to;
    decided_by = gate;
    reason = std::move(why);
    return true;
  }
  /// The gate keeps the change from being written.
  [[nodiscard]] bool IsStoppedBy(Gate gate) const {
    return decided_by == gate && verdict != Verdict::kApply;
  }
};

/// One difference between the declared and the found state, with the decision about it.
struct GrantChange : GateDecision {
  ChangeAction action = ChangeAction::kNone;
  Grant grant;  ///< As declared; where nobody declares the grant, as found.
  /// The found grant, if it differs from `grant`: the same role and principal under a different
  /// condition, or the spelling of a deleted principal.
  std::optional<Grant> before = {};
  std::string resource;  ///< The manifest that declares the grant; empty: none.
  /// The deleted manifest that declared `before`; empty: none, or `resource`.
  std::string former = {};
  DriftClass drift_class = DriftClass::kMissing;
  Severity severity = Severity::kMedium;
  DriftCause cause = DriftCause::kUnknown;
  DriftState state = DriftState::kOpen;
  std::optional<Acceptance> acceptance = {};  ///< The acceptance that fits the difference.
  /// False: a part of a write that is no difference by itself, such as a policy that is brought
  /// back.
  bool is_difference = true;
  /// Of kReplace: somebody may lose access. False: whatever `before` permits, `grant` permits.
  bool narrows = true;

  /// The granted grant of a write; null: none.
  [[nodiscard]] const Grant* added() const {
    return action == ChangeAction::kAdd || action == ChangeAction::kReplace ? &grant : nullptr;
  }
  /// What a write takes out of the policy; null: nothing.
  [[nodiscard]] const Grant* removed() const {
    if (action != ChangeAction::kRemove && action != ChangeAction::kReplace) return nullptr;
    return before ? &*before : &grant;
  }
  /// A write takes access away: a removal, or a replacement that narrows.
  [[nodiscard]] bool takes_access() const {
    return action == ChangeAction::kRemove || (action == ChangeAction::kReplace && narrows);
  }
  [[nodiscard]] bool is_written() const {
    return verdict == Verdict::kApply && action != ChangeAction::kNone;
  }
};

/// How a difference is put on record.
enum class DriftRecordKind {
  kNone,        ///< No difference, or one that may stay without a word.
  kOpen,        ///< A difference, repaired or not.
  kUnjudged,    ///< Nothing is judged now. What was known of the difference stays valid.
  kAccepted,    ///< The difference may stay.
  kJustInTime,  ///< No difference, but listed: access that a service gave on request.
};
[[nodiscard]] DriftRecordKind GetRecordKind(const GrantChange& change);

/// The difference, as it is put on record and reported.
[[nodiscard]] DriftItem MakeDriftItem(const GrantChange& change);

/// All differences on one target, and the write that repairs them.
struct TargetPlan {
  std::vector<GrantChange> changes;
  /// Undeclared grants that stay without a change: by `undeclaredRoles: keep`, or beside manifests
  /// that declare single members of the role.
  std::size_t left_undeclared = 0;
  std::vector<DriftItem> notes = {};   ///< Notes; all kNoted. Not set by Kind::Plan.
  std::vector<StoredForm> forms = {};  ///< As in Desired, and what a write taught. Likewise.

  [[nodiscard]] bool writes() const;
  /// The gate stops a change.
  [[nodiscard]] bool IsStoppedBy(Gate gate) const { return CountStoppedBy(gate) > 0; }
  [[nodiscard]] std::size_t CountStoppedBy(Gate gate) const;
  /// The write takes access away.
  [[nodiscard]] bool takes_access() const;
  /// The grants that the write adds, and the grants that it removes. A replaced grant is in both.
  [[nodiscard]] std::vector<Grant> adds() const;
  [[nodiscard]] std::vector<Grant> removes() const;
  /// The differences of one kind of record, in the order of the changes.
  [[nodiscard]] std::vector<DriftItem> Items(DriftRecordKind kind) const;
  [[nodiscard]] std::vector<DriftItem> drift() const { return Items(DriftRecordKind::kOpen); }
  [[nodiscard]] std::vector<DriftItem> unjudged() const {
    return Items(DriftRecordKind::kUnjudged);
  }
  [[nodiscard]] std::vector<DriftItem> accepted() const {
    return Items(DriftRecordKind::kAccepted);
  }
  /// The changes that are written now, and nothing else.
  [[nodiscard]] TargetPlan Writes() const;
};

/// The grants in the policy that no manifest declares, whatever becomes of them. Not counted:
/// deleted principals, just-in-time access, and what Gate::kProtectedPrincipals keeps.
[[nodiscard]] std::size_t CountUndeclared(const TargetPlan& plan);

/// The differences that no manifest declares anything of and that no pass repairs, whatever the
/// mode is.
[[nodiscard]] std::size_t CountOnlyReported(const TargetPlan& plan);

/// A plan for these changes, without any reported difference.
[[nodiscard]] TargetPlan ComposePlan(const std::vector<Grant>& adds,
                                     const std::vector<Grant>& removes);

/// What a write does, counted. A replaced grant is neither added nor removed.
struct ChangeCounts {
  std::size_t adds = 0;
  std::size_t removes = 0;
  std::size_t replaces = 0;
};
[[nodiscard]] ChangeCounts CountChanges(const TargetPlan& plan);

}  // namespace bindery::reconcilers
