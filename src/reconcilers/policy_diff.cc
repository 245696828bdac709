#include "reconcilers/policy_diff.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/settings/severity_rules.h"
#include "reconcilers/claimed_grants.h"
#include "reconcilers/condition_order.h"
#include "reconcilers/just_in_time.h"
#include "reconcilers/kept_grants.h"
#include "reconcilers/tombstones.h"
#include "reconcilers/undeclared_grants.h"

namespace bindery::reconcilers {
namespace {

/// The conditions differ in nothing but words for people.
bool HoldAlike(const Grant& left, const Grant& right) {
  return left.condition && right.condition &&
         left.condition->expression == right.condition->expression;
}

bool IsRepaired(ManagementPolicy treatment) {
  return treatment == ManagementPolicy::kEnforce || treatment == ManagementPolicy::kRemove;
}

/// The tools for making the changes of one claim.
struct Maker {
  const DiffRules& rules;
  const Desired& desired;
  const SeverityRules* severities;       ///< As Desired::severities.
  const std::vector<Grant>& tombstones;  ///< That people are told of.

  [[nodiscard]] bool SameHolder(const Grant& left, const Grant& right) const {
    return left.role == right.role &&
           rules.principals.normal(left.principal) == rules.principals.normal(right.principal);
  }

  [[nodiscard]] GrantChange Make(ChangeAction action, DriftClass drift_class,
                                 const Grant& grant) const {
    GrantChange change;
    change.action = action;
    change.grant = grant;
    change.drift_class = drift_class;
    change.severity =
        JudgeSeverity({drift_class, rules.kind, grant, false, rules.widening}, severities);
    return change;
  }

  /// Makes one change of both: `before` goes when `change.grant` comes, or at once if the latter
  /// exists already.
  void Replace(GrantChange& change, const Grant& before) const {
    if (change.action == ChangeAction::kAdd) change.action = ChangeAction::kReplace;
    change.drift_class = DriftClass::kConditionChanged;
    change.before = before;
    change.narrows = !IsContained(before.condition, change.grant.condition);
    change.severity =
        JudgeSeverity({change.drift_class, rules.kind, change.grant,
                       HoldAlike(change.grant, before), rules.widening, !change.narrows},
                      severities);
    if (!change.narrows || !IsContained(change.grant.condition, before.condition)) return;
    // The declared condition is void: that weighs, whatever the role.
    const Severity of_class = JudgeSeverity(
        {change.drift_class, rules.kind, change.grant, HoldAlike(change.grant, before)},
        severities);
    change.severity = std::max(change.severity, of_class);
  }
};

/// Compares the grants of one claim, or unclaimed grants, and adds to the plan.
class ClaimDiff {
 public:
  /// `start`: the verdict that the treatment of the claim allows, and why.
  ClaimDiff(const Maker& maker, std::string resource, GateDecision start, TargetPlan& plan)
      : maker_(maker), resource_(std::move(resource)), start_(std::move(start)), plan_(plan) {}

  /// `named`: the claim names the exact members of `found`, so none is kept.
  void Compare(const std::vector<Grant>& wanted, const std::vector<Grant>& found,
               bool named = false) {
    const std::vector<Grant> missing = Difference(wanted, found);
    std::vector<Grant> extra = Difference(found, wanted);
    const std::vector<std::optional<Grant>> twins = PairTwins(missing, extra);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      GrantChange change = maker_.Make(ChangeAction::kAdd, DriftClass::kMissing, missing[i]);
      if (twins[i]) {
        maker_.Replace(change, *twins[i]);
      } else {
        TellDeleted(change);
      }
      Append(std::move(change));
    }
    for (const Grant& grant : extra) {
      GrantChange change = maker_.Make(ChangeAction::kRemove, DriftClass::kUndeclared, grant);
      TellWider(wanted, missing, change);
      if (const auto as =
              named ? std::nullopt : ChooseKeptAs(grant, maker_.desired, maker_.rules)) {
        const bool unknown = *as == KeptAs::kUnknownAgent;
        // A claim that is left alone does not decide about remaining grants.
        if (!unknown && start_.verdict == Verdict::kKeep) continue;
        change.Lower(unknown ? Verdict::kReport : Verdict::kKeep, Gate::kProtectedPrincipals,
                     {GetReason(*as)});
      } else if (!named && RuleByCondition(grant, maker_.desired) == UndeclaredRoles::kReport) {
        change.Lower(Verdict::kReport, Gate::kUndeclaredRoles, {ReasonCode::kUndeclaredReported});
      }
      Append(std::move(change));
    }
  }

