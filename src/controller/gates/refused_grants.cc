#include <algorithm>
#include <map>
#include <set>

#include "controller/gates/gate.h"
#include "controller/gates/left_out_grants.h"

namespace bindery::controller {
namespace {

using LeftOutByGrant = std::map<Grant, const LeftOutGrant*>;

/// What is left out of `adds`: as long as the manifests that declare a grant are the same.
LeftOutByGrant StillDeclared(const GateContext& context, const std::vector<Grant>& adds) {
  LeftOutByGrant known;
  for (const LeftOutGrant& one : *context.job.left_out) {
    known.emplace(one.declared.grant, &one);
  }
  LeftOutByGrant still;
  for (const DeclaredGrant& one : AsDeclaredBy(context.job, context.desired, adds)) {
    const auto at = known.find(one.grant);
    if (at != known.end() && at->second->declared == one) still.insert(*at);
  }
  return still;
}

/// The service named the grant, or the search found it; otherwise the grant is one of several.
reconcilers::Reason WhyLeftOut(const LeftOutGrant& why) {
  const bool certain = why.as == LeftOutAs::kRefused || why.as == LeftOutAs::kNew;
  return {certain ? reconcilers::ReasonCode::kServiceRefuses
                  : reconcilers::ReasonCode::kServiceRefusesOneOf,
          ToString(why.error)};
}

/// A policy that would restrict nobody without a grant keeps its content.
void KeepRestricted(const GateContext& context, const reconcilers::Reason& why,
                    reconcilers::TargetPlan& plan) {
  if (context.job.kind->traits().opens_to == nullptr) return;
  if (!plan.adds().empty() || plan.removes().size() < context.seen.grants.size()) return;
  for (reconcilers::GrantChange& change : plan.changes) {
    if (change.is_written())
      change.Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kRefusedGrants, why);
  }
}

}  // namespace

void LeaveOutRefused(const GateContext& context, reconcilers::TargetPlan& plan) {
  if (context.job.left_out == nullptr || context.desired.restore) return;
  const std::vector<Grant> adds = plan.adds();
  LeftOutByGrant out = StillDeclared(context, adds);
  const bool all = std::ranges::all_of(adds, [&](const auto& add) { return out.contains(add); });
  if (all) {
    std::erase_if(out, [](const auto& one) { return one.second->tried; });
  }
  const LeftOutGrant* last = nullptr;
  for (reconcilers::GrantChange& change : plan.changes) {
    if (!change.is_written() || change.added() == nullptr) continue;
    const auto why = out.find(*change.added());
    if (why == out.end()) continue;
    change.Lower(reconcilers::Verdict::kRefuse, reconcilers::Gate::kRefusedGrants,
                 WhyLeftOut(*why->second));
    last = why->second;
  }
  if (last != nullptr) KeepRestricted(context, WhyLeftOut(*last), plan);
}

}  // namespace bindery::controller
