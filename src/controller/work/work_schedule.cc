#include "controller/work/work_schedule.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "controller/calls/cloud_calls.h"
#include "controller/catalog/catalog.h"
#include "controller/catalog/rollbacks.h"
#include "controller/claims/claim_status.h"
#include "controller/gates/engine_work.h"
#include "controller/guard/guard.h"
#include "controller/outbox/engine_observer.h"
#include "controller/outbox/outbox.h"
#include "controller/outbox/recheck_schedule.h"
#include "controller/outbox/requesters.h"
#include "controller/removals/pass_barrier.h"
#include "controller/removals/work_table.h"
#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

/// A periodic check that began when due.
bool IsInTurn(const TargetUnderWork& work) {
  const auto late = work.times.started - work.taken.due;
  return work.taken.priority == Priority::kPeriodic && late < kInTurn;
}

/// A request for a check does not wait for a turn that is farther away: clients give up after two
/// minutes, and would not learn the cause.
constexpr std::chrono::seconds kLongestWait(60);

/// The answer to a request for a check that has its turn much later. `away`: the host that does not
/// answer; empty: a quota, of the service or of the configuration, is used up.
WorkAnswer NotChecked(const std::string& provider, const std::string& away,
                      MonoTime::duration wait) {
  const std::string why = away.empty() ? "because of a quota" : "because " + away + " is away";
  return {false, "",
          "not checked: calls to its service, through the provider \"" + provider +
              "\", wait for " +
              FormatAge(std::chrono::duration_cast<std::chrono::milliseconds>(wait)) + " " + why +
              "; the check follows then by itself"};
}

/// Tells people who changed a manifest or restarted the daemon why nothing happens. Returns the
/// changes to record.
store::StoreChange TellHostIsAway(const Catalog& catalog, const TargetEntry& target,
                                  const CircuitBreaker& breaker, const std::string& host,
                                  const Now& now) {
  const ResourceStatus status{
      ResourceState::kReconciling, std::string(reason::kProgressingWithRetry),
      "UNAVAILABLE: calls to " + host + " wait until it answers; " + breaker.last_error()};
  store::StoreChange change;
  for (ResourceEntry* entry : target.resources) {
    if (entry->standing.rejected || entry->leaving() || entry->suspended()) continue;
    if (entry->standing.status->state == ResourceState::kReady) continue;
    SetStatus(catalog.claims(), *entry, {status}, now, change);
  }
  return change;
}

bool Acts(reconcilers::ManagementPolicy treatment) {
  return treatment == reconcilers::ManagementPolicy::kEnforce ||
         treatment == reconcilers::ManagementPolicy::kRemove;
}

/// Some resource may wait.
bool AnyLinks(const Catalog& catalog) {
  return !catalog.links().empty() || catalog.claims().former().Any();
}

/// When the work began, nothing was to be done in its name.
bool Waited(const TargetUnderWork& work, const ResourceEntry& entry) {
  const std::vector<DeclaredClaim>& declared = work.job->declared;
  return std::any_of(declared.begin(), declared.end(), [&entry](const DeclaredClaim& claim) {
    // By the name: a scan that read the same text anew made a new manifest object.
    return claim.manifest != nullptr && claim.manifest->name == entry.manifest->name &&
           claim.role == entry.place.role.str() && !Acts(claim.treatment);
  });
}

/// Resources that had to wait when the work began may have their turn now.
bool MayGoOn(const Catalog& catalog, const TargetEntry& target, const TargetUnderWork& work) {
  if (!AnyLinks(catalog)) return false;
  return std::any_of(target.resources.begin(), target.resources.end(),
                     [&](const ResourceEntry* entry) {
                       return Waited(work, *entry) && Acts(catalog.treatments().ForCheck(*entry));
                     });
}

/// The needs of a waiting resource notify it when its turn comes.
void NoteHeldBack(const Catalog& catalog, const TargetEntry& target, const TargetUnderWork& work) {
  if (!AnyLinks(catalog)) return;
  for (ResourceEntry* entry : target.resources) {
    entry->progress.held_back =
        Waited(work, *entry) && Acts(catalog.treatments().ForCheck(*entry, /*in_order=*/false));
  }
}

