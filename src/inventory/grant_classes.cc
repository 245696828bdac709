#include "inventory/grant_classes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "cel/expiry/condition_end.h"
#include "core/settings/severity_rules.h"
#include "reconcilers/tombstones.h"

namespace bindery::inventory {
namespace {

/// A role that no policy has: a claim on the role makes a check tell all undeclared grants.
constexpr const char* kNoRole = "-";

using Key = std::tuple<std::string, std::string, std::optional<Condition>>;

Key KeyIn(const reconcilers::Kind& kind, const Grant& grant) {
  return {grant.role, kind.traits().principals->normal(grant.principal), grant.condition};
}

/// The claims of the manifests, and one that makes a check tell all undeclared grants.
std::vector<reconcilers::Claim> MakeClaims(const TargetGrants& target) {
  std::vector<reconcilers::Claim> claims;
  const auto add = [&](const std::string& part) {
    reconcilers::Claim claim;
    claim.declaration.target = target.target.name;
    claim.declaration.role = part;
    claim.treatment = reconcilers::ManagementPolicy::kObserve;
    std::ranges::copy_if(
        target.declared, std::back_inserter(claim.declaration.grants),
        [&](const Grant& grant) { return reconcilers::CoversOn(target.kind, part, grant); });
    claims.push_back(std::move(claim));
  };
  add(kNoRole);
  for (const std::string& part : target.parts) add(part);
  return claims;
}

/// The items of a check of the target with all undeclared grants, whatever the configuration says
/// about undeclared roles.
reconcilers::TargetPlan PlanWithAllUndeclared(const TargetGrants& target, const ClassRules& rules,
                                              std::vector<Grant> grants) {
  const controller::CatalogSettings& settings = rules.settings;
  reconcilers::Desired desired;
  desired.claims = MakeClaims(target);
  desired.report_undeclared = true;  // Beside single declared members.
  desired.severities = settings.severities;
  desired.protected_principals = settings.protected_principals;
  desired.project_number = target.project_number;
  desired.by_condition = settings.ListConditionalRules(target.target, target.kind);
  desired.now = rules.now;
  JustInTime known = target.just_in_time;
  for (const DriftItem& item : target.open) {
    using Verdict = JustInTimeAnswer::Verdict;
    const bool given = item.drift_class == DriftClass::kJustInTime;
    if (!given && item.rest != DriftRest::kImitation) continue;
    JustInTimeAnswer answer{item.before.value_or(item.grant),
                            given ? Verdict::kActive : Verdict::kNone};
    if (item.acceptance) answer.end = item.acceptance->until;
    known.answers.push_back(std::move(answer));
  }
  desired.just_in_time = std::make_shared<const JustInTime>(std::move(known));
  reconcilers::Observation seen;
  seen.exists = !grants.empty();
  seen.grants = std::move(grants);
  return target.kind->Plan(desired, seen);
}

class Classes {
 public:
  Classes(const TargetGrants& target, const ClassRules& rules) : target_(target), rules_(rules) {
    const reconcilers::Kind& kind = *target.kind;
    for (const Grant& grant : target.declared) declared_.insert(KeyIn(kind, grant));
    for (const DriftItem& item : target.open) {
      if (item.state != DriftState::kAccepted || item.drift_class == DriftClass::kJustInTime) {
        continue;
      }
      accepted_.insert(KeyIn(kind, item.before.value_or(item.grant)));
    }
    const reconcilers::TargetPlan plan = PlanWithAllUndeclared(
        target, rules, reconcilers::ListLiving(target.grants, *kind.traits().principals));
    for (const reconcilers::GrantChange& change : plan.changes) {
      changes_.emplace(KeyIn(kind, change.before.value_or(change.grant)), change);
    }
  }

  [[nodiscard]] ClassedGrant Of(const Grant& grant) const {
    const reconcilers::KindTraits& traits = target_.kind->traits();
    ClassedGrant classed;
    classed.grant = grant;
    classed.severity =
        JudgeSeverity({DriftClass::kUndeclared, traits.judged_as, grant, false, traits.widening},
                      rules_.settings.severities.get());
    const auto end = grant.condition ? cel::FindEnd(*grant.condition) : std::nullopt;
    classed.ended = end && *end <= rules_.now;
    if (reconcilers::IsTombstone(grant, *traits.principals)) {
      classed.grant_class = GrantClass::kTombstone;
    } else if (IsDeclared(grant)) {
      classed.grant_class = GrantClass::kDeclared;
    } else {
      Judge(grant, classed);
    }
    return classed;
  }

 private:
  [[nodiscard]] bool IsDeclared(const Grant& grant) const {
    return declared_.contains(KeyIn(*target_.kind, grant));
  }

  /// Nobody declares the grant.
  void Judge(const Grant& grant, ClassedGrant& classed) const {
    const Key key = KeyIn(*target_.kind, grant);
    const auto found = changes_.find(key);
    // A check without an item for the grant leaves the grant by a rule about its condition.
    if (found == changes_.end()) {
      classed.grant_class = GrantClass::kAccepted;
      return;
    }
    const reconcilers::GrantChange& change = found->second;
    classed.imitation = change.reason.code == reconcilers::ReasonCode::kImitation;
    if (change.IsStoppedBy(reconcilers::Gate::kJustInTime) &&
        change.verdict == reconcilers::Verdict::kKeep) {
      classed.grant_class = GrantClass::kJustInTime;
      classed.unproven = change.reason.code == reconcilers::ReasonCode::kJustInTimeInDoubt;
    } else if (change.IsStoppedBy(reconcilers::Gate::kProtectedPrincipals) &&
               change.verdict == reconcilers::Verdict::kKeep) {
      const bool configured = change.reason.code == reconcilers::ReasonCode::kProtected;
      classed.grant_class = configured ? GrantClass::kAccepted : GrantClass::kServiceAgent;
    } else if (accepted_.contains(key) || IsAccepted(change)) {
      classed.grant_class = GrantClass::kAccepted;
    } else {
      classed.grant_class = target_.managed ? GrantClass::kUndeclared : GrantClass::kUnmanaged;
    }
  }

  [[nodiscard]] bool IsAccepted(const reconcilers::GrantChange& change) const {
    const FoundAcceptance found =
        FindAcceptance(rules_.accepted, target_.target.name, reconcilers::MakeDriftItem(change),
                       {rules_.now, rules_.now}, cel::FindEnd);
    return found.state == AcceptanceState::kHolds;
  }

  const TargetGrants& target_;
  const ClassRules& rules_;
  std::set<Key> declared_;
  std::set<Key> accepted_;  ///< By what is on record.
  std::map<Key, reconcilers::GrantChange> changes_;
};

}  // namespace

std::vector<ClassedGrant> ClassGrants(const TargetGrants& target, const ClassRules& rules) {
  std::vector<ClassedGrant> classed;
  const Classes classes(target, rules);
  for (const Grant& grant : target.grants) classed.push_back(classes.Of(grant));
  return classed;
}

}  // namespace bindery::inventory
