#include "controller/engine/scan_intake.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "controller/calls/cloud_calls.h"
#include "controller/placing/project_mentions.h"
#include "manifests/schema/check_text.h"

namespace bindery::controller {
namespace {

/// The service has told the project of the number: declarations under the number are released,
/// without touching the cloud, and find their place with the next scan. The targets of
/// `change.forget_targets` are gone.
void Identify(Catalog& catalog, const std::string& number, const std::string& id,
              store::StoreChange& change) {
  catalog.project_names().Learn(number, id);
  // Agents of other projects can be told now.
  for (const TargetKey& key : TargetsOfProject(catalog.claims(), id)) {
    catalog.claims().FindTarget(key)->last_synced_digest = {};
  }
  for (const std::string& name : DeclaredUnder(catalog.claims(), number)) {
    catalog.Forget(name, change);
  }
}

}  // namespace

void ScanIntake::AwaitFirst(const Now& now) {
  // After the time the recorded state is enforced unchanged.
  constexpr std::chrono::seconds kPatience(5);
  PassBarrier& pass = parts_.removals.pass();
  for (const auto& [key, target] : parts_.catalog.claims().targets()) {
    pass.Add(key);
    // A write that may or may not have landed is looked up before anything else.
    parts_.schedule.Enqueue(key, target.unresolved ? Priority::kChange : Priority::kRetry,
                            now.mono);
  }
  if (pass.pending() == 0) return;
  first_by_ = now.mono + kPatience;
  pass.Begin(pass.pending(), *first_by_, now);
}

void ScanIntake::CheckAll(const Now& now) {
  PassBarrier& pass = parts_.removals.pass();
  for (const auto& [key, target] : parts_.catalog.claims().targets()) {
    pass.Add(key);
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  pass.Begin(pass.pending(), now.mono, now);
}

ScanIntake::Scanned ScanIntake::Scan(const ScanInput& scan, const Now& now) {
  parts_.removals.guard().recent().PassTime(now);
  parts_.catalog.evidence().Looked(scan.facts, scan.digest, now);
  // Since the start all wait for a check already, and none was begun.
  const bool all_wait = std::exchange(first_by_, std::nullopt).has_value();
  if (all_wait) parts_.removals.pass().BeginReading(now);
  Scanned scanned = TakeScan(scan, all_wait, now);
  DirectoryInForce& directory = parts_.catalog.directory();
  directory.last_scan().Keep(scan, directory.AwaitsOthers());
  return scanned;
}

ScanIntake::Scanned ScanIntake::TakeScan(const ScanInput& scan, bool all_wait, const Now& now) {
  ScanOutcome outcome = parts_.catalog.directory().Apply(scan, now, all_wait);
  for (const Target& target : outcome.change.forget_targets) ReleaseTarget(TargetKey(target), now);
  parts_.outbox.Record(std::move(outcome.change));
  if (!outcome.changed_targets.empty()) {
    parts_.removals.guard().recent().BeginPass(outcome.declared_before);
    MakeDue(outcome.changed_targets, now);
  }
  LookEnded(outcome.changed_targets, now);
  return {outcome.confirm, std::move(outcome.conflicts), std::move(outcome.previews),
          outcome.changed_targets.size()};
}

/// What is declared on the targets is something else now.
void ScanIntake::MakeDue(const std::vector<TargetKey>& targets, const Now& now) {
  PassBarrier& pass = parts_.removals.pass();
  const std::size_t pending = pass.pending();
  for (const TargetKey& key : targets) {
    if (parts_.catalog.claims().FindTarget(key) == nullptr) continue;
    // What was decided on and not begun yet was decided for a declaration that is no more.
    const WorkTable& work = parts_.schedule.work();
    if (work.IsIn(key, WorkPhase::kParked) || work.IsIn(key, WorkPhase::kReadyToWrite)) {
      parts_.schedule.Release(key);
    }
    parts_.oscillation.Reset(key);
    pass.Add(key);
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  pass.Begin(pass.pending() - pending, now.mono, now);
}

void ScanIntake::Remember(const ScanInput& scan, const Now& now) {
  parts_.catalog.evidence().Looked(scan.facts, scan.digest, now);
  store::StoreChange change;
  parts_.catalog.directory().files().Remember(scan, change);
  parts_.outbox.Record(std::move(change));
  LookEnded({}, now);
}

void ScanIntake::ScanFailed(const std::string& why, const Now& now) {
  if (why.empty()) {
    parts_.catalog.evidence().rest().Disturbed(now);
  } else {
    parts_.catalog.evidence().rest().Failed(why, now);
  }
  CheckWithheld(now);
}

void ScanIntake::OnStoreWriteFailed(const Now& now) {
  constexpr std::chrono::seconds kPatience(2);
  parts_.catalog.directory().files().InvalidateSnapshot();
  if (!distrust_at_) distrust_at_ = now.mono + kPatience;
}

/// A look at the directory came into force, or changed nothing: what waited for it is weighed
/// again.
void ScanIntake::LookEnded(const std::vector<TargetKey>& changed, const Now& now) {
  parts_.catalog.ages().Settle(now);
  for (const TargetKey& key : changed) parts_.removals.ForgetDeclared(key);
  parts_.removals.awaiting().NoteLook(changed, now);
  CheckWithheld(now);
  if (!parts_.catalog.evidence().TakeNews() && changed.empty()) return;
  store::StoreChange change;
  change.evidence = parts_.catalog.ages().Record();
  parts_.outbox.Record(std::move(change));
}

void ScanIntake::CheckWithheld(const Now& now) {
  const std::vector<TargetKey> again = parts_.removals.awaiting().TakeChanged(now);
  if (again.empty()) return;
  PassBarrier& pass = parts_.removals.pass();
  for (const TargetKey& key : again) {
    // A parked target of the pass would wait for its own next turn.
    if (parts_.schedule.work().IsIn(key, WorkPhase::kParked)) parts_.schedule.Release(key);
    pass.Add(key);
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  // One look a second must not put off the end of a pass forever.
  if (!pass.open()) pass.Begin(again.size(), now.mono, now);
}

void ScanIntake::ReleaseTarget(const TargetKey& key, const Now& now) {
  parts_.schedule.Drop(key);
  parts_.removals.pass().Leave(key);
  parts_.removals.Drop(*key, now);
}

void ScanIntake::AskQuestions(const Now& now) {
  ProjectQuestions::Due due =
      questions_.TakeDue(parts_.schedule.calls().connections(), parts_.settings.call_timeout, now);
  if (due.gave_up) parts_.catalog.directory().last_scan().NoteChange();
  for (ProjectQuestion& question : due.ask) parts_.outbox.Ask(std::move(question));
}

void ScanIntake::Identified(const ProjectNames::Question& question,
                            const Expected<reconcilers::ProjectIdentity>& answer, const Now& now) {
  using Outcome = ProjectQuestions::Outcome;
  const Claims& claims = parts_.catalog.claims();
  const bool by_number = question.HoldsUpManifests();
  // Agents in the policies of a project that was asked for by id are known after the answer; if no
  // answer comes, the statuses say so.
  const std::vector<TargetKey> doubted =
      by_number ? DoubtedTargets(claims, parts_.catalog.project_names())
                : TargetsOfProject(claims, question.number);
  const Outcome outcome = questions_.Answered(question, answer, now);
  if (outcome == Outcome::kLater) return;
  store::StoreChange change;
  if (outcome == Outcome::kKnown) {
    // The name that was asked for stands for itself: a service may answer in another spelling.
    Identify(parts_.catalog, answer->number, by_number ? answer->id : question.number, change);
    for (const Target& target : change.forget_targets) ReleaseTarget(TargetKey(target), now);
  } else {
    change.events.push_back(ProjectQuestions::GivenUpEvent(question, answer.error(), now));
  }
  if (by_number) parts_.catalog.directory().last_scan().NoteChange();
  for (const TargetKey& key : doubted) parts_.schedule.CheckAnew(key, now);
  parts_.outbox.Record(std::move(change));
}

void ScanIntake::PassTime(const Now& now) {
  if (const ScanInput* scan = parts_.catalog.directory().last_scan().TakeDue(); scan != nullptr) {
    TakeScan(*scan, /*all_wait=*/false, now);
  }
  // Grants that were kept for deleted resources can go as well.
  for (const TargetKey& key : parts_.catalog.links().TakeFreed()) {
    if (parts_.catalog.claims().FindTarget(key) == nullptr) continue;
    parts_.schedule.Enqueue(key, Priority::kChange, now.mono);
  }
  AskQuestions(now);
  if (first_by_ && now.mono >= *first_by_) first_by_.reset();
  if (!distrust_at_ || now.mono < *distrust_at_) return;
  distrust_at_.reset();
  store::StoreChange change;
  change.generation = parts_.catalog.directory().files().LastGeneration();
  parts_.outbox.Record(std::move(change));
}

std::optional<MonoTime> ScanIntake::NextWake() const {
  std::optional<MonoTime> wake;
  for (const std::optional<MonoTime>& time : {first_by_, distrust_at_, questions_.due()}) {
    if (time) wake = std::min(wake.value_or(*time), *time);
  }
  return wake;
}

}  // namespace bindery::controller
