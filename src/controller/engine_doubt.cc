// Answers that are not taken at their word: a policy without most of what it held, and a target
// that is said not to be there. A service, or somebody before it, says both for seconds at times.

#include <fmt/format.h>

#include <algorithm>

#include "controller/drift_cause.h"
#include "controller/engine.h"
#include "core/time_text.h"

namespace bindery {

/// The policy lost more than half of what it held when it was last read, all of it for one. Nobody
/// acts on that before it was said for a while, by several readings that say the same. What a write
/// of our own asked for is no surprise.
bool Engine::IsDoubtful(const TargetKey& key, const TargetEntry& target, const CheckResult& result,
                        const Now& now) {
  const auto held = static_cast<std::size_t>(std::max(target.grants, 0));
  const bool lost_most =
      !target.is_lookup() && target.observed && 2 * result.observed->grants.size() < held;
  const bool our_own =
      target.unresolved != nullptr && result.grants_digest == target.unresolved->digest_desired;
  if (!lost_most || our_own) {
    doubts_.erase(key);
    return false;
  }
  const Doubt doubt{result.policy.digest, now.mono};
  Doubt& first = doubts_.try_emplace(key, doubt).first->second;
  if (first.digest != doubt.digest) first = doubt;
  if (now.mono - first.since < settings_.confirm_emptied) return true;
  doubts_.erase(key);
  return false;
}

void Engine::FinishDoubtful(const TargetKey& key, std::size_t seen, const Now& now) {
  constexpr int kReadings = 4;  // Besides the first.
  Work& work = work_.at(key);
  TargetEntry& target = *catalog_.FindTarget(key);
  const Error error{
      Code::kAborted,
      fmt::format("the policy is answered with {} of the {} grants it held: nothing is done about "
                  "it before that was answered for {}",
                  seen, target.grants, FormatDuration(settings_.confirm_emptied))};
  StoreChange change;
  if (doubts_.at(key).since == now.mono) {
    Emit(change, {now.wall, EventType::kWarning, "AnswerDoubted", "", target.target->name,
                  error.message, "bindery"});
  }
  target.confirmed_body = {};
  SetStatuses(key, work, &error, change, now);
  Report(work, "failed", &error, ToString(error));
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  const auto step = std::max<std::chrono::milliseconds>(settings_.confirm_emptied / kReadings,
                                                        std::chrono::milliseconds(20));
  queue_.Add(key, Priority::kChange, now.mono + step);
  observer_.Queued(*target.target, /*retry=*/true);
  Release(key);
}

/// What was read after a write is not what was written. It is compared anew, the later the oftener
/// that happens in a row: two who write against each other are not to do so at full speed.
Error Engine::NoteContest(TargetEntry& target, StoreChange& change, const Now& now) {
  const bool etags = target.kind->traits().has_etags;
  Error error{
      Code::kAborted,
      std::string(
          "what was read right after the write is not what was written: another writer "
          "changed the policy at the same time, or the service does not show the write yet") +
          (etags ? "" : "; as the policy has no etag, what another one wrote may be lost") +
          "; it is compared anew"};
  error.retry_after = backoff_.AfterFailure(++target.failures + 1);
  Emit(change, {now.wall, EventType::kWarning, "WriteContested", "", target.target->name,
                error.message, "bindery"});
  observer_.WriteContested(*target.target);
  return error;
}

/// Only what says something of the target ends an absence: that it is there, or is kept from us.
void Engine::NoteAbsence(const TargetKey& key, const Error* error) {
  if (absent_.empty()) return;
  const bool says_nothing =
      error != nullptr &&
      (error->code == Code::kNotFound || error->code == Code::kUnavailable ||
       error->code == Code::kDeadlineExceeded || error->code == Code::kResourceExhausted ||
       error->code == Code::kUnauthenticated || error->code == Code::kCancelled);
  if (!says_nothing) absent_.erase(key);
}

/// It was not found once more. True when that was said for long enough, and often enough.
bool Engine::IsAbsentForGood(const TargetKey& key, const Now& now) {
  constexpr int kFewestReadings = 3;
  Absence& absence = absent_.try_emplace(key, Absence{now.mono}).first->second;
  ++absence.reads;
  if (absence.reads > 1) {
    return absence.reads >= kFewestReadings &&
           now.mono - absence.since >= settings_.release_missing;
  }
  // An earlier process may have begun to look for it: one that runs once does so every time.
  const TargetEntry& target = *catalog_.FindTarget(key);
  return std::any_of(target.resources.begin(), target.resources.end(), [&](const auto* entry) {
    return entry->leaving() && entry->status->reason == reason::kTargetNotFound &&
           now.wall - entry->status_since >= settings_.release_missing;
  });
}

/// The grants it held may be there again with it, so nothing is taken as done, and what the guard
/// holds stays held. True when it is gone for good.
bool Engine::RecordNotFound(const TargetKey& key, TargetEntry& target, const Work& work,
                            StoreChange& change, const Now& now) {
  const bool for_good = IsAbsentForGood(key, now);
  if (for_good) DropHold(*target.target, now);
  if (std::exchange(target.exists, false)) change.upsert_targets.push_back(target.Record());
  const auto& claims = work.desired.claims;
  // Nobody misses it where all that is declared on it is to go.
  if (!claims.empty() && std::all_of(claims.begin(), claims.end(), IsGone)) return for_good;
  DriftItem item;
  item.drift_class = DriftClass::kTargetMissing;
  item.severity = SeverityOf({item.drift_class, target.target->kind.str(), item.grant},
                             settings_.catalog.severities.get());
  item.desired = "present";
  item.observed = "not there";
  item.cause = target.observed ? DriftCause::kForeign : DriftCause::kManifest;
  std::vector<DriftItem> items = {std::move(item)};
  KeepCauses(*target.open_drift, items);
  RecordDrift(target, std::move(items), false, change, now);
  return for_good;
}

}  // namespace bindery
