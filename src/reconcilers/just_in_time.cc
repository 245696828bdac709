#include "reconcilers/just_in_time.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/access/claim_part.h"
#include "core/settings/severity_rules.h"
#include "reconcilers/claimed_grants.h"
#include "reconcilers/grant_comparison.h"
#include "reconcilers/tombstones.h"

namespace bindery::reconcilers {
namespace {

/// Reads the forms of grants, except for grants that a manifest declares exactly.
class Forms {
 public:
  Forms(const Desired& desired, const DiffRules& rules) : desired_(desired), rules_(rules) {}

  /// Nothing: it is no access on request, or nothing is taken for such. A deleted principal has no
  /// access, whatever the form.
  [[nodiscard]] std::optional<JustInTimeForm> Of(const Grant& grant) {
    const bool read = desired_.just_in_time != nullptr && rules_.just_in_time != nullptr;
    if (!read || !grant.condition || IsTombstone(grant, rules_.principals)) return std::nullopt;
    auto form = rules_.just_in_time->FindForm(grant);
    if (form && Declared().contains(MakeKey(grant, rules_))) return std::nullopt;
    return form;
  }

 private:
  [[nodiscard]] const std::set<GrantKey>& Declared() {
    if (declared_) return *declared_;
    declared_.emplace();
    for (const Claim& claim : desired_.claims) {
      if (IsGone(claim)) continue;
      for (const Grant& grant : claim.declaration.grants) {
        if (grant.condition) declared_->insert(MakeKey(grant, rules_));
      }
    }
    return *declared_;
  }

