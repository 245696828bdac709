#include "controller/foreseen.h"

#include <algorithm>

namespace bindery {
namespace {

/// Takes out of `grants` what `others` hold, and the other way round: together they are nothing.
void Cancel(std::vector<Grant>& grants, std::vector<Grant>& others) {
  std::erase_if(grants, [&others](const Grant& grant) {
    const auto same = std::find(others.begin(), others.end(), grant);
    if (same == others.end()) return false;
    others.erase(same);
    return true;
  });
}

void AddName(const DeclaredClaim& claim, std::vector<std::string>& names) {
  if (claim.manifest == nullptr) return;
  const std::string& name = claim.manifest->name;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

void ForeseenTargets::NoteWanted(const CheckJob& job) {
  ForeseenTarget& foreseen = all_[job.target];
  for (const DeclaredClaim& claim : job.declared) AddName(claim, foreseen.names);
}

void ForeseenTargets::NoteRead(const Target& target, const CheckResult& result) {
  const bool answered = result.unchanged || result.observed;
  all_[target].unread = answered ? std::nullopt : std::optional(result.observed.error());
}

void ForeseenTargets::NoteWritten(const Target& target, const TargetPlan& plan,
                                  const WriteResult& result) {
  ForeseenTarget& foreseen = all_[target];
  if (!result.written) {
    foreseen.unwritten = result.written.error();
    return;
  }
  foreseen.adds.insert(foreseen.adds.end(), plan.adds.begin(), plan.adds.end());
  foreseen.removes.insert(foreseen.removes.end(), plan.removes.begin(), plan.removes.end());
  Cancel(foreseen.adds, foreseen.removes);
}

void ForeseenTargets::AddUntouched(const Claims& claims, const CloudCalls& calls) {
  for (const auto& [key, target] : claims.targets()) {
    const bool known =
        target.kind != nullptr && calls.ConnectionTo(target.provider.str()) != nullptr;
    if (!known) continue;
    const auto [added, fresh] = all_.try_emplace(*key);
    if (fresh) added->second.names = target.Names();
  }
}

void ForeseenTargets::Judged(const TargetUnderWork& work) {
  ForeseenTarget& foreseen = all_[work.job->target];
  if (!std::exchange(foreseen.judged, true)) {
    foreseen.exists = work.reading.seen.exists;
    foreseen.grants = work.reading.seen.grants.size();
  }
  for (const DeclaredClaim& claim : work.job->declared) AddName(claim, foreseen.names);
  for (const DriftItem& item : work.plan.drift) {
    foreseen.severity = std::max(foreseen.severity.value_or(item.severity), item.severity);
  }
  foreseen.claims.clear();
  for (const Claim& claim : work.reading.desired.claims) {
    foreseen.claims.push_back({claim.resource, {}, claim.treatment, claim.fault});
  }
  foreseen.refused = work.reading.desired.refused;
  foreseen.refused.insert(foreseen.refused.end(), work.plan.impossible.begin(),
                          work.plan.impossible.end());
  foreseen.drift = work.plan.drift;
  foreseen.accepted = work.plan.accepted.size();
  foreseen.kept = work.decision.kept;
  foreseen.denied = work.decision.denied;
  foreseen.ask = work.ask;
  foreseen.withheld = work.withheld;
  foreseen.paused = work.decision.paused;
}

}  // namespace bindery
