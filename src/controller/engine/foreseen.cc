#include "controller/engine/foreseen.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "controller/gates/gate.h"

namespace bindery {
namespace {

/// The rest of a change that takes `from` out of the policy, if anything, and brings `to`, if
/// anything; nothing: the two are the same.
std::optional<GrantChange> Between(GrantChange change, const std::optional<Grant>& from,
                                   const std::optional<Grant>& to) {
  if (from == to) return std::nullopt;
  change.action = !from ? ChangeAction::kAdd : !to ? ChangeAction::kRemove : ChangeAction::kReplace;
  change.before = from;
  change.grant = to ? *to : *from;
  return change;
}

std::optional<Grant> Copied(const Grant* grant) {
  return grant == nullptr ? std::nullopt : std::optional(*grant);
}

/// Appends the changes of a later write: a grant that one write adds and a later write removes
/// counts as neither.
void Append(std::vector<GrantChange>& written, const GrantChange& change) {
  std::optional<Grant> from = Copied(change.removed());
  std::optional<Grant> to = Copied(change.added());
  for (auto earlier = written.begin(); earlier != written.end();) {
    const std::optional<Grant> came = Copied(earlier->added());
    const std::optional<Grant> went = Copied(earlier->removed());
    if (came && came == from) {
      from = went;
      earlier = written.erase(earlier);
    } else if (went && went == to) {
      to = came;
      earlier = written.erase(earlier);
    } else {
      ++earlier;
    }
  }
  if (auto left = Between(change, from, to)) written.push_back(*std::move(left));
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
  for (const GrantChange& change : plan.changes) Append(foreseen.written.changes, change);
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
  for (const GrantChange& change : work.plan.changes) {
    if (RecordKindOf(change) != DriftRecordKind::kOpen) continue;
    foreseen.severity = std::max(foreseen.severity.value_or(change.severity), change.severity);
  }
  foreseen.claims.clear();
  for (const Claim& claim : work.reading.desired.claims) {
    foreseen.claims.push_back({claim.resource, {}, claim.treatment, claim.fault});
  }
  foreseen.refused = work.reading.desired.refused;
  std::ranges::move(RefusalsOf(*work.job, work.plan, work.reading.desired),
                    std::back_inserter(foreseen.refused));
  foreseen.plan = work.plan;
}

}  // namespace bindery