  const Desired& desired_;
  const DiffRules& rules_;
  std::optional<std::set<GrantKey>>
      declared_;  ///< Those under a condition; made when it is needed.
};

const JustInTimeAnswer* AnswerOn(const Grant& grant, const Desired& desired,
                                 const DiffRules& rules) {
  const GrantComparison compare(&rules.principals);
  const JustInTimeAnswers& answers = desired.just_in_time->answers;
  const auto found = std::find_if(
      answers.begin(), answers.end(),
      [&](const JustInTimeAnswer& answer) { return compare.IsSame(answer.grant, grant); });
  return found == answers.end() ? nullptr : &*found;
}

/// The service was asked, and knows no such access.
bool IsUnknown(const JustInTimeAnswer* answer) {
  return answer != nullptr && answer->verdict == JustInTimeAnswer::Verdict::kNone;
}

/// The resource whose part of the policy the grant is in; empty: none's.
std::string ResourceBeside(const Grant& grant, const Desired& desired, const DiffRules& rules) {
  for (const Claim& claim : desired.claims) {
    if (!IsGone(claim) && Covers(claim.declaration.role, grant, rules.principals.normal)) {
      return claim.resource;
    }
  }
  return "";
}

/// The grant stays, and is listed. `access`: the proof, the granting service, and the end.
GrantChange Kept(const Grant& grant, ReasonCode why, Acceptance access, const Desired& desired,
                 const DiffRules& rules) {
  GrantChange change;
  change.drift_class = DriftClass::kJustInTime;
  change.severity =
      JudgeSeverity({DriftClass::kUndeclared, rules.kind, grant, false, rules.widening},
                    desired.severities.get());
  change.state = DriftState::kAccepted;
  change.cause = DriftCause::kForeign;
  change.resource = ResourceBeside(grant, desired, rules);
  change.grant = grant;
  change.acceptance = std::move(access);
  change.Lower(Verdict::kKeep, Gate::kJustInTime, {why});
  return change;
}

/// Nothing: the grant is compared as usual.
std::optional<GrantChange> Keep(const Grant& grant, const JustInTimeForm& form,
                                const JustInTimeAnswer* answer, const Desired& desired,
                                const DiffRules& rules) {
  const JustInTime& known = *desired.just_in_time;
  if (known.proof == JustInTimeProof::kForm) {
    if (!form.marked) return std::nullopt;
    return Kept(grant, ReasonCode::kJustInTime,
                {"by the form of its condition (justInTime.proof: form)", form.service, form.end},
                desired, rules);
  }
  if (answer != nullptr && answer->verdict == JustInTimeAnswer::Verdict::kActive) {
    return Kept(grant, ReasonCode::kJustInTime,
                {answer->detail, form.service, answer->end.value_or(form.end)}, desired, rules);
  }
  if (!form.marked || IsUnknown(answer)) return std::nullopt;
  const std::string doubt = answer == nullptr ? "the service was not asked yet" : answer->detail;
  return Kept(grant, ReasonCode::kJustInTimeInDoubt, {"unproven: " + doubt, form.service, form.end},
              desired, rules);
}

}  // namespace

std::optional<JustInTimeForm> FindMarkedForm(const JustInTimeService* service, const Grant& grant) {
  if (service == nullptr || !grant.condition) return std::nullopt;
  auto form = service->FindForm(grant);
  if (form && !form->marked) form.reset();
  return form;
}

std::vector<Grant> TakeOutJustInTime(const Desired& desired, const std::vector<Grant>& observed,
                                     const DiffRules& rules, TargetPlan& listed) {
  std::vector<Grant> rest;
  Forms forms(desired, rules);
  for (const Grant& grant : observed) {
    const std::optional<JustInTimeForm> form = forms.Of(grant);
    auto kept =
        form ? Keep(grant, *form, AnswerOn(grant, desired, rules), desired, rules) : std::nullopt;
    if (kept) {
      listed.changes.push_back(*std::move(kept));
    } else {
      rest.push_back(grant);
    }
  }
  return rest;
}

std::vector<Grant> ImitationsIn(const std::vector<Grant>& grants, const Desired& desired,
                                const DiffRules& rules) {
  std::vector<Grant> imitations;
  if (desired.just_in_time == nullptr || desired.just_in_time->answers.empty()) return imitations;
  Forms forms(desired, rules);
  std::ranges::copy_if(grants, std::back_inserter(imitations), [&](const Grant& grant) {
    const std::optional<JustInTimeForm> form = forms.Of(grant);
    return form && form->marked && IsUnknown(AnswerOn(grant, desired, rules));
  });
  return imitations;
}

void MarkImitations(const std::vector<Grant>& imitations, const DiffRules& rules,
                    TargetPlan& plan) {
  if (imitations.empty()) return;
  std::set<GrantKey> keys;
  for (const Grant& grant : imitations) keys.insert(MakeKey(grant, rules));
  for (GrantChange& change : plan.changes) {
    if (change.decided_by == Gate::kProtectedPrincipals) continue;
    if (!keys.contains(MakeKey(change.before.value_or(change.grant), rules))) continue;
    const bool untold = change.decided_by == Gate::kNone ||
                        change.decided_by == Gate::kManagementPolicy ||
                        change.decided_by == Gate::kUndeclaredRoles;
    if (untold) change.reason = {ReasonCode::kImitation};
    change.severity = std::max(change.severity, Severity::kHigh);
    change.cause = DriftCause::kForeign;
  }
}

std::vector<Grant> WithoutJustInTime(const Desired& desired, std::vector<Grant> recorded,
                                     const DiffRules& rules) {
  Forms forms(desired, rules);
  std::erase_if(recorded, [&](const Grant& grant) {
    const std::optional<JustInTimeForm> form = forms.Of(grant);
    if (!form || form->marked) return form.has_value();
    const JustInTimeAnswer* answer = AnswerOn(grant, desired, rules);
    return answer != nullptr && answer->verdict == JustInTimeAnswer::Verdict::kActive;
  });
  return recorded;
}

JustInTimeAnswers JustInTimeQuestions(const Kind& kind, const Desired& desired,
                                      const Observation& now) {
  const KindTraits& traits = kind.traits();
  const bool asks = traits.just_in_time != nullptr && desired.just_in_time != nullptr &&
                    desired.just_in_time->proof == JustInTimeProof::kGrant;
  if (!asks) return {};
  const DiffRules rules{*traits.principals, traits.judged_as, traits.widening, nullptr,
                        traits.just_in_time};
  Forms forms(desired, rules);
  JustInTimeAnswers questions;
  std::vector<Grant> others;
  for (const Grant& grant : now.grants) {
    const std::optional<JustInTimeForm> form = forms.Of(grant);
    if (form && form->marked) questions.push_back({grant});
    if (form && !form->marked) others.push_back(grant);
  }
  if (others.empty()) return questions;
  // A grant with an end, but without a mark, matters only if it would be a difference.
  std::set<GrantKey> differing;
  for (const GrantChange& change : kind.Plan(desired, now).changes) {
    if (GetRecordKind(change) != DriftRecordKind::kOpen && !change.is_written()) continue;
    differing.insert(MakeKey(change.before.value_or(change.grant), rules));
  }
  for (const Grant& grant : others) {
    if (differing.contains(MakeKey(grant, rules))) questions.push_back({grant});
  }
  return questions;
}

}  // namespace bindery::reconcilers
