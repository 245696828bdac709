#include "controller/watch/refused_grants.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace bindery::controller {
namespace {

RefusalMemory::Attempt MakeAttempt(const TargetUnderWork& work) {
  const reconcilers::TargetPlan written = work.Writes();
  return {AsDeclaredBy(*work.job, work.reading.desired, written.adds()),
          reconcilers::CountChanges(written).removes > 0,
          work.job->kind->traits().opens_to != nullptr};
}

/// Writes that restore a recorded policy, or take an excess back, have nothing to leave
/// out.
bool MayLeaveOut(const TargetUnderWork& work) {
  return !work.reading.desired.restore && !work.decision.takes_back;
}

}  // namespace

void RefusedGrants::CopyFrom(const RefusedGrants& other) {
  memories_ = other.memories_;
  for (auto& [key, memory] : memories_) memory.StopTrying();
}

std::shared_ptr<const LeftOutGrants> RefusedGrants::Begin(const TargetKey& key, bool checked,
                                                          const Now& now) {
  const auto known = memories_.find(key);
  if (known == memories_.end()) return nullptr;
  if (!checked && !known->second.in_round()) {
    memories_.erase(known);
    return nullptr;
  }
  return std::make_shared<const LeftOutGrants>(known->second.Begin(now.mono));
}

void RefusedGrants::NoteRead(const TargetUnderWork& work) {
  const auto known = memories_.find(work.taken.key);
  if (known == memories_.end() || work.reading.desired.restore) return;
  std::set<Grant> missing;
  for (const reconcilers::GrantChange& change : work.plan.changes) {
    const bool declared =
        change.is_written() || change.IsStoppedBy(reconcilers::Gate::kRefusedGrants);
    if (declared && change.added() != nullptr) missing.insert(*change.added());
  }
  known->second.Keep(missing);
}

std::optional<RefusalMemory::Verdict> RefusedGrants::Refused(const TargetUnderWork& work,
                                                             const WriteResult& result,
                                                             const Now& now) {
  if (!result.refusal || !MayLeaveOut(work)) return std::nullopt;
  return memories_[work.taken.key].Refused(MakeAttempt(work), *result.refusal,
                                           result.written.error().Wrap("write"), now.mono);
}

void RefusedGrants::Accepted(const TargetUnderWork& work, const Now& now) {
  const auto known = memories_.find(work.taken.key);
  if (known == memories_.end() || !MayLeaveOut(work)) return;
  known->second.Accepted(MakeAttempt(work), now.mono);
}

bool RefusedGrants::Skipped(const TargetKey& key) {
  const auto known = memories_.find(key);
  return known != memories_.end() && known->second.Skipped();
}

bool RefusedGrants::GoesOn(const TargetKey& key, const Now& now) const {
  const auto known = memories_.find(key);
  return known != memories_.end() && known->second.GoesOn(now.mono);
}

std::optional<MonoTime> RefusedGrants::EndRound(const TargetKey& key, const Now& now) {
  const auto known = memories_.find(key);
  if (known == memories_.end()) return std::nullopt;
  known->second.EndRound(now.mono);
  const std::optional<MonoTime> next = known->second.NextTry();
  if (known->second.empty()) memories_.erase(known);
  return next;
}

void RefusedGrants::MakeDue(const TargetKey& key) {
  if (const auto known = memories_.find(key); known != memories_.end()) known->second.MakeDue();
}

std::string RemedyForPolicy(const Refusal& refusal) {
  if (!refusal.elsewhere.empty()) {
    return "no manifest is the cause: the service names " + refusal.elsewhere +
           ", which the write neither adds nor finds in the policy";
  }
  if (refusal.of_policy.empty()) {
    return "no manifest is the cause: the service refuses the policy although nothing is added to "
           "it";
  }
  const Grant& grant = refusal.of_policy.front();
  return fmt::format(
      "no manifest is the cause: the policy has {} for {} already, and the service refuses to "
      "store that again: take it out of the policy, or restore the principal",
      RoleText(grant), grant.principal);
}

}  // namespace bindery::controller
