#include <map>

#include "controller/gates/gate.h"

namespace bindery::controller {
namespace {

std::map<Grant, reconcilers::Reason> RefusedIn(const CheckJob& job,
                                               const reconcilers::Observation& seen,
                                               const reconcilers::TargetPlan& plan) {
  if (plan.removes().empty()) return {};
  const std::string own = job.connection == nullptr ? "" : job.connection->principal;
  std::map<Grant, reconcilers::Reason> refused = job.kind->Refuse(plan, seen, own, job.now);
  std::erase_if(refused, [&](const auto& one) {
    const bool last_owner = one.second.code == reconcilers::ReasonCode::kLastOwner;
    return last_owner ? job.allows_last_owner : job.allows_self_lockout;
  });
  return refused;
}

}  // namespace

void RefuseLockout(const GateContext& context, reconcilers::TargetPlan& plan) {
  const std::map<Grant, reconcilers::Reason> refused = RefusedIn(context.job, context.seen, plan);
  if (refused.empty()) return;
  for (reconcilers::GrantChange& change : plan.changes) {
    const Grant* removed = change.is_written() ? change.removed() : nullptr;
    const auto why = removed == nullptr ? refused.end() : refused.find(*removed);
    if (why != refused.end())
      change.Lower(reconcilers::Verdict::kRefuse, reconcilers::Gate::kLockout, why->second);
  }
}

Expected<void> CheckRestore(const CheckJob& job, const reconcilers::Desired& desired,
                            const reconcilers::Observation& seen) {
  if (!job.restore) return {};
  const auto refused = RefusedIn(job, seen, job.kind->Plan(desired, seen));
  if (refused.empty()) return {};
  return Fail(Code::kFailedPrecondition,
              "nothing of the recorded policy is brought back: " + refused.begin()->second.subject);
}

}  // namespace bindery::controller
