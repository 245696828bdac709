#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/access/drift.h"
#include "core/access/grant.h"
#include "core/access/just_in_time.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/keeping_rules.h"
#include "core/settings/severity_rules.h"
#include "reconcilers/grant_change.h"
#include "reconcilers/kind.h"
#include "store/ports/records.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// Who answers for a grant. Every grant is of exactly one class.
enum class GrantClass {
  kDeclared,    ///< A manifest in force declares exactly this grant.
  kAccepted,    ///< Nobody declares it, and the configuration or a manifest says that it may stay.
  kJustInTime,  ///< A service gave it on request, or it carries the mark of one that does.
  kServiceAgent,  ///< The cloud made it for a service of its own.
  kUndeclared,    ///< On a target that manifests are declared on.
  kUnmanaged,     ///< On a target that no manifest is declared on.
  kTombstone,     ///< Of a deleted principal: it gives nobody access.
};

/// The known facts of one target's policy.
struct TargetGrants {
  Target target;
  const reconcilers::Kind* kind = nullptr;  ///< Whose rules its grants are judged by; never null.
  std::vector<Grant> grants;
  bool managed = false;
  std::vector<Grant> declared = {};
  /// The parts that the manifests claim, as ClaimPart. Beside a declared grant a wider grant is a
  /// changed condition, and no undeclared grant.
  std::vector<std::string> parts = {};
  std::vector<DriftItem> open = {};  ///< What is on record as not resolved.
  std::string project_number = {};   ///< As Desired::project_number.
  JustInTime just_in_time = {};      ///< What else is known than by `open`.
};

/// The rules that tell grants apart.
struct ClassRules {
  const KeepingRules& keeping;
  const AcceptedDriftRules& accepted;  ///< As ReadAcceptedDrift().
  WallTime now;
  const SeverityRules* severities = nullptr;  ///< As Desired::severities.
};

struct ClassedGrant {
  Grant grant;
  GrantClass grant_class = GrantClass::kUnmanaged;
  /// The severity of the grant if nobody declared the grant.
  Severity severity = Severity::kMedium;
  bool ended = false;     ///< Its condition holds at no time any more.
  bool unproven = false;  ///< Of kJustInTime: only its form says so.
  /// It has the form of just-in-time access, and the service knows no such access.
  bool imitation = false;
  /// Of kAccepted and kServiceAgent: why the grant stays; kNone where a rule is about its
  /// condition.
  reconcilers::ReasonCode reason = reconcilers::ReasonCode::kNone;
  const AcceptedDriftRule* rule = nullptr;  ///< In ClassRules::accepted; null: no rule accepts it.
};

/// The rules of the configuration (null: none), then those of manifests in force.
[[nodiscard]] Expected<AcceptedDriftRules> ReadAcceptedDrift(const store::ReportReader& store,
                                                             const AcceptedDriftRules* configured);

/// What the manifests on the target and the differences on record tell of its grants; without the
/// grants of the policy. The kind is null if no kind of the name is known.
[[nodiscard]] TargetGrants DescribeTarget(const Target& target,
                                          const std::vector<store::ResourceRecord>& resources,
                                          const std::vector<store::DriftRecord>& drift);

/// The grants of a policy with their classes, in their order. Where several rules fit, a deleted
/// principal comes first, a declaration second; the rest is told apart as by a check of the
/// target. Pure.
[[nodiscard]] std::vector<ClassedGrant> ClassGrants(const TargetGrants& target,
                                                    const ClassRules& rules);

/// Why an accepted grant or a grant of a service agent stays: "it is accepted until …".
[[nodiscard]] std::string ExplainKept(const ClassedGrant& classed);

}  // namespace bindery::report
