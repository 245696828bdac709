#include "controller/work/target_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/claims/resource_record.h"
#include "controller/gates/drift_cause.h"
#include "controller/gates/dropped_conditions.h"
#include "controller/gates/stored_forms.h"
#include "controller/placing/given_up.h"
#include "controller/work/drift_summary.h"
#include "reconcilers/principals.h"
#include "reconcilers/secrets.h"

namespace bindery::controller {
namespace {

bool SameDifference(const DriftItem& a, const DriftItem& b) { return DriftKey(a) == DriftKey(b); }

/// Differences corrected by a write, remaining differences, and new differences: the rest of a
/// change that was carried out in part, or the work of a second writer.
std::vector<DriftItem> DriftAfterWrite(std::vector<DriftItem> items, const WriteResult& result) {
  std::vector<DriftItem> remaining = result.left.drift();
  for (DriftItem& item : items) {
    const auto still =
        std::find_if(remaining.begin(), remaining.end(),
                     [&](const DriftItem& other) { return SameDifference(item, other); });
    if (still == remaining.end()) {
      item.state = DriftState::kCorrected;
    } else {
      still->cause = item.cause;
      item = *still;
      remaining.erase(still);
    }
  }
  TakeCauses(items, result.contested ? DriftCause::kForeign : DriftCause::kUnknown, remaining);
  items.insert(items.end(), remaining.begin(), remaining.end());
  return items;
}

/// The service said once that it gave no such access, and does not answer now: the former knowledge
/// of the grant stays known. Nothing: there was no difference.
std::optional<DriftItem> KnownAsForeign(const reconcilers::GrantChange& change,
                                        const TargetEntry& target) {
  if (change.reason.code != reconcilers::ReasonCode::kJustInTimeInDoubt) return std::nullopt;
  DriftItem item = reconcilers::MakeDriftItem(change);
  item.drift_class = DriftClass::kUndeclared;
  item.state = DriftState::kOpen;
  item.acceptance.reset();
  for (const std::string& resource : {item.resource, std::string()}) {
    item.resource = resource;
    if (target.drift.open->contains(DriftKey(item))) return item;
  }
  return std::nullopt;
}

/// Adds accepted differences, and known differences that still exist without a present
/// judgement.
std::vector<DriftItem> WithKnown(std::vector<DriftItem> items, const reconcilers::TargetPlan& plan,
                                 const TargetEntry& target) {
  for (const DriftItem& item : plan.unjudged()) {
    const std::string key = DriftKey(item);
    if (target.drift.open->contains(key)) {
      items.push_back(item);
    } else if (const auto known = target.drift.accepted->find(key);
               item.acceptance && known != target.drift.accepted->end()) {
      items.push_back(item);
      items.back().state = DriftState::kAccepted;
      items.back().cause = known->second.cause;
    }
  }
  std::ranges::move(plan.accepted(), std::back_inserter(items));
  for (const reconcilers::GrantChange& change : plan.changes) {
    if (reconcilers::GetRecordKind(change) != reconcilers::DriftRecordKind::kJustInTime) continue;
    items.push_back(KnownAsForeign(change, target).value_or(reconcilers::MakeDriftItem(change)));
  }
  items.insert(items.end(), plan.notes.begin(), plan.notes.end());
  return items;
}

/// The policy that was read, or stored by a write, is the known policy of the target now.
void TakeOver(TargetEntry& target, const reconcilers::Observation& seen, const PolicyText& policy) {
  target.reading.observed = true;
  target.reading.exists = seen.exists;
  target.reading.SetEtag(seen.etag);
  target.reading.policy_digest = Sha256Digest::FromHex(policy.digest);
  target.reading.grants = static_cast<std::int32_t>(seen.grants.size());
}

/// A service may show the policy of before for a while. Readings are compared with what was
/// written: a policy that seems to have lost most of that is doubted at first.
void KeepWritten(TargetEntry& target, const TargetUnderWork& work) {
  const reconcilers::ChangeCounts& counts = work.decision.written;
  const auto written =
      static_cast<std::int32_t>(work.reading.seen.grants.size() + counts.adds - counts.removes);
  target.reading.grants = std::max(target.reading.grants, written);
}

/// "state from CREATING to ACTIVE, uploadFileInfo.uriExpirationTime from empty to …"
std::string ChangesInWords(const std::vector<reconcilers::OutputChange>& changes) {
  std::string text;
  for (const reconcilers::OutputChange& change : changes) {
    text += fmt::format("{}{} from {} to {}", text.empty() ? "" : ", ", change.path, change.before,
                        change.now);
  }
  return text;
}

DriftItem MakeItem(const reconcilers::OutputChange& change, const std::string& resource) {
  DriftItem item;
  item.drift_class = DriftClass::kLookupChanged;
  // Nothing has to be repaired: only a note is made.
  item.state = DriftState::kCorrected;
  item.cause = DriftCause::kForeign;
  item.resource = resource;
  item.grant.role = change.path;
  item.desired = change.before;
  item.observed = change.now;
  return item;
}

/// The next reading tells the outcome of the write, or of its excess grants.
void LeaveOpen(TargetEntry& target, const TargetUnderWork& work, const WriteResult& result,
               std::vector<store::ConditionalGrant> conditional, const std::string& outcome) {
  store::IntentRecord intent;
  intent.id = result.intent;
  intent.target = *target.target;
  intent.digest_before = work.reading.policy.digest;
  intent.digest_desired = result.digest_desired;
  intent.actor = work.origin.actor;
  intent.conditional = std::move(conditional);
  intent.outcome = outcome;
  intent.tried = work.decision.takes_back;
  target.unresolved = std::make_unique<store::IntentRecord>(std::move(intent));
}

/// Grants that the service was seen to store without the condition.
std::vector<store::ConditionalGrant> GetSeen(std::vector<store::ConditionalGrant> conditional) {
  std::erase_if(conditional,
                [](const store::ConditionalGrant& one) { return !one.dropped.empty(); });
  return conditional;
}

}  // namespace

bool TargetRecorder::RecordObservation(TargetEntry& target, const TargetUnderWork& work,
                                       store::StoreChange& change, const Now& now) {
  if (target.is_lookup()) {
    RecordSighting(target, work, change, now);
    return false;
  }
  const std::vector<Grant> held = AsAskedFor(work.reading.seen.grants, work.job->forms);
  for (ResourceEntry* entry : target.resources) {
    if (KeepHeld(entry->progress.given_up, held))
      change.standings.push_back(MakeStanding(catalog_.claims(), *entry));
  }
  const bool landed = ResolveIntent(target, work, change, now);
  const Sha256Digest digest = Sha256Digest::FromHex(work.reading.policy.digest);
  target.reading.observed_at = now.wall;
  const bool same_policy = target.reading.observed && target.reading.policy_digest == digest;
  if (same_policy && target.reading.etag == work.reading.seen.etag &&
      target.reading.exists == work.reading.seen.exists) {
    outbox_.Touch(target.target, now);
    return landed;
  }
  if (!same_policy) {
    store::RevisionRecord revision;
    revision.target = *target.target;
    revision.time = now.wall;
    revision.origin = landed                      ? Origin::kWritten
                      : target.calls.ever_written ? Origin::kObserved
                                                  : Origin::kForeign;
    revision.etag = work.reading.seen.etag;
    revision.digest = work.reading.policy.digest;
    revision.policy = work.reading.policy.body;
    change.revisions.push_back(std::move(revision));
  }
  TakeOver(target, work.reading.seen, work.reading.policy);
  change.upsert_targets.push_back(target.Record());
  return landed;
}

/// A write without an answer: the present policy tells whether the write landed. A write that gave
/// too much stays open until the excess is gone.
bool TargetRecorder::ResolveIntent(TargetEntry& target, const TargetUnderWork& work,
                                   store::StoreChange& change, const Now& now) {
  if (!target.unresolved) return false;
  store::IntentRecord intent = *std::exchange(target.unresolved, nullptr);
  const bool too_wide = !work.reading.too_wide.empty();
  const bool known = !intent.outcome.empty();
  const bool landed = !known && (too_wide || work.reading.grants_digest == intent.digest_desired);
  if (landed) target.calls.ever_written = true;
  if (!known) {
    intent.outcome = landed ? "found-landed" : "found-not-landed";
    const bool untouched = !landed && work.reading.policy.digest == intent.digest_before;
    change.events.push_back(
        {now.wall, EventType::kNormal, landed ? "WriteConfirmed" : "WriteNotLanded", "",
         target.target->name,
         landed ? "a write without an answer did take effect"
         : untouched
             ? "a write without an answer did not take effect"
             : "after a write without an answer the policy is neither the old nor the new one",
         intent.actor});
  }
  if (!too_wide) {
    change.finished_intents.push_back({intent.id, now.wall, intent.outcome});
    return landed;
  }
  intent.conditional = work.reading.too_wide;
  target.unresolved = std::make_unique<store::IntentRecord>(std::move(intent));
  return landed;
}

void TargetRecorder::RecordDrift(TargetEntry& target, const TargetUnderWork& work,
                                 Differences differences, store::StoreChange& change,
                                 const Now& now) {
  std::vector<DriftItem>& items = differences.items;
  std::vector<const DriftItem*> news;
  TargetEntry::Differences open;
  TargetEntry::Differences accepted;
  TargetEntry::Differences notes;
  LaterDifferences later(target);
  for (const DriftItem& item : items) {
    const std::string key = DriftKey(item);
    const TargetEntry::Difference difference{item.drift_class, item.severity, item.cause,
                                             later.Has(item)};
    if (item.state == DriftState::kAccepted) {
      accepted[key] = difference;
      continue;
    }
    if (item.state == DriftState::kNoted) {
      notes[key] = difference;
      continue;
    }
    if (item.state != DriftState::kCorrected) open[key] = difference;
    if (!target.drift.open->contains(key)) {
      news.push_back(&item);
      observer_.DriftFound(*target.target, item);
    }
    if (item.state == DriftState::kCorrected) {
      observer_.DriftCorrected(*target.target, item);
    }
  }
  if (!news.empty()) {
    const bool first = !target.calls.ever_written && catalog_.settings().mode == Mode::kEnforce;
    const EventType type = AreOwnEdits(news) ? EventType::kNormal : EventType::kWarning;
    change.events.push_back({now.wall, type, "DriftFound", "", target.target->name,
                             DriftSummary(news, first), "bindery", FindWorst(news)});
  }
  if (!items.empty() || !target.drift.open->empty() || !target.drift.accepted->empty() ||
      !target.drift.notes->empty()) {
    change.drift.push_back(
        {*target.target, now.wall, std::move(items), differences.corrected, work.reading.before});
  }
  const bool gone = std::any_of(target.drift.open->begin(), target.drift.open->end(),
                                [&open](const auto& entry) { return !open.contains(entry.first); });
  if (gone) observer_.DriftGone(*target.target);
  target.drift.open.Set(std::move(open));
  target.drift.accepted.Set(std::move(accepted));
  target.drift.notes.Set(std::move(notes));
}

/// How many grants nobody declares also moves with the manifests, while the policy stays.
void TargetRecorder::RecordUndeclared(TargetEntry& target, const reconcilers::TargetPlan& plan,
                                      store::StoreChange& change) {
  const auto count = static_cast<std::int32_t>(reconcilers::CountUndeclared(plan));
  if (std::exchange(target.reading.undeclared, count) == count) return;
  change.upsert_targets.push_back(target.Record());
}

void TargetRecorder::RecordSeen(TargetEntry& target, const TargetUnderWork& work, bool corrected,
                                store::StoreChange& change, const Now& now) {
  target.drift.forms.Set(work.plan.forms);
  RecordUndeclared(target, work.plan, change);
  std::vector<DriftItem> items = WithKnown(work.plan.drift(), work.plan, target);
  RecordDrift(target, work, {std::move(items), corrected}, change, now);
}

void TargetRecorder::RecordWrite(TargetEntry& target, const TargetUnderWork& work,
                                 const WriteResult& result, store::StoreChange& change,
                                 const Now& now) {
  const bool restored = work.reading.desired.restore && !work.decision.takes_back;
  store::RevisionRecord revision;
  revision.target = *target.target;
  revision.time = now.wall;
  revision.origin = result.contested ? Origin::kObserved
                    : restored       ? Origin::kRollback
                                     : Origin::kWritten;
  revision.etag = result.written->etag;
  revision.digest = result.policy.digest;
  revision.policy = result.policy.body;
  if (!result.contested) revision.actor = work.origin.actor;
  change.revisions.push_back(std::move(revision));
  TakeOver(target, *result.written, result.policy);
  if (result.contested) KeepWritten(target, work);
  target.calls.ever_written = true;
  target.reading.observed_at = now.wall;
  change.upsert_targets.push_back(target.Record());
  target.unresolved = nullptr;
  if (result.too_wide.empty()) {
    change.finished_intents.push_back({result.intent, now.wall, "landed"});
  } else {
    LeaveOpen(target, work, result, result.too_wide, "landed");
  }
  std::vector<DriftItem> items = DriftAfterWrite(work.plan.drift(), result);
  reconcilers::TargetPlan left = result.left;
  TakeAcceptedCauses(work.plan, left);
  target.drift.forms.Set(left.forms);
  RecordUndeclared(target, left, change);
  RecordDrift(target, work, {WithKnown(std::move(items), left, target), /*corrected=*/true}, change,
              now);
}

void TargetRecorder::RecordFailedWrite(TargetEntry& target, const TargetUnderWork& work,
                                       const WriteResult& result, store::StoreChange& change,
                                       const Now& now) {
  const Error& error = result.written.error();
  const bool unknown = error.outcome_unknown || error.code == Code::kCancelled;
  std::vector<store::ConditionalGrant> seen = GetSeen(result.conditional);
  if (result.intent == 0) {
    // Formerly open differences are still open.
  } else if (unknown) {
    LeaveOpen(target, work, result, result.conditional, "");
  } else if (!seen.empty()) {
    // Only the latest intent records what is still to be taken back.
    LeaveOpen(target, work, result, std::move(seen), "refused");
  } else {
    change.finished_intents.push_back({result.intent, now.wall, "refused"});
  }
  RecordSeen(target, work, /*corrected=*/false, change, now);
}

/// Only the existence is kept: no policy, no revision. The outputs go with the
/// resources.
void TargetRecorder::RecordSighting(TargetEntry& target, const TargetUnderWork& work,
                                    store::StoreChange& change, const Now& now) {
  target.reading.observed_at = now.wall;
  if (target.reading.observed && target.reading.exists == work.reading.seen.exists) {
    outbox_.Touch(target.target, now);
    return;
  }
  target.reading.observed = true;
  target.reading.exists = work.reading.seen.exists;
  change.upsert_targets.push_back(target.Record());
}

void TargetRecorder::RecordResult(TargetEntry& target, const TargetUnderWork& work,
                                  store::StoreChange& change, const Now& now) {
  const manifests::KindSchema& schema = target.kind->schema();
  const Json outputs = target.kind->Outputs(target.target->name, work.reading.seen);
  std::vector<reconcilers::OutputChange> changes;
  if (const Expected<Json> before = ParseJson(target.Outputs()); before) {
    changes = reconcilers::ListChanges(*before, outputs, schema.outputs);
  }
  std::vector<DriftItem> items;
  for (const ResourceEntry* entry : target.resources) {
    if (changes.empty() || entry->suspended()) continue;
    change.events.push_back({now.wall, EventType::kNormal, "LookupChanged", entry->name,
                             target.target->name, ChangesInWords(changes), "bindery"});
    for (const reconcilers::OutputChange& one : changes) {
      items.push_back(MakeItem(one, entry->name));
      DriftItem& item = items.back();
      item.severity = JudgeSeverity({item.drift_class, target.target->kind.str(), item.grant},
                                    catalog_.settings().severities.get());
    }
  }
  for (const DriftItem& item : items) {
    observer_.DriftFound(*target.target, item);
    observer_.DriftCorrected(*target.target, item);
  }
  if (!items.empty() || !target.drift.open->empty()) {
    change.drift.push_back({*target.target, now.wall, std::move(items), /*corrected=*/false});
  }
  target.drift.open.Set({});
}

void TargetRecorder::RecordMissing(TargetEntry& target, const TargetUnderWork& work,
                                   store::StoreChange& change, const Now& now) {
  if (std::exchange(target.reading.exists, false)) change.upsert_targets.push_back(target.Record());
  const auto& claims = work.reading.desired.claims;
  // Nobody misses the target if all declarations on the target have to go.
  if (!claims.empty() && std::all_of(claims.begin(), claims.end(), reconcilers::IsGone)) return;
  DriftItem item;
  item.drift_class = DriftClass::kTargetMissing;
  item.severity = JudgeSeverity({item.drift_class, target.target->kind.str(), item.grant},
                                catalog_.settings().severities.get());
  item.desired = "present";
  item.observed = "not there";
  item.cause = target.reading.observed ? DriftCause::kForeign : DriftCause::kManifest;
  std::vector<DriftItem> items = {std::move(item)};
  KeepCauses(*target.drift.open, items);
  RecordDrift(target, work, {std::move(items), /*corrected=*/false}, change, now);
}

}  // namespace bindery::controller
