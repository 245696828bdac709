#include "report/access/grant_classes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "cel/expiry/condition_end.h"
#include "providers/bindery/own_kinds.h"
#include "providers/registry/kinds.h"
#include "reconcilers/matched_target.h"
#include "reconcilers/tombstones.h"
#include "report/access/observed_access.h"
#include "report/text/json_fields.h"

namespace bindery::report {
namespace {

/// A role that no policy has: a claim on the role makes a check tell all undeclared grants.
constexpr const char* kNoRole = "-";

/// The claims of the manifests, and one that makes a check tell all undeclared grants.
std::vector<reconcilers::Claim> ListClaims(const TargetGrants& target) {
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
  reconcilers::Desired desired;
  desired.claims = ListClaims(target);
  desired.report_undeclared = true;  // Beside single declared members.
  desired.protected_principals = rules.keeping.protected_principals;
  desired.project_number = target.project_number;
  desired.by_condition = ListConditionalRules(rules.keeping.targets,
                                              reconcilers::MatchTarget(target.target, target.kind));
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

class GrantClasses {
 public:
  GrantClasses(const TargetGrants& target, const ClassRules& rules)
      : target_(target), rules_(rules), principals_(target.kind->traits().principals) {
    for (const Grant& grant : target.declared) declared_.insert(MakeKey(grant));
    for (const DriftItem& item : target.open) {
      if (item.state != DriftState::kAccepted || item.drift_class == DriftClass::kJustInTime) {
        continue;
      }
      accepted_.insert(MakeKey(item.before.value_or(item.grant)));
    }
    const reconcilers::TargetPlan plan = PlanWithAllUndeclared(
        target, rules,
        principals_ == nullptr ? target.grants
                               : reconcilers::ListLiving(target.grants, *principals_));
    for (const reconcilers::GrantChange& change : plan.changes) {
      changes_.emplace(MakeKey(change.before.value_or(change.grant)), change);
    }
  }

  [[nodiscard]] ClassedGrant Of(const Grant& grant) const {
    const reconcilers::KindTraits& traits = target_.kind->traits();
    ClassedGrant classed;
    classed.grant = grant;
    classed.severity =
        JudgeSeverity({DriftClass::kUndeclared, traits.judged_as, grant, false, traits.widening},
                      rules_.severities);
    const auto end = grant.condition ? cel::FindEnd(*grant.condition) : std::nullopt;
    classed.ended = end && *end <= rules_.now;
    if (principals_ != nullptr && reconcilers::IsTombstone(grant, *principals_)) {
      classed.grant_class = GrantClass::kTombstone;
    } else if (declared_.contains(MakeKey(grant))) {
      classed.grant_class = GrantClass::kDeclared;
    } else {
      Judge(grant, classed);
    }
    return classed;
  }

 private:
  [[nodiscard]] EqualGrantKey MakeKey(const Grant& grant) const {
    return MakeGrantKey(principals_, grant);
  }

  /// Nobody declares the grant.
  void Judge(const Grant& grant, ClassedGrant& classed) const {
    const EqualGrantKey key = MakeKey(grant);
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
      classed.reason = change.reason.code;
    } else if (const AcceptedDriftRule* rule = FindRule(change);
               rule != nullptr || accepted_.contains(key)) {
      classed.grant_class = GrantClass::kAccepted;
      classed.reason = reconcilers::ReasonCode::kAccepted;
      classed.rule = rule;
    } else {
      classed.grant_class = target_.managed ? GrantClass::kUndeclared : GrantClass::kUnmanaged;
    }
  }

  /// The rule that accepts the difference; null: none does.
  [[nodiscard]] const AcceptedDriftRule* FindRule(const reconcilers::GrantChange& change) const {
    const FoundAcceptance found =
        FindAcceptance(rules_.accepted, target_.target.name, reconcilers::MakeDriftItem(change),
                       {rules_.now, rules_.now}, cel::FindEnd);
    return found.state == AcceptanceState::kHolds ? found.rule : nullptr;
  }

  const TargetGrants& target_;
  const ClassRules& rules_;
  const reconcilers::PrincipalRules* principals_;
  std::set<EqualGrantKey> declared_;
  std::set<EqualGrantKey> accepted_;  ///< By what is on record.
  std::map<EqualGrantKey, reconcilers::GrantChange> changes_;
};

}  // namespace

Expected<AcceptedDriftRules> ReadAcceptedDrift(const store::ReportReader& store,
                                               const AcceptedDriftRules* configured) {
  AcceptedDriftRules rules;
  if (configured != nullptr) rules = *configured;
  const auto resources = store.ResourcesOn(providers::AcceptedDriftTarget());
  if (!resources) return Fail(resources.error());
  for (const store::ResourceRecord& resource : *resources) {
    if (!resource.accepted) continue;
    auto rule = providers::AcceptedDriftRuleIn(ObjectFromText(resource.spec));
    if (rule) rules.push_back(*std::move(rule));
  }
  return rules;
}

TargetGrants DescribeTarget(const Target& target,
                            const std::vector<store::ResourceRecord>& resources,
                            const std::vector<store::DriftRecord>& drift) {
  TargetGrants described;
  described.target = target;
  described.kind = providers::KnownKinds().FindByTargets(target.kind.str());
  for (const store::ResourceRecord& resource : resources) {
    if (!resource.accepted || providers::IsLookup(resource.token)) continue;
    described.managed = true;
    described.parts.push_back(resource.role);
    for (Grant& grant : DeclaredGrants(resource)) described.declared.push_back(std::move(grant));
  }
  for (const store::DriftRecord& record : drift) described.open.push_back(record.item);
  return described;
}

std::vector<ClassedGrant> ClassGrants(const TargetGrants& target, const ClassRules& rules) {
  std::vector<ClassedGrant> classed;
  const GrantClasses classes(target, rules);
  for (const Grant& grant : target.grants) classed.push_back(classes.Of(grant));
  return classed;
}

std::string ExplainKept(const ClassedGrant& classed) {
  if (classed.rule != nullptr) {
    return "it is accepted " + AcceptanceInWords(classed.rule->acceptance);
  }
  switch (classed.reason) {
    case reconcilers::ReasonCode::kServiceAgent:
      return "it is the role of a service agent, which the cloud grants";
    case reconcilers::ReasonCode::kDefaultAccount:
      return "it is the role of a default account, which the cloud grants";
    case reconcilers::ReasonCode::kProtected:
      return "the configuration protects it";
    case reconcilers::ReasonCode::kAccepted:
      return "it is accepted";
    default:
      return "the configuration keeps grants with such a condition";
  }
}

}  // namespace bindery::report
