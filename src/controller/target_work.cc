#include "controller/target_work.h"

#include <algorithm>
#include <set>
#include <utility>

#include "controller/accepted_drift.h"
#include "controller/drift_cause.h"
#include "controller/dropped_conditions.h"
#include "controller/ignore_changes.h"
#include "controller/unsafe_removals.h"
#include "core/canonical_json.h"
#include "core/digest.h"
#include "reconcilers/principals.h"

namespace bindery {
namespace {

std::string GrantText(Grant grant) {
  // Folding the case of every kind of principal is coarser than the kinds compare, but this is only
  // to recognise our own write again.
  grant.principal = NormalPrincipal(grant.principal);
  return CanonicalGrant(grant);
}

std::string DigestOf(const std::set<std::string>& grants) {
  std::string text;
  for (const std::string& grant : grants) text += grant + "\n";
  return Sha256Hex(text);
}

std::set<std::string> TextsOf(const std::vector<Grant>& grants) {
  std::set<std::string> texts;
  for (const Grant& grant : grants) texts.insert(GrantText(grant));
  return texts;
}

std::string DesiredDigest(const Observation& before, const TargetPlan& plan) {
  std::set<std::string> grants = TextsOf(before.grants);
  for (const Grant& grant : plan.removes) grants.erase(GrantText(grant));
  for (const Grant& grant : plan.adds) grants.insert(GrantText(grant));
  return DigestOf(grants);
}

Claim ClaimOf(const DeclaredClaim& declared, const CheckJob& job) {
  Claim claim;
  claim.treatment = declared.treatment;
  // A claim without a manifest is contested, or was left behind by one that is gone.
  claim.declaration.leaves_others = declared.manifest == nullptr && declared.kind != nullptr;
  if (declared.manifest != nullptr) {
    claim.resource = declared.manifest->name;
    Expected<Json> spec = ParseJson(declared.manifest->spec);
    const Kind& kind = declared.kind == nullptr ? *job.kind : *declared.kind;
    Expected<Declaration> made =
        spec ? kind.Declare(*spec, job.project) : Expected<Declaration>(Fail(spec.error()));
    if (made) {
      claim.declaration = std::move(*made);
    } else {
      claim.treatment = ManagementPolicy::kPause;
      claim.fault = made.error().message;
    }
  }
  if (declared.expired) claim.declaration.grants.clear();
  claim.declaration.target = job.target.name;
  claim.declaration.role = declared.role;
  return claim;
}

std::string GrantsDigest(const Observation& seen) { return DigestOf(TextsOf(seen.grants)); }

/// How the policy differs from the last one known.
PolicyHistory HistoryOf(const CheckJob& job, const CheckResult& result,
                        const PolicyReader& stored) {
  PolicyHistory history;
  if (!job.observed) {
    history.known = PolicyHistory::Known::kNever;
    return history;
  }
  if (Sha256Digest::FromHex(result.policy.digest) == job.last_policy) return history;
  // A write of our own, whose answer never came, landed.
  if (!job.unanswered.empty() && result.grants_digest == job.unanswered) return history;
  history.known = PolicyHistory::Known::kUnreadable;
  // It may have landed, and another writer came after it: the author is unknown.
  if (!job.unanswered.empty()) return history;
  Desired before;
  before.restore = Json::object();
  if (!job.last_policy.empty()) {
    if (!stored) return history;
    const Expected<std::string> text = stored(job.last_policy.Hex());
    if (!text) return history;
    Expected<Json> policy = ParseJson(*text);
    if (!policy) return history;
    before.restore = std::move(*policy);
    history.text = *text;
  }
  // What would bring the last policy back is what went; what it would take away is what came.
  TargetPlan back = job.kind->Plan(before, *result.observed);
  history.known = PolicyHistory::Known::kChanged;
  history.went = std::move(back.adds);
  history.came = std::move(back.removes);
  return history;
}

/// The grants by what they are worth: a principal that was deleted, or is back, is the same one.
std::set<std::string> WithoutDeletions(const std::vector<Grant>& grants,
                                       const PrincipalRules* rules) {
  std::set<std::string> texts;
  for (Grant grant : grants) {
    if (rules != nullptr) {
      const std::string plain = rules->deleted(grant.principal);
      grant.principal = plain.empty() ? rules->normal(grant.principal) : plain;
    }
    texts.insert(CanonicalGrant(grant));
  }
  return texts;
}

/// Whether the policy changed since the last read, and its etag did not. Services show a principal
/// as deleted without a write, so that alone is no change.
bool EtagStoodStill(const CheckJob& job, const CheckResult& result, const PolicyReader& stored) {
  const bool same_etag = !job.last_etag.empty() && result.observed->etag == job.last_etag;
  if (!same_etag || !job.observed) return false;
  const PolicyHistory history = HistoryOf(job, result, stored);
  const PrincipalRules* const rules = job.kind->traits().principals;
  return history.known == PolicyHistory::Known::kUnreadable ||
         WithoutDeletions(history.went, rules) != WithoutDeletions(history.came, rules);
}

void JudgeCauses(const CheckJob& job, const PolicyReader& stored, CheckResult& result) {
  if (result.plan.drift.empty()) return;
  const PolicyHistory history = HistoryOf(job, result, stored);
  std::set<std::string> expired;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.expired && claim.manifest != nullptr) expired.insert(claim.manifest->name);
  }
  for (DriftItem& item : result.plan.drift) {
    item.cause = CauseOf(item, history, expired.contains(item.resource));
  }
}