 private:
  [[nodiscard]] std::vector<Grant> Difference(const std::vector<Grant>& from,
                                              const std::vector<Grant>& without) const {
    std::set<GrantKey> keys;
    for (const Grant& grant : without) keys.insert(MakeKey(grant, maker_.rules));
    std::vector<Grant> rest;
    for (const Grant& grant : from) {
      if (!keys.contains(MakeKey(grant, maker_.rules))) rest.push_back(grant);
    }
    return rest;
  }

  /// What permits more than is declared, beside the declared grant: the condition was changed. Told
  /// of each declared grant once.
  void TellWider(const std::vector<Grant>& wanted, const std::vector<Grant>& missing,
                 GrantChange& change) {
    const auto declared = std::find_if(wanted.begin(), wanted.end(), [&](const Grant& grant) {
      return grant.condition && maker_.SameHolder(grant, change.grant) &&
             !HoldAlike(grant, change.grant) &&
             IsContained(grant.condition, change.grant.condition) &&
             std::find(missing.begin(), missing.end(), grant) == missing.end();
    });
    if (declared == wanted.end() || !widened_.insert(MakeKey(*declared, maker_.rules)).second)
      return;
    const Grant before = change.grant;
    change.grant = *declared;
    maker_.Replace(change, before);
  }

  /// For each missing grant, the grant of the same principal and role under a different condition:
  /// one difference, not two. The twins are removed from `extra`. Conditions that differ only in
  /// words are paired first.
  [[nodiscard]] std::vector<std::optional<Grant>> PairTwins(const std::vector<Grant>& missing,
                                                            std::vector<Grant>& extra) const {
    std::vector<std::optional<Grant>> twins(missing.size());
    for (const bool alike : {true, false}) {
      for (std::size_t i = 0; i < missing.size(); ++i) {
        if (twins[i]) continue;
        const auto twin = std::find_if(extra.begin(), extra.end(), [&](const Grant& grant) {
          return maker_.SameHolder(grant, missing[i]) && (!alike || HoldAlike(grant, missing[i]));
        });
        if (twin == extra.end()) continue;
        twins[i] = std::move(*twin);
        extra.erase(twin);
      }
    }
    return twins;
  }

  /// The policy shows the principal as deleted. An account of the address may exist anew: the
  /// principal is granted the role.
  void TellDeleted(GrantChange& change) const {
    if (maker_.tombstones.empty()) return;
    const PrincipalRules& principals = maker_.rules.principals;
    const std::string principal = principals.normal(change.grant.principal);
    const auto tombstone =
        std::find_if(maker_.tombstones.begin(), maker_.tombstones.end(), [&](const Grant& grant) {
          return grant.role == change.grant.role &&
                 principals.deleted(grant.principal) == principal;
        });
    if (tombstone == maker_.tombstones.end()) return;
    change = maker_.Make(change.action, DriftClass::kPrincipalDeleted, change.grant);
    change.before = *tombstone;
  }

  void Append(GrantChange change) {
    change.resource = resource_;
    // A claim that is left alone is not judged, whatever else is in the way.
    const bool alone = start_.verdict == Verdict::kKeep;
    if (alone || start_.verdict < change.verdict) {
      static_cast<GateDecision&>(change) = start_;
    }
    plan_.changes.push_back(std::move(change));
  }

