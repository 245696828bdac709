#include "controller/gates/dropped_conditions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "controller/gates/gate.h"
#include "controller/gates/grants_digest.h"
#include "reconcilers/grant_comparison.h"

namespace bindery::controller {
namespace {

void Note(std::vector<DroppedCondition>& known, const DroppedCondition& one) {
  std::erase_if(known, [&](const DroppedCondition& old) { return old.grant == one.grant; });
  known.push_back(one);
}

/// The grants with a condition that the write requests, as declared by manifests: added grants, and
/// present grants, because a write may change the stored form.
std::vector<Grant> AskedFor(const WriteJob& job, const reconcilers::GrantComparison& compare) {
  std::vector<Grant> asked;
  const std::vector<Grant> adds = job.plan.adds();
  for (const Grant& grant : adds) {
    if (grant.condition) asked.push_back(grant);
  }
  for (const Grant& grant : job.before.grants) {
    if (!grant.condition) continue;
    const bool declared =
        std::ranges::any_of(job.desired.claims, [&](const reconcilers::Claim& claim) {
          return IsCarriedOut(claim) && Declares(claim, grant, job.check->kind);
        });
    if (declared) asked.push_back(grant);
  }
  std::erase_if(asked, [&](const Grant& grant) { return compare.HoldsAlways(adds, grant); });
  return asked;
}

/// What the write makes of the policy where the service leaves out the conditions of `brought`.
std::string DigestWithout(const WriteJob& job, const std::vector<Grant>& brought) {
  reconcilers::TargetPlan plan = job.plan;
  reconcilers::Observation before = job.before;
  const auto drop = [&brought](Grant& grant) {
    if (std::find(brought.begin(), brought.end(), grant) != brought.end()) grant.condition.reset();
  };
  for (reconcilers::GrantChange& change : plan.changes) {
    if (change.added() != nullptr) drop(change.grant);
  }
  for (Grant& grant : before.grants) drop(grant);
  return DesiredDigest(before, plan);
}

/// Whether the declared state of the grant's role is carried out; of a role that nobody declares
/// any more, whether anything is.
bool MayTakeBack(const CheckJob& job, const reconcilers::Desired& desired, const Grant& grant) {
  if (job.restore) return true;
  bool any = false;
  bool own = false;
  bool own_carried_out = false;
  for (const reconcilers::Claim& claim : desired.claims) {
    any = any || IsCarriedOut(claim);
    if (!reconcilers::CoversOn(job.kind, claim.declaration.role, grant)) continue;
    own = true;
    own_carried_out = own_carried_out || IsCarriedOut(claim);
  }
  return own ? own_carried_out : any;
}

}  // namespace

bool IsDropped(const reconcilers::GrantComparison& compare, const reconcilers::Observation& seen,
               const Grant& grant) {
  return compare.HoldsAlways(seen.grants, grant) &&
         !compare.HoldsUnderCondition(seen.grants, grant);
}

std::vector<DroppedCondition> DroppedConditionsIn(const WriteJob& job,
                                                  const reconcilers::Observation& after) {
  const auto compare = reconcilers::GrantComparison::Of(job.check->kind);
  std::vector<Grant> without = AskedFor(job, compare);
  std::erase_if(without, [&](const Grant& grant) { return !IsDropped(compare, after, grant); });
  if (without.empty()) return {};
  const std::vector<store::ConditionalGrant> brought = ConditionalIn(job);
  std::vector<DroppedCondition> dropped;
  for (Grant& grant : without) {
    const bool brings = std::any_of(brought.begin(), brought.end(), [&](const auto& one) {
      return compare.IsSameHolder(one.grant, grant);
    });
    dropped.push_back({std::move(grant), /*held_before=*/!brings});
  }
  return dropped;
}

std::vector<store::ConditionalGrant> ConditionalIn(const WriteJob& job) {
  const auto compare = reconcilers::GrantComparison::Of(job.check->kind);
  std::vector<Grant> brought;
  for (const Grant& grant : AskedFor(job, compare)) {
    if (!compare.HoldsAlways(job.before.grants, grant)) brought.push_back(grant);
  }
  std::vector<store::ConditionalGrant> all =
      TooWideIn(*job.check, job.desired, job.before, job.check->conditional);
  if (brought.empty()) return all;
  const std::string dropped = DigestWithout(job, brought);
  for (Grant& grant : brought) all.push_back({std::move(grant), dropped});
  return all;
}

std::vector<store::ConditionalGrant> TooWideIn(
    const CheckJob& job, const reconcilers::Desired& desired, const reconcilers::Observation& seen,
    const std::vector<store::ConditionalGrant>& conditional) {
  std::vector<store::ConditionalGrant> too_wide;
  if (conditional.empty()) return too_wide;
  const auto compare = reconcilers::GrantComparison::Of(job.kind);
  const std::string digest = GrantsDigest(seen);
  for (const store::ConditionalGrant& each : conditional) {
    const bool known = each.dropped.empty() || each.dropped == digest;
    if (!known || !IsDropped(compare, seen, each.grant)) continue;
    const bool declared = std::ranges::any_of(desired.claims, [&](const reconcilers::Claim& claim) {
      return compare.HoldsAlways(claim.declaration.grants, each.grant);
    });
    if (!declared) too_wide.push_back({each.grant});
  }
  return too_wide;
}

std::vector<Grant> ListTakeBacks(const CheckJob& job, const reconcilers::Desired& desired,
                                 const reconcilers::Observation& seen,
                                 const std::vector<store::ConditionalGrant>& too_wide) {
  if (too_wide.empty()) return {};
  const auto compare = reconcilers::GrantComparison::Of(job.kind);
  std::vector<Grant> back;
  const std::vector<Grant> others =
      job.restore ? job.kind->Plan(desired, seen).removes() : seen.grants;
  for (const Grant& held : others) {
    const bool goes = std::ranges::any_of(too_wide, [&](const store::ConditionalGrant& one) {
      return compare.IsSameHolder(held, one.grant) && MayTakeBack(job, desired, one.grant);
    });
    if (!held.condition && goes) back.push_back(held);
  }
  reconcilers::TargetPlan plan = reconcilers::ComposePlan({}, back);
  RefuseLockout({job, desired, seen}, plan);
  return plan.removes();
}

CheckJob WithDropped(const CheckJob& job, const std::vector<DroppedCondition>& dropped) {
  CheckJob knowing = job;
  for (const DroppedCondition& one : dropped) Note(knowing.dropped, one);
  return knowing;
}

std::vector<DroppedCondition> AsDropped(const std::vector<store::ConditionalGrant>& too_wide) {
  std::vector<DroppedCondition> dropped;
  for (const store::ConditionalGrant& one : too_wide) dropped.push_back({one.grant});
  return dropped;
}

void DroppedConditions::Note(const TargetKey& key, const std::vector<DroppedCondition>& dropped) {
  if (dropped.empty()) return;
  for (const DroppedCondition& one : dropped) controller::Note(dropped_[key], one);
}

void DroppedConditions::NoteSeen(const TargetKey& key, const reconcilers::Kind& kind,
                                 const reconcilers::Observation& seen) {
  const auto known = dropped_.find(key);
  if (known == dropped_.end()) return;
  const auto compare = reconcilers::GrantComparison::Of(&kind);
  for (DroppedCondition& one : known->second) {
    one.held_before = one.held_before && compare.HoldsAlways(seen.grants, one.grant);
  }
}

std::vector<DroppedCondition> DroppedConditions::Of(const TargetKey& key) const {
  const auto found = dropped_.find(key);
  return found == dropped_.end() ? std::vector<DroppedCondition>() : found->second;
}

}  // namespace bindery::controller
