#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/claims/catalog_settings.h"
#include "core/access/drift.h"
#include "core/access/grant.h"
#include "core/access/just_in_time.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/settings/accepted_drift.h"
#include "reconcilers/kind.h"

namespace bindery::inventory {

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
  const controller::CatalogSettings& settings;
  const AcceptedDriftRules& accepted;  ///< Of the configuration and of manifests.
  WallTime now;
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
};

/// The grants of a policy with their classes, in their order. Where several rules fit, a deleted
/// principal comes first, a declaration second; the rest is told apart as by a check of the
/// target. Pure.
[[nodiscard]] std::vector<ClassedGrant> ClassGrants(const TargetGrants& target,
                                                    const ClassRules& rules);

}  // namespace bindery::inventory