  const Maker& maker_;
  std::string resource_;
  GateDecision start_;
  TargetPlan& plan_;
  std::set<GrantKey> widened_;  ///< Declared grants beside which a wider one was told of.
};

/// The verdict that changes of such a claim begin with.
GateDecision GetStart(ManagementPolicy treatment) {
  GateDecision start;
  if (treatment == ManagementPolicy::kPause) {
    start.Lower(Verdict::kKeep, Gate::kManagementPolicy, {ReasonCode::kPaused});
  } else if (!IsRepaired(treatment)) {
    start.Lower(Verdict::kReport, Gate::kManagementPolicy, {ReasonCode::kObserved});
  }
  return start;
}

/// A declaration of a policy's settings says nothing about its grants.
bool AnyClaim(const Desired& desired, ManagementPolicy treatment) {
  return std::any_of(desired.claims.begin(), desired.claims.end(), [&](const Claim& claim) {
    return claim.treatment == treatment && !IsSetting(claim.declaration.role);
  });
}

std::set<GrantKey> ListKeys(const std::vector<Grant>& grants, const DiffRules& rules) {
  std::set<GrantKey> keys;
  for (const Grant& grant : grants) keys.insert(MakeKey(grant, rules));
  return keys;
}

/// Unclaimed grants are judged only on a target with declarations: a policy whose last manifest
/// goes loses the manifest's claim, and no foreign grants. `imitations` are separated.
void DiffUnclaimed(const Maker& maker, const ClaimedGrants& claimed,
                   const std::set<GrantKey>& imitations, TargetPlan& plan) {
  const Desired& desired = maker.desired;
  const bool enforced = AnyClaim(desired, ManagementPolicy::kEnforce);
  const bool judged = enforced || AnyClaim(desired, ManagementPolicy::kObserve);
  const bool doubtful =
      desired.undeclared_in_doubt || (!judged && AnyClaim(desired, ManagementPolicy::kPause));
  if (!doubtful && !judged) return;
  auto found = SortUndeclared(desired, maker.rules, {claimed, imitations, doubtful});
  plan.left_undeclared = found[UndeclaredRoles::kKeep].size();
  GateDecision start = GetStart(enforced ? ManagementPolicy::kEnforce : ManagementPolicy::kObserve);
  if (doubtful) {
    start.Lower(Verdict::kKeep, Gate::kManagementPolicy, {ReasonCode::kUndeclaredInDoubt});
  }
  GateDecision reported = start;
  reported.Lower(Verdict::kReport, Gate::kUndeclaredRoles, {ReasonCode::kUndeclaredReported});
  ClaimDiff(maker, "", std::move(start), plan).Compare({}, found[UndeclaredRoles::kRemove]);
  ClaimDiff(maker, "", std::move(reported), plan).Compare({}, found[UndeclaredRoles::kReport]);
}

/// The conditions of the new and the old grant are comparable, or the same manifest declared
/// both, in sequence. Otherwise the two are unrelated, and the new grant must not wait for the
/// old.
bool BelongTogether(const Desired& desired, const GrantChange& come, const GrantChange& go) {
  if (IsContained(go.grant.condition, come.grant.condition) ||
      IsContained(come.grant.condition, go.grant.condition)) {
    return true;
  }
  return std::any_of(desired.claims.begin(), desired.claims.end(), [&](const Claim& claim) {
    return !claim.successor.empty() && claim.resource == go.resource &&
           claim.successor == come.resource;
  });
}

/// The first change of `candidates` that removes the grant of `come` under a different condition.
/// `alike`: the conditions differ only in words for people.
std::vector<std::size_t>::iterator FindPartner(const Desired& desired,
                                               const std::vector<GrantChange>& changes,
                                               const GrantChange& come, bool alike,
                                               std::vector<std::size_t>& candidates) {
  return std::find_if(candidates.begin(), candidates.end(), [&](std::size_t at) {
    const GrantChange& go = changes[at];
    return go.verdict == come.verdict && go.decided_by == come.decided_by &&
           (alike ? HoldAlike(go.grant, come.grant) : BelongTogether(desired, come, go));
  });
}

/// A grant added by one claim and removed by a second, for the same role and principal, is a single
/// change: the policy is never without the grant.
void PairAcrossClaims(const Maker& maker, TargetPlan& plan) {
  std::vector<GrantChange>& changes = plan.changes;
  const auto holder = [&maker](const Grant& grant) {
    return std::pair(grant.role, maker.rules.principals.normal(grant.principal));
  };
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> going;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].action == ChangeAction::kRemove && !changes[i].before)
      going[holder(changes[i].grant)].push_back(i);
  }
  if (going.empty()) return;
  std::set<std::size_t> paired;
  for (const bool alike : {true, false}) {
    for (GrantChange& come : changes) {
      if (come.action != ChangeAction::kAdd) continue;
      const auto candidates = going.find(holder(come.grant));
      if (candidates == going.end()) continue;
      const auto partner = FindPartner(maker.desired, changes, come, alike, candidates->second);
      if (partner == candidates->second.end()) continue;
      const GrantChange& go = changes[*partner];
      maker.Replace(come, go.grant);
      if (go.resource != come.resource) come.former = go.resource;
      paired.insert(*partner);
      candidates->second.erase(partner);
    }
  }
  std::size_t index = 0;
  std::erase_if(changes, [&](const GrantChange&) { return paired.contains(index++); });
}

/// Imitations are told wherever they are. Where no manifest has the role to itself, and undeclared
/// roles stay, they are only reported.
void ReportImitations(const Maker& maker, const std::vector<Grant>& imitations, TargetPlan& plan) {
  if (imitations.empty()) return;
  std::set<GrantKey> told;
  for (const GrantChange& change : plan.changes) {
    told.insert(MakeKey(change.before.value_or(change.grant), maker.rules));
  }
  std::vector<Grant> untold;
  std::copy_if(imitations.begin(), imitations.end(), std::back_inserter(untold),
               [&](const Grant& grant) { return !told.contains(MakeKey(grant, maker.rules)); });
  const Desired& desired = maker.desired;
  const bool judged = AnyClaim(desired, ManagementPolicy::kEnforce) ||
                      AnyClaim(desired, ManagementPolicy::kObserve);
  GateDecision start = GetStart(judged ? ManagementPolicy::kEnforce : ManagementPolicy::kPause);
  start.Lower(Verdict::kReport, Gate::kJustInTime, {ReasonCode::kImitation});
  ClaimDiff(maker, "", std::move(start), plan).Compare({}, untold);
}