/// The resources of a target were looked at: waiting dependents may have their turn.
void EnqueueDependents(WorkSchedule& schedule, Catalog& catalog, const TargetEntry& target,
                       const Now& now) {
  const Links::Unblocked unblocked = catalog.links().UnblockedBy(target);
  if (unblocked.resolve) catalog.directory().last_scan().NoteChange();
  for (const TargetKey& key : unblocked.targets) {
    schedule.Enqueue(key, Priority::kChange, now.mono);
  }
}

}  // namespace

WorkSchedule::WorkSchedule(const Parts& parts, std::uint64_t seed)
    : parts_(parts),
      work_(std::make_unique<WorkTable>()),
      calls_(std::make_unique<CloudCalls>()),
      recheck_(std::make_unique<RecheckSchedule>(seed)),
      requesters_(std::make_unique<Requesters>()) {}

WorkSchedule::~WorkSchedule() = default;

void WorkSchedule::Enqueue(const TargetKey& key, Priority priority, MonoTime due) {
  queue_.Add(key, priority, due);
  if (const TargetEntry* target = parts_.catalog.claims().FindTarget(key); target != nullptr) {
    parts_.observer.Queued(*target->target, /*retry=*/false);
  }
}

void WorkSchedule::CheckAnew(const TargetKey& key, const Now& now) {
  TargetEntry* target = parts_.catalog.claims().FindTarget(key);
  if (target == nullptr) return;
  target->last_synced_digest = {};
  Enqueue(key, Priority::kChange, now.mono);
}

void WorkSchedule::Drop(const TargetKey& key) {
  queue_.Remove(key);
  recheck_->Forget(key);
  requesters_->DropTrace(key);
  parts_.rollbacks.Forget(key);
}

std::optional<WorkSchedule::Next> WorkSchedule::TakeNext(const Now& now) {
  while (auto taken = queue_.Take(now.mono)) {
    const TargetEntry* target = parts_.catalog.claims().FindTarget(taken->key);
    if (target == nullptr) {
      queue_.Done(taken->key);
      parts_.pass.Leave(taken->key);
      continue;
    }
    if (MayTakeUp(*taken, *target, now)) return Next{*std::move(taken), target};
  }
  return std::nullopt;
}

/// Checks every precondition of a read. Targets that may not go now wait for their turn; targets
/// that scans watch, for their next turn, unless somebody waits for the read.
bool WorkSchedule::MayTakeUp(const WorkQueue::Taken& taken, const TargetEntry& target,
                             const Now& now) {
  if (NeedsNoCall(target)) return true;
  const bool periodic = taken.priority == Priority::kPeriodic &&
                        !parts_.pass.IsPending(taken.key) && !requesters_->Awaits(taken.key) &&
                        parts_.rollbacks.Find(taken.key) == nullptr;
  if (periodic) {
    const bool in_turn = now.mono - taken.due < kInTurn;
    if (const auto next = recheck_->PutOff(target, in_turn, now)) {
      queue_.Done(taken.key);
      queue_.Add(taken.key, next->priority, next->due);
      return false;
    }
  }
  const CloudCalls::Turn turn = calls_->MayRead(taken, target, now);
  switch (turn.what) {
    case CloudCalls::Turn::What::kGo:
      return true;
    case CloudCalls::Turn::What::kAside:
      queue_.Done(taken.key);
      return false;
    case CloudCalls::Turn::What::kLater:
      break;
  }
  const bool awaited = taken.priority == Priority::kChange || !target.calls.checked;
  if (!turn.away.empty() && awaited) {
    const CircuitBreaker& breaker = *calls_->gate().FindBreaker(turn.away);
    parts_.outbox.Record(TellHostIsAway(parts_.catalog, target, breaker, turn.away, now));
  }
  queue_.PutOff(taken, turn.ask_again);
  const MonoTime::duration wait = turn.ask_again - now.mono;
  if (wait > kLongestWait && requesters_->Awaits(taken.key))
    Answer(taken.key, NotChecked(target.provider.str(), turn.away, wait));
  return false;
}

