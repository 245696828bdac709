// The other half of target_work.h: writes.

#include <algorithm>
#include <utility>

#include "controller/gates/completed_write.h"
#include "controller/gates/dropped_conditions.h"
#include "controller/gates/gate.h"
#include "controller/gates/grants_digest.h"
#include "controller/gates/stored_forms.h"
#include "controller/gates/target_work.h"

namespace bindery::controller {
namespace {

/// The desired state, with the stored names of the answer.
reconcilers::Desired WantedAfter(const WriteJob& job, const WriteResult& result) {
  reconcilers::Desired desired = job.desired;
  if (result.forms.empty()) return desired;
  if (!desired.as_written.empty()) desired.claims = std::exchange(desired.as_written, {});
  const auto forms = Merged(std::exchange(desired.forms, {}), result.forms);
  ApplyStoredForms(*job.check->kind, forms, *result.written, desired);
  return desired;
}

/// What is still to do once that is stored. Requires: result.dropped and result.forms are known.
void Judge(const WriteJob& job, WriteResult& result) {
  const CheckJob& check = *job.check;
  const reconcilers::Observation& stored = *result.written;
  std::vector<store::ConditionalGrant> known = check.conditional;
  for (const DroppedCondition& one : result.dropped) {
    if (!one.held_before) known.push_back({one.grant});
  }
  result.too_wide = TooWideIn(check, job.desired, stored, known);
  const bool drops = !result.dropped.empty();
  result.left = PlanTarget(drops ? WithDropped(check, result.dropped) : check,
                           WantedAfter(job, result), stored);
  result.take_back = ListTakeBacks(check, job.desired, stored, result.too_wide);
}

}  // namespace

std::chrono::milliseconds GetWriteTimeout(const CheckJob& job,
                                          const reconcilers::Observation& before) {
  std::optional<std::chrono::milliseconds> longest;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.manifest == nullptr) continue;
    const manifests::ExtraOptions& options = claim.manifest->options.extra_options();
    const bool there =
        IsWholePolicy(claim.role)
            ? before.exists
            : std::any_of(before.grants.begin(), before.grants.end(), [&](const Grant& grant) {
                return reconcilers::CoversOn(job.kind, claim.role, grant);
              });
    auto own = there ? options.update_timeout : options.create_timeout;
    if (claim.treatment == reconcilers::ManagementPolicy::kRemove) own = options.delete_timeout;
    if (own && (!longest || *own > *longest)) longest = own;
  }
  return longest.value_or(job.timeout);
}

Expected<cloud::PolicyCall> MakeWriting(const WriteJob& job) {
  auto writing = job.check->kind->BuildSet(*job.check->connection, job.check->target.name, job.plan,
                                           job.before, job.timeout);
  if (writing) writing->request.max_response_bytes = kMaxPolicyBytes;
  return writing;
}

store::IntentRecord MakeIntent(const WriteJob& job) {
  store::IntentRecord intent;
  intent.target = job.check->target;
  intent.started = job.started;
  intent.etag_before = job.before.etag;
  intent.digest_before = job.digest_before;
  intent.digest_desired = DesiredDigest(job.before, job.plan);
  intent.actor = job.actor;
  intent.conditional = ConditionalIn(job);
  intent.removed_declared = job.counted.declared;
  intent.removed_adopted = job.counted.adopted;
  if (job.counted.declared + job.counted.adopted > 0) intent.provider = job.check->provider;
  return intent;
}

Error NotJournaled(const Error& why) {
  Error error = why.Wrap("nothing was written, as the store cannot record it");
  // A store that is away or full says nothing about the service.
  error.code = Code::kInternal;
  return error;
}

bool ReadsBefore(const WriteJob& job) { return !job.check->kind->traits().has_etags; }

WriteResult ForeseeWrite(WriteJob job) {
  WriteResult result;
  if (auto writing = MakeWriting(job); !writing) {
    result.written = Fail(std::move(writing.error()));
    return result;
  }
  result.written = job.check->kind->AfterWriting(job.plan, std::move(job.before));
  result.policy = GetText(*result.written);
  result.left = PlanTarget(*job.check, job.desired, *result.written);
  result.read_back = true;
  return result;
}

Expected<void> StillAsRead(const WriteJob& job, const cloud::PolicyCall& call,
                           const Expected<std::string>& answered) {
  if (!answered) return Fail(answered.error().Wrap("the last reading before it"));
  const Expected<reconcilers::Observation> seen = job.check->kind->ParseResponse(call, *answered);
  if (!seen) return Fail(seen.error().Wrap("the last reading before it"));
  if (GrantsDigest(*seen) == GrantsDigest(job.before)) return {};
  return Fail(Code::kAborted,
              "the policy has changed since it was read: nothing was written, and it is compared "
              "again");
}

WriteResult FinishWrite(const WriteJob& job, const cloud::PolicyCall& call,
                        const Expected<std::string>& answered) {
  WriteResult result;
  if (!answered) {
    result.written = Fail(answered.error());
    const std::vector<Grant> adds = job.plan.adds();
    const std::vector<Grant> removes = job.plan.removes();
    result.refusal = FindRefusal(answered.error(), {adds, job.before.grants, removes});
    return result;
  }
  result.written = job.check->kind->ParseResponse(call, *answered);
  if (result.written) {
    result.policy = GetText(*result.written);
    result.dropped = DroppedConditionsIn(job, *result.written);
    Judge(job, result);
    // A grant stored under a different name looks like unfinished work.
    const bool differs = result.left.writes() || !result.left.drift().empty();
    if (differs) result.forms = LearnForms(job, *result.written);
    if (!result.forms.empty()) {
      result.digest_answered = GrantsDigest(*result.written);
      Judge(job, result);
    }
  }
  return result;
}

bool ReadsAfter(const WriteJob& job, const WriteResult& result) {
  if (!result.written) return false;
  if (!job.check->kind->traits().has_etags) return true;
  const bool moved = result.written->etag != job.before.etag;
  // It is written once more at once, by the etag of the answer.
  if (!result.take_back.empty() && moved) return false;
  // The grants of a deleted manifest are gone when a reading shows so.
  if (std::any_of(job.desired.claims.begin(), job.desired.claims.end(), reconcilers::IsGone))
    return true;
  // Every write moves the etag and answers with the stored state.
  return !moved || GrantsDigest(*result.written) != DesiredDigest(job.before, job.plan);
}

void ReadBack(const WriteJob& job, const cloud::PolicyCall& call,
              const Expected<std::string>& answered, WriteResult& result) {
  result.written = answered ? job.check->kind->ParseResponse(call, *answered)
                            : Expected<reconcilers::Observation>(Fail(answered.error()));
  if (!result.written) {
    result.written.error() = result.written.error().Wrap("accepted, but not to be read back");
    result.written.error().outcome_unknown = true;
    return;
  }
  result.read_back = true;
  result.policy = GetText(*result.written);
  // Findings of the reading only may be a second writer's.
  if (!result.dropped.empty()) result.dropped = DroppedConditionsIn(job, *result.written);
  Judge(job, result);
  result.etag_stood_still = !job.before.etag.empty() && result.written->etag == job.before.etag &&
                            GrantsDigest(*result.written) != GrantsDigest(job.before);
  // The digests fold what a kind may tell apart: alone they are no reason to alarm anybody.
  const bool differs = result.left.writes() || !result.left.drift().empty();
  const std::string expected =
      result.digest_answered.empty() ? DesiredDigest(job.before, job.plan) : result.digest_answered;
  result.contested = result.dropped.empty() && differs && GrantsDigest(*result.written) != expected;
}

}  // namespace bindery::controller