/// The etag in {"etag": "BwX="}; empty for any other body.
std::string EtagAlone(const std::string& body) {
  constexpr std::size_t kMaxBytes = 256;
  if (body.size() > kMaxBytes) return "";
  const Expected<Json> answer = ParseJson(body);
  if (!answer || !answer->is_object() || answer->size() != 1) return "";
  return StringMember(*answer, "etag");
}

/// The comparison, once it is known what is there.
void Compare(const CheckJob& job, const PolicyReader& stored, CheckResult& result) {
  ApplyIgnoreChanges(job, *result.observed, result.desired);
  result.plan = job.kind->Plan(result.desired, *result.observed);
  if (auto safe = CheckRestore(job, result.desired, *result.observed); !safe) {
    result.observed = Fail(std::move(safe.error()));
    return;
  }
  result.policy = TextOf(*result.observed);
  if (!job.unanswered.empty()) result.grants_digest = GrantsDigest(*result.observed);
  result.etag_stood_still = EtagStoodStill(job, result, stored);
  JudgeCauses(job, stored, result);
  TakeOutAccepted(job, result.desired, result.plan);
  RefuseDroppedConditions(job, result.desired, *result.observed, result.plan);
  RefuseUnsafe(job, result.desired, *result.observed, result.plan);
}

Expected<PolicyCall> ReadingBy(const CheckJob& job) {
  auto reading = job.kind->BuildGet(*job.connection, job.target.name, job.timeout);
  if (reading) reading->request.max_response_bytes = kMaxPolicyBytes;
  return reading;
}

}  // namespace

Error FromException(const std::exception& failure) {
  Error error;
  error.code = Code::kInternal;
  error.message = std::string("unexpected: ") + failure.what();
  error.unexpected = true;
  return error;
}

PolicyText TextOf(const Observation& observation) {
  return {DumpWithout(observation.document, "etag"),
          Sha256Hex(CanonicalJsonWithout(observation.document, "etag"))};
}

Desired DesiredOf(const CheckJob& job) {
  Desired desired;
  desired.keep_undeclared = job.keep_undeclared;
  desired.undeclared_in_doubt = job.undeclared_in_doubt;
  desired.severities = job.severities;
  desired.protected_principals = job.protected_principals;
  desired.project_number = job.project_number;
  desired.restore = job.restore;
  desired.claims.reserve(job.declared.size());
  for (const DeclaredClaim& claim : job.declared) desired.claims.push_back(ClaimOf(claim, job));
  return desired;
}

CheckResult FinishCheck(const CheckJob& job, const PolicyCall& read,
                        const Expected<std::string>& fetched, const Sha256Digest& digest,
                        const PolicyReader& stored) {
  CheckResult result;
  if (fetched) result.body = digest.empty() ? Sha256Digest::Of(*fetched) : digest;
  if (fetched && result.body == job.known_body) {
    result.unchanged = true;
    return result;
  }
  result.desired = DesiredOf(job);
  if (!fetched) {
    result.observed = Fail(fetched.error());
    return result;
  }
  result.observed = job.kind->ParseResponse(read, *fetched);
  if (result.observed) Compare(job, stored, result);
  return result;
}

std::optional<EtagAnswer> JudgeEtag(const CheckJob& job, const Expected<std::string>& answered) {
  if (answered) {
    const std::string etag = EtagAlone(*answered);
    if (etag.empty()) return EtagAnswer::kUnusable;
    return etag == job.last_etag ? EtagAnswer::kSame : EtagAnswer::kMoved;
  }
  switch (answered.error().code) {
    case Code::kUnavailable:
    case Code::kDeadlineExceeded:
    case Code::kResourceExhausted:
    case Code::kUnauthenticated:
    case Code::kCancelled:
      return std::nullopt;
    default:
      // What is said of the policy, or of the parameter, is for a full read to tell.
      return EtagAnswer::kUnusable;
  }
}

CheckResult SameByEtag(const CheckJob& job) {
  CheckResult result;
  result.unchanged = true;
  result.body = job.known_body;
  result.etag_answer = EtagAnswer::kSame;
  return result;
}

Expected<std::string> FetchPolicy(const CheckJob& job) {
  const TraceScope scope(job.trace);
  const Expected<PolicyCall> reading = ReadingBy(job);
  if (!reading) return Fail(reading.error());
  return Send(*reading, *job.connection->transport, *job.connection->authorizer);
}

CheckResult CheckFetched(const CheckJob& job, const Expected<std::string>& fetched,
                         const PolicyReader& stored) {
  const TraceScope scope(job.trace);
  return FinishCheck(job, ReadingBy(job).value_or(PolicyCall()), fetched, {}, stored);
}

