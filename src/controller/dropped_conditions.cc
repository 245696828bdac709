#include "controller/dropped_conditions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "controller/grants_digest.h"
#include "controller/unsafe_removals.h"
#include "reconcilers/grant_comparison.h"

namespace bindery {
namespace {

/// `stays`: it is there, and must not be taken back.
std::string MessageOn(const DroppedCondition& dropped, bool stays) {
  std::string what = "the service stored " + dropped.grant.role + " for " +
                     dropped.grant.principal + " without its condition";
  if (dropped.held_before) {
    what += ": it stays as it was before, without a condition, and is not written again";
  } else if (stays) {
    what +=
        ", which gives more than is declared: the grant stays, as its removal is refused or what "
        "is declared of it is not enforced, and is not written again";
  } else {
    what += ", which gives more than is declared: the grant is taken back and not written again";
  }
  return what + "; declare it without a condition, or grant the role where conditions are accepted";
}

/// It is held, and not as it was asked for.
bool IsDropped(const GrantComparison& compare, const Observation& seen, const Grant& grant) {
  return compare.HoldsAlways(seen.grants, grant) &&
         !compare.HoldsUnderCondition(seen.grants, grant);
}

bool IsDeclaredAlways(const GrantComparison& compare, const Desired& desired, const Grant& grant) {
  return std::any_of(desired.claims.begin(), desired.claims.end(), [&](const Claim& claim) {
    return compare.HoldsAlways(claim.declaration.grants, grant);
  });
}

void Note(std::vector<DroppedCondition>& known, const DroppedCondition& one) {
  std::erase_if(known, [&](const DroppedCondition& old) { return old.grant == one.grant; });
  known.push_back(one);
}

/// The grants with a condition that the write asks for, and that manifests declare so: those it
/// adds, and those that were there, as a write may change how they are stored.
std::vector<Grant> AskedFor(const WriteJob& job, const GrantComparison& compare) {
  std::vector<Grant> asked;
  for (const Grant& grant : job.plan.adds) {
    if (grant.condition) asked.push_back(grant);
  }
  for (const Grant& grant : job.before.grants) {
    if (!grant.condition) continue;
    const auto& claims = job.desired.claims;
    const bool declared = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
      return IsCarriedOut(claim) && Declares(claim, grant, job.check->kind);
    });
    if (declared) asked.push_back(grant);
  }
  std::erase_if(asked,
                [&](const Grant& grant) { return compare.HoldsAlways(job.plan.adds, grant); });
  return asked;
}

/// What the write makes of the policy where the service leaves out the conditions of `brought`.
std::string DigestWithout(const WriteJob& job, const std::vector<Grant>& brought) {
  TargetPlan plan = job.plan;
  Observation before = job.before;
  for (std::vector<Grant>* grants : {&plan.adds, &before.grants}) {
    for (Grant& grant : *grants) {
      if (std::find(brought.begin(), brought.end(), grant) != brought.end()) {
        grant.condition.reset();
      }
    }
  }
  return DesiredDigest(before, plan);
}

/// Whether what is declared of the grant's role is carried out; of a role that nobody declares any
/// more, whether anything is.
bool MayTakeBack(const CheckJob& job, const Desired& desired, const Grant& grant) {
  if (job.restore) return true;
  bool any = false;
  bool own = false;
  bool own_carried_out = false;
  for (const Claim& claim : desired.claims) {
    any = any || IsCarriedOut(claim);
    if (!CoversOn(job.kind, claim.declaration.role, grant)) continue;
    own = true;
    own_carried_out = own_carried_out || IsCarriedOut(claim);
  }
  return own ? own_carried_out : any;
}

}  // namespace

std::vector<DroppedCondition> DroppedConditionsIn(const WriteJob& job, const Observation& after) {
  const auto compare = GrantComparison::Of(job.check->kind);
  std::vector<Grant> without = AskedFor(job, compare);
  std::erase_if(without, [&](const Grant& grant) { return !IsDropped(compare, after, grant); });
  if (without.empty()) return {};
  const std::vector<ConditionalGrant> brought = ConditionalIn(job);
  std::vector<DroppedCondition> dropped;
  for (Grant& grant : without) {
    const bool brings = std::any_of(brought.begin(), brought.end(), [&](const auto& one) {
      return compare.IsSameHolder(one.grant, grant);
    });
    dropped.push_back({std::move(grant), /*held_before=*/!brings});
  }
  return dropped;
}