/// What of a recorded policy can be brought back: a tombstone can stay in a policy but never be put
/// back into one, and neither can a principal that the policy shows as deleted, as a policy is
/// brought back as a whole or not at all.
std::vector<Grant> ListPossible(std::vector<Grant> wanted, const std::vector<Grant>& found,
                                const PrincipalRules& principals) {
  std::set<std::string> deleted;
  for (const Grant& grant : found) deleted.insert(principals.deleted(grant.principal));
  std::erase_if(wanted, [&](const Grant& grant) {
    return IsTombstone(grant, principals) || deleted.contains(principals.normal(grant.principal));
  });
  return wanted;
}

}  // namespace

TargetPlan DiffGrants(const Desired& desired, const std::vector<Grant>& observed,
                      const DiffRules& rules) {
  TargetPlan plan;
  // Nearly no policy can have such access: then nothing is copied.
  const bool may_have = rules.just_in_time != nullptr && desired.just_in_time != nullptr;
  TargetPlan listed;
  const std::vector<Grant> others =
      may_have ? TakeOutJustInTime(desired, observed, rules, listed) : std::vector<Grant>();
  const ClaimedGrants claimed(desired, may_have ? others : observed, rules);
  const Maker maker{rules, desired, desired.severities.get(), claimed.tombstones()};
  for (const Claim& claim : desired.claims) {
    const std::vector<Grant> wanted =
        IsGone(claim) ? std::vector<Grant>{} : WithoutDuplicates(claim.declaration.grants, rules);
    std::vector<Grant> found = claimed.ListFound(claim);
    const std::vector<Grant> wider = claimed.WiderThan(claim);
    found.insert(found.end(), wider.begin(), wider.end());
    ClaimDiff(maker, claim.resource, GetStart(claim.treatment), plan)
        .Compare(wanted, found, !ClaimPart::Of(claim.declaration.role).member.empty());
  }
  const std::vector<Grant> imitations = ImitationsIn(others, desired, rules);
  DiffUnclaimed(maker, claimed, ListKeys(imitations, rules), plan);
  PairAcrossClaims(maker, plan);
  ReportImitations(maker, imitations, plan);
  MarkImitations(imitations, rules, plan);
  std::move(listed.changes.begin(), listed.changes.end(), std::back_inserter(plan.changes));
  return plan;
}

TargetPlan DiffExactly(const Desired& desired, const std::vector<Grant>& wanted,
                       const std::vector<Grant>& observed, const DiffRules& rules) {
  TargetPlan plan;
  TargetPlan listed;
  const std::vector<Grant> found =
      WithoutDuplicates(TakeOutJustInTime(desired, observed, rules, listed), rules);
  // What was access on request when the policy was recorded is not brought back.
  const std::vector<Grant> lasting =
      WithoutDuplicates(WithoutJustInTime(desired, wanted, rules), rules);
  const std::vector<Grant> untold;
  const Maker maker{rules, desired, nullptr, untold};
  ClaimDiff compare(maker, "", {}, plan);
  if (desired.claims.empty()) {
    // Two policies that are only compared also differ by their tombstones.
    compare.Compare(lasting, found);
  } else {
    compare.Compare(ListPossible(lasting, found, rules.principals),
                    ListLiving(found, rules.principals));
  }
  // Only the write counts, and the declared state is not judged meanwhile.
  std::erase_if(plan.changes, [](const GrantChange& change) {
    return !change.is_written() && change.decided_by != Gate::kProtectedPrincipals;
  });
  for (GrantChange& change : plan.changes) change.is_difference = false;
  TargetPlan now = DiffGrants(desired, observed, rules);
  plan.left_undeclared = now.left_undeclared;
  for (GrantChange& change : now.changes) {
    const DriftRecordKind kind = GetRecordKind(change);
    if (kind == DriftRecordKind::kNone) continue;
    if (kind != DriftRecordKind::kJustInTime) {
      static_cast<GateDecision&>(change) = GetStart(ManagementPolicy::kPause);
    }
    plan.changes.push_back(std::move(change));
  }
  return plan;
}

}  // namespace bindery::reconcilers
