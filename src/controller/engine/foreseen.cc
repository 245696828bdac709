#include "controller/engine/foreseen.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "controller/claims/former_claims.h"
#include "controller/gates/gate.h"

namespace bindery::controller {
namespace {

std::optional<Grant> Copied(const Grant* grant) {
  return grant == nullptr ? std::nullopt : std::optional(*grant);
}

/// Appends the change of a later write: a grant that one write adds and a later write removes
/// counts as neither.
void Append(std::vector<reconcilers::GrantChange>& written, reconcilers::GrantChange change) {
  std::optional<Grant> from = Copied(change.removed());
  std::optional<Grant> to = Copied(change.added());
  std::erase_if(written, [&](const reconcilers::GrantChange& earlier) {
    const std::optional<Grant> came = Copied(earlier.added());
    const std::optional<Grant> went = Copied(earlier.removed());
    if (came && came == from) {
      from = went;
      return true;
    }
    if (!went || went != to) return false;
    to = came;
    return true;
  });
  if (from == to) return;
  change.action = !from ? reconcilers::ChangeAction::kAdd
                  : !to ? reconcilers::ChangeAction::kRemove
                        : reconcilers::ChangeAction::kReplace;
  change.grant = to ? *to : *from;
  change.before = std::move(from);
  written.push_back(std::move(change));
}

void AddName(const std::string& resource, std::vector<std::string>& names) {
  std::string name = GetManifestName(resource);
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

void AddNames(const CheckJob& job, std::vector<std::string>& names) {
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.manifest != nullptr) AddName(claim.manifest->name, names);
  }
}

}  // namespace

void ForeseenTargets::NoteWanted(const CheckJob& job) { AddNames(job, all_[job.target].names); }

void ForeseenTargets::NoteRead(const Target& target, const CheckResult& result) {
  const bool answered = result.unchanged || result.observed;
  all_[target].unread = answered ? std::nullopt : std::optional(result.observed.error());
}

void ForeseenTargets::NoteWritten(const Target& target, const reconcilers::TargetPlan& plan,
                                  const WriteResult& result) {
  ForeseenTarget& foreseen = all_[target];
  if (!result.written) {
    foreseen.unwritten = result.written.error();
    return;
  }
  for (const reconcilers::GrantChange& change : plan.changes)
    Append(foreseen.written.changes, change);
}

void ForeseenTargets::AddUntouched(const Claims& claims, const CloudCalls& calls) {
  for (const auto& [key, target] : claims.targets()) {
    if (target.kind == nullptr || calls.ConnectionTo(target.provider.str()) == nullptr) continue;
    const auto [added, fresh] = all_.try_emplace(*key);
    if (!fresh) continue;
    for (const ResourceEntry* entry : target.resources) AddName(entry->name, added->second.names);
  }
}

void ForeseenTargets::Judged(const TargetUnderWork& work) {
  ForeseenTarget& foreseen = all_[work.job->target];
  if (!std::exchange(foreseen.judged, true)) {
    foreseen.exists = work.reading.seen.exists;
    foreseen.grants = work.reading.seen.grants.size();
  }
  AddNames(*work.job, foreseen.names);
  for (const reconcilers::GrantChange& change : work.plan.changes) {
    if (reconcilers::GetRecordKind(change) != reconcilers::DriftRecordKind::kOpen) continue;
    foreseen.severity = std::max(foreseen.severity.value_or(change.severity), change.severity);
  }
  foreseen.claims.clear();
  for (const reconcilers::Claim& claim : work.reading.desired.claims) {
    foreseen.claims.push_back({claim.resource, {}, claim.treatment, claim.fault});
  }
  foreseen.refused = work.reading.desired.refused;
  std::ranges::move(ListRefusals(*work.job, work.plan, work.reading.desired),
                    std::back_inserter(foreseen.refused));
  foreseen.plan = work.plan;
}

}  // namespace bindery::controller