std::vector<ConditionalGrant> ConditionalIn(const WriteJob& job) {
  const auto compare = GrantComparison::Of(job.check->kind);
  std::vector<Grant> brought;
  for (const Grant& grant : AskedFor(job, compare)) {
    if (!compare.HoldsAlways(job.before.grants, grant)) brought.push_back(grant);
  }
  std::vector<ConditionalGrant> all =
      AsSeen(TooWideIn(*job.check, job.desired, job.before, job.check->conditional));
  if (brought.empty()) return all;
  const std::string dropped = DigestWithout(job, brought);
  for (Grant& grant : brought) all.push_back({std::move(grant), dropped});
  return all;
}

std::vector<Grant> TooWideIn(const CheckJob& job, const Desired& desired, const Observation& seen,
                             const std::vector<ConditionalGrant>& conditional) {
  std::vector<Grant> too_wide;
  if (conditional.empty()) return too_wide;
  const auto compare = GrantComparison::Of(job.kind);
  const std::string digest = GrantsDigest(seen);
  for (const auto& [grant, dropped] : conditional) {
    const bool known = dropped.empty() || dropped == digest;
    if (known && IsDropped(compare, seen, grant) && !IsDeclaredAlways(compare, desired, grant)) {
      too_wide.push_back(grant);
    }
  }
  return too_wide;
}

std::vector<Grant> TakeBacksOf(const CheckJob& job, const Desired& desired, const Observation& seen,
                               const std::vector<Grant>& too_wide) {
  if (too_wide.empty()) return {};
  const auto compare = GrantComparison::Of(job.kind);
  TargetPlan back;
  const std::vector<Grant> others =
      job.restore ? job.kind->Plan(desired, seen).removes : seen.grants;
  for (const Grant& held : others) {
    const bool goes = std::any_of(too_wide.begin(), too_wide.end(), [&](const Grant& grant) {
      return compare.IsSameHolder(held, grant) && MayTakeBack(job, desired, grant);
    });
    if (!held.condition && goes) back.removes.push_back(held);
  }
  RefuseUnsafe(job, desired, seen, back);
  return back.removes;
}

TargetPlan TakingBack(const std::vector<Grant>& grants) {
  TargetPlan back;
  back.removes = grants;
  return back;
}

CheckJob WithDropped(const CheckJob& job, const std::vector<DroppedCondition>& dropped) {
  CheckJob knowing = job;
  for (const DroppedCondition& one : dropped) Note(knowing.dropped, one);
  return knowing;
}

std::vector<DroppedCondition> AsDropped(const std::vector<Grant>& too_wide) {
  std::vector<DroppedCondition> dropped;
  for (const Grant& grant : too_wide) dropped.push_back({grant});
  return dropped;
}

std::vector<ConditionalGrant> AsSeen(const std::vector<Grant>& too_wide) {
  std::vector<ConditionalGrant> seen;
  for (const Grant& grant : too_wide) seen.push_back({grant});
  return seen;
}

void RefuseDroppedConditions(const CheckJob& job, const Desired& desired, const Observation& seen,
                             TargetPlan& plan) {
  const auto compare = GrantComparison::Of(job.kind);
  for (const DroppedCondition& dropped : job.dropped) {
    const Grant& grant = dropped.grant;
    const auto refused =
        std::erase_if(plan.adds, [&](const Grant& added) { return compare.IsSame(added, grant); });
    if (refused == 0) continue;
    for (DriftItem& item : plan.drift) {
      if (compare.IsSame(item.grant, grant)) item.severity = Severity::kCritical;
    }
    const bool stays =
        IsDropped(compare, seen, grant) && TakeBacksOf(job, desired, seen, {grant}).empty();
    for (const Claim& claim : desired.claims) {
      if (!Declares(claim, grant, job.kind)) continue;
      plan.impossible.emplace_back(
          claim.resource,
          ResourceStatus{ResourceState::kStalled, std::string(reason::kConditionDropped),
                         MessageOn(dropped, stays)});
    }
    if (!dropped.held_before) continue;
    std::erase_if(plan.removes, [&](const Grant& removed) {
      return !removed.condition && compare.IsSameHolder(removed, grant);
    });
  }
}

void DroppedConditions::Note(const TargetKey& key, const std::vector<DroppedCondition>& dropped) {
  if (dropped.empty()) return;
  for (const DroppedCondition& one : dropped) bindery::Note(dropped_[key], one);
}

void DroppedConditions::NoteSeen(const TargetKey& key, const Kind& kind, const Observation& seen) {
  const auto known = dropped_.find(key);
  if (known == dropped_.end()) return;
  const auto compare = GrantComparison::Of(&kind);
  for (DroppedCondition& one : known->second) {
    one.held_before = one.held_before && compare.HoldsAlways(seen.grants, one.grant);
  }
}

std::vector<DroppedCondition> DroppedConditions::Of(const TargetKey& key) const {
  const auto found = dropped_.find(key);
  return found == dropped_.end() ? std::vector<DroppedCondition>() : found->second;
}

}  // namespace bindery