CheckResult CheckKnown(const CheckJob& job, Observation known) {
  CheckResult result;
  result.desired = DesiredOf(job);
  result.observed = std::move(known);
  Compare(job, {}, result);
  return result;
}

std::chrono::milliseconds WriteTimeoutOf(const CheckJob& job, const Observation& before) {
  std::optional<std::chrono::milliseconds> longest;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.manifest == nullptr) continue;
    const ExtraOptions& options = claim.manifest->options.extra_options();
    const bool there =
        IsWholePolicy(claim.role)
            ? before.exists
            : std::any_of(before.grants.begin(), before.grants.end(), [&](const Grant& grant) {
                return CoversOn(job.kind, claim.role, grant);
              });
    auto own = there ? options.update_timeout : options.create_timeout;
    if (claim.treatment == ManagementPolicy::kRemove) own = options.delete_timeout;
    if (own && (!longest || *own > *longest)) longest = own;
  }
  return longest.value_or(job.timeout);
}

Expected<PolicyCall> WritingOf(const WriteJob& job) {
  auto writing = job.check->kind->BuildSet(*job.check->connection, job.check->target.name, job.plan,
                                           job.before, job.timeout);
  if (writing) writing->request.max_response_bytes = kMaxPolicyBytes;
  return writing;
}

IntentRecord IntentOf(const WriteJob& job) {
  IntentRecord intent;
  intent.target = job.check->target;
  intent.started = job.started;
  intent.etag_before = job.before.etag;
  intent.digest_before = job.digest_before;
  intent.digest_desired = DesiredDigest(job.before, job.plan);
  intent.actor = job.actor;
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

Expected<PolicyCall> ReadingOf(const WriteJob& job) { return ReadingBy(*job.check); }

WriteResult ForeseeWrite(WriteJob job) {
  WriteResult result;
  if (auto writing = WritingOf(job); !writing) {
    result.written = Fail(std::move(writing.error()));
    return result;
  }
  result.written = job.check->kind->AfterWriting(job.plan, std::move(job.before));
  result.policy = TextOf(*result.written);
  result.left = PlanTarget(*job.check, job.desired, *result.written);
  result.read_back = true;
  return result;
}

Expected<void> StillAsRead(const WriteJob& job, const PolicyCall& call,
                           const Expected<std::string>& answered) {
  if (!answered) return Fail(answered.error().Wrap("the last reading before it"));
  const Expected<Observation> seen = job.check->kind->ParseResponse(call, *answered);
  if (!seen) return Fail(seen.error().Wrap("the last reading before it"));
  if (GrantsDigest(*seen) == GrantsDigest(job.before)) return {};
  return Fail(Code::kAborted,
              "the policy has changed since it was read: nothing was written, and it is compared "
              "again");
}

WriteResult FinishWrite(const WriteJob& job, const PolicyCall& call,
                        const Expected<std::string>& answered) {
  WriteResult result;
  if (!answered) {
    result.written = Fail(answered.error());
    return result;
  }
  result.written = job.check->kind->ParseResponse(call, *answered);
  if (result.written) {
    result.policy = TextOf(*result.written);
    result.left = PlanTarget(*job.check, job.desired, *result.written);
    result.dropped = DroppedConditionsIn(job, *result.written);
  }
  return result;
}

bool ReadsAfter(const WriteJob& job, const WriteResult& result) {
  if (!result.written) return false;
  if (!job.check->kind->traits().has_etags) return true;
  // What a manifest that is gone had granted is gone when a reading shows it.
  if (std::any_of(job.desired.claims.begin(), job.desired.claims.end(), IsGone)) return true;
  // Every write moves the etag and answers with what is stored.
  return result.written->etag == job.before.etag ||
         GrantsDigest(*result.written) != DesiredDigest(job.before, job.plan);
}

void ReadBack(const WriteJob& job, const PolicyCall& call, const Expected<std::string>& answered,
              WriteResult& result) {
  result.written = answered ? job.check->kind->ParseResponse(call, *answered)
                            : Expected<Observation>(Fail(answered.error()));
  if (!result.written) {
    result.written.error() = result.written.error().Wrap("accepted, but not to be read back");
    result.written.error().outcome_unknown = true;
    return;
  }
  result.read_back = true;
  result.policy = TextOf(*result.written);
  result.left = PlanTarget(*job.check, job.desired, *result.written);
  result.etag_stood_still = !job.before.etag.empty() && result.written->etag == job.before.etag &&
                            GrantsDigest(*result.written) != GrantsDigest(job.before);
  // What only the reading shows may be another writer's.
  if (!result.dropped.empty()) result.dropped = DroppedConditionsIn(job, *result.written);
  // The digests fold what a kind may tell apart: alone they are no reason to alarm anybody.
  const bool differs = result.left.writes() || !result.left.drift.empty();
  result.contested = result.dropped.empty() && differs &&
                     GrantsDigest(*result.written) != DesiredDigest(job.before, job.plan);
}

}  // namespace bindery