/// All that is declared on it is suspended, or its provider is missing. The outcome of a write
/// without an answer is looked up all the same.
bool WorkSchedule::NeedsNoCall(const TargetEntry& target) const {
  if (calls_->ConnectionTo(target.provider.str()) == nullptr) return true;
  return parts_.rollbacks.Find(target.target) == nullptr && target.unresolved == nullptr &&
         parts_.catalog.treatments().IsFrozen(target);
}

void WorkSchedule::Release(const TargetKey& key) {
  const bool slow = work_->End(key);
  parts_.guard.recent().TakeBack(*key);
  queue_.Done(key);
  if (!slow) return;
  for (const WorkQueue::Taken& taken : calls_->EndSlow()) {
    queue_.Add(taken.key, taken.priority, taken.due);
  }
}

void WorkSchedule::BeginAnew(const TargetKey& key, const Now& now) {
  if (!queue_.AddedWhileTaken(key)) Enqueue(key, Priority::kChange, now.mono);
  Release(key);
}

void WorkSchedule::Finish(const TargetKey& key, const Error* error, const Now& now) {
  constexpr std::chrono::seconds kSlow(2);
  TargetEntry* target = parts_.catalog.claims().FindTarget(key);
  if (target == nullptr) {
    Release(key);
    Drop(key);
    return;
  }
  const TargetUnderWork* work = work_->Find(key);
  target->calls.slow = error != nullptr && work != nullptr && work->times.spent > kSlow;
  target->calls.checked = true;
  const bool done = error == nullptr && work != nullptr;
  if (done) NoteHeldBack(parts_.catalog, *target, *work);
  EnqueueDependents(*this, parts_.catalog, *target, now);
  if (done && MayGoOn(parts_.catalog, *target, *work)) {
    Enqueue(key, Priority::kChange, now.mono);
  }
  if (error == nullptr || IsTerminal(error->code)) target->calls.failures = 0;
  const bool in_turn = work != nullptr && IsInTurn(*work);
  if (const auto turn = recheck_->NextTurn(*target, error, in_turn, now)) {
    queue_.Add(key, turn->priority, turn->due);
    parts_.observer.Queued(*target->target, turn->retry);
  }
  Release(key);
}

bool WorkSchedule::IsOutdated(const TargetKey& key, const TargetUnderWork& work) const {
  const TargetEntry* target = parts_.catalog.claims().FindTarget(key);
  if (target != nullptr && MayGoOn(parts_.catalog, *target, work)) return true;
  return queue_.AddedWhileTaken(key) || work.rules != parts_.catalog.rules_in_use() ||
         work.job->accepted != parts_.catalog.treatments().Accepted();
}

void WorkSchedule::Answer(const TargetKey& key, const WorkAnswer& answer) {
  // Requesters that came while the work was under way are answered by the following work.
  if (queue_.AddedWhileTaken(key)) return;
  for (Requesters::Reply& reply : requesters_->TakeReplies(key)) {
    parts_.outbox.Reply([reply = std::move(reply), answer] { reply(answer); });
  }
}

std::string WorkSchedule::EndCall(const TargetKey& key, const Error* error, int readings,
                                  const Now& now) {
  work_->CallsEnded(1);
  CloudCalls::Ended ended = calls_->End(key, error, readings, now);
  if (ended.event) parts_.outbox.Record(*std::move(ended.event));
  return std::move(ended.provider);
}

std::map<std::string, std::size_t> CountDue(const WorkSchedule& schedule, Priority priority,
                                            MonoTime now) {
  std::map<std::string, std::size_t> counts;
  const auto count = [&counts](const TargetKey& key) { ++counts[key->kind]; };
  for (const WorkQueue::Taken& taken : schedule.calls().aside()) {
    if (taken.priority == priority) count(taken.key);
  }
  schedule.queue().ForEachDue(priority, now, count);
  return counts;
}

}  // namespace bindery::controller
