#include "controller/gates/target_work.h"

#include <algorithm>
#include <set>
#include <utility>

#include "controller/claims/former_claims.h"
#include "controller/gates/completed_write.h"
#include "controller/gates/drift_cause.h"
#include "controller/gates/dropped_conditions.h"
#include "controller/gates/gate.h"
#include "controller/gates/grants_digest.h"
#include "controller/gates/ignore_changes.h"
#include "controller/gates/stored_forms.h"
#include "core/access/canonical_json.h"
#include "core/base/strict_json.h"
#include "core/text/digest.h"
#include "reconcilers/declaration.h"
#include "reconcilers/just_in_time.h"
#include "reconcilers/principals.h"

namespace bindery::controller {
namespace {

/// The service that gives access on request is no reason to wait long.
constexpr std::chrono::milliseconds kQuestionTimeout{10'000};

reconcilers::Claim FindClaim(const DeclaredClaim& declared, const CheckJob& job) {
  reconcilers::Claim claim;
  claim.treatment = declared.treatment;
  // A claim without a manifest is contested, or was left behind by one that is gone.
  claim.declaration.leaves_others = declared.manifest == nullptr && declared.kind != nullptr;
  if (declared.manifest != nullptr) {
    claim.resource = declared.manifest->name;
    if (reconcilers::IsGone(claim)) claim.successor = GetSuccessor(claim.resource);
    const reconcilers::Kind& kind = declared.kind == nullptr ? *job.kind : *declared.kind;
    Expected<reconcilers::Declaration> made =
        reconcilers::MakeDeclaration(kind, *declared.manifest, job.project);
    if (made) {
      claim.declaration = std::move(*made);
    } else {
      claim.treatment = reconcilers::ManagementPolicy::kPause;
      claim.fault = made.error().message;
    }
  }
  if (declared.expired) claim.declaration.grants.clear();
  claim.declaration.target = job.target.name;
  claim.declaration.role = declared.role;
  return claim;
}

/// How the policy differs from the last one known.
PolicyHistory FindHistory(const CheckJob& job, const CheckResult& result,
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
  // The write may have landed, followed by a second writer: the author is unknown.
  if (!job.unanswered.empty()) return history;
  reconcilers::Desired before;
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
  // The additions that would restore the last policy are the lost grants; the removals are the new
  // grants.
  const reconcilers::TargetPlan back = job.kind->Plan(before, *result.observed);
  history.known = PolicyHistory::Known::kChanged;
  history.went = back.adds();
  history.came = back.removes();
  return history;
}

/// The grants by their effect: a principal that was deleted, or is back, is the same principal.
std::set<std::string> WithoutDeletions(const std::vector<Grant>& grants,
                                       const reconcilers::PrincipalRules* rules) {
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
  const PolicyHistory history = FindHistory(job, result, stored);
  const reconcilers::PrincipalRules* const rules = job.kind->traits().principals;
  return history.known == PolicyHistory::Known::kUnreadable ||
         WithoutDeletions(history.went, rules) != WithoutDeletions(history.came, rules);
}

void JudgeCauses(const CheckJob& job, const PolicyReader& stored, CheckResult& result) {
  const auto is_open = [](const reconcilers::GrantChange& change) {
    return reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kOpen;
  };
  std::vector<reconcilers::GrantChange>& changes = result.plan.changes;
  if (std::none_of(changes.begin(), changes.end(), is_open)) return;
  const PolicyHistory history = FindHistory(job, result, stored);
  std::set<std::string> expired;
  for (const DeclaredClaim& claim : job.declared) {
    if (claim.expired && claim.manifest != nullptr) expired.insert(claim.manifest->name);
  }
  for (reconcilers::GrantChange& change : changes) {
    if (!is_open(change) || change.cause != DriftCause::kUnknown) continue;
    change.cause = GetCause(change, history, expired.contains(change.resource));
  }
}

/// The etag in {"etag": "BwX="}; empty for any other body.
std::string EtagAlone(const std::string& body) {
  constexpr std::size_t kMaxBytes = 256;
  if (body.size() > kMaxBytes) return "";
  const Expected<Json> answer = ParseStrictJson(body);
  if (!answer || !answer->is_object() || answer->size() != 1) return "";
  return StringMember(*answer, "etag");
}

/// A grant that an earlier write left without its condition goes by a separate write, because the
/// earlier write ended before taking the grant back.
void TakeBackDropped(const CheckJob& job, CheckResult& result) {
  result.take_back = ListTakeBacks(job, result.desired, *result.observed, result.too_wide);
  for (reconcilers::GrantChange& change : result.plan.changes) {
    const Grant* removed = change.is_written() ? change.removed() : nullptr;
    if (removed == nullptr || std::find(result.take_back.begin(), result.take_back.end(),
                                        *removed) == result.take_back.end()) {
      continue;
    }
    change.Lower(reconcilers::Verdict::kWait, reconcilers::Gate::kDroppedConditions, change.reason);
  }
}

/// The comparison, with the known present state.
void Compare(const CheckJob& job, const PolicyReader& stored, CheckResult& result) {
  ApplyIgnoreChanges(job, *result.observed, result.desired);
  ApplyStoredForms(*job.kind, job.forms, *result.observed, result.desired);
  result.plan = job.kind->Plan(result.desired, *result.observed);
  if (auto safe = CheckRestore(job, result.desired, *result.observed); !safe) {
    result.observed = Fail(std::move(safe.error()));
    return;
  }
  result.policy = GetText(*result.observed);
  if (!job.unanswered.empty()) result.grants_digest = GrantsDigest(*result.observed);
  result.etag_stood_still = EtagStoodStill(job, result, stored);
  JudgeCauses(job, stored, result);
  const reconcilers::Observation& seen = *result.observed;
  result.too_wide = TooWideIn(job, result.desired, seen, job.conditional);
  if (result.too_wide.empty()) {
    RunGates(GateStage::kCheck, {job, result.desired, seen}, result.plan);
    AddNotes(*job.kind, result.desired, seen, result.plan);
    return;
  }
  const CheckJob knowing = WithDropped(job, AsDropped(result.too_wide));
  RunGates(GateStage::kCheck, {knowing, result.desired, seen}, result.plan);
  AddNotes(*job.kind, result.desired, seen, result.plan);
  TakeBackDropped(job, result);
}

}  // namespace

Error FromException(const std::exception& failure) {
  Error error;
  error.code = Code::kInternal;
  error.message = std::string("unexpected: ") + failure.what();
  error.unexpected = true;
  return error;
}

PolicyText GetText(const reconcilers::Observation& observation) {
  return {DumpWithout(observation.document, "etag"),
          Sha256Hex(CanonicalJsonWithout(observation.document, "etag"))};
}

reconcilers::Desired MakeDesired(const CheckJob& job) {
  reconcilers::Desired desired;
  desired.keep_undeclared = job.keep_undeclared;
  desired.report_undeclared = job.report_undeclared;
  desired.undeclared_in_doubt = job.undeclared_in_doubt;
  desired.severities = job.severities;
  desired.protected_principals = job.protected_principals;
  desired.project_number = job.project_number;
  desired.by_condition = job.by_condition;
  desired.now = job.now.latest;
  desired.restore = job.restore;
  if (job.connection != nullptr) {
    desired.just_in_time = std::make_shared<const JustInTime>(
        JustInTime{job.connection->just_in_time, job.just_in_time.value_or(JustInTimeAnswers())});
  }
  desired.claims.reserve(job.declared.size());
  for (const DeclaredClaim& claim : job.declared) desired.claims.push_back(FindClaim(claim, job));
  return desired;
}

CheckResult FinishCheck(const CheckJob& job, const cloud::PolicyCall& read,
                        const Expected<std::string>& fetched, const Sha256Digest& digest,
                        const PolicyReader& stored) {
  CheckResult result;
  if (fetched) result.body = digest.empty() ? Sha256Digest::Of(*fetched) : digest;
  if (fetched && result.body == job.known_body) {
    result.unchanged = true;
    return result;
  }
  result.desired = MakeDesired(job);
  if (!fetched) {
    result.observed = Fail(fetched.error());
    return result;
  }
  result.observed = job.kind->ParseResponse(read, *fetched);
  if (!result.observed) return result;
  if (!job.just_in_time) {
    result.questions =
        reconcilers::JustInTimeQuestions(*job.kind, result.desired, *result.observed);
    if (!result.questions.empty()) return result;
  }
  Compare(job, stored, result);
  return result;
}

CheckJob WithJustInTimeAnswers(const CheckJob& job, const JustInTimeAnswers& questions) {
  CheckJob answered = job;
  const std::chrono::milliseconds timeout = std::min(job.timeout, kQuestionTimeout);
  answered.just_in_time = job.kind->traits().just_in_time->Ask(
      *job.connection, {job.target.name, job.project_number, questions, job.now.latest, timeout});
  return answered;
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
      // Only a full read tells about the policy, or about the parameter.
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

Expected<cloud::PolicyCall> MakeReading(const CheckJob& job) {
  auto reading = job.kind->BuildGet(*job.connection, job.target.name, job.timeout);
  if (reading) reading->request.max_response_bytes = kMaxPolicyBytes;
  return reading;
}

Expected<std::string> FetchPolicy(const CheckJob& job) {
  const telemetry::TraceScope scope(job.trace);
  const Expected<cloud::PolicyCall> reading = MakeReading(job);
  if (!reading) return Fail(reading.error());
  return cloud::Send(*reading, *job.connection->transport, *job.connection->authorizer);
}

CheckResult CheckFetched(const CheckJob& job, const Expected<std::string>& fetched,
                         const PolicyReader& stored) {
  const telemetry::TraceScope scope(job.trace);
  const cloud::PolicyCall read = MakeReading(job).value_or(cloud::PolicyCall());
  CheckResult result = FinishCheck(job, read, fetched, {}, stored);
  if (result.questions.empty()) return result;
  return FinishCheck(WithJustInTimeAnswers(job, result.questions), read, fetched, {}, stored);
}

CheckResult CheckKnown(const CheckJob& job, reconcilers::Observation known) {
  CheckResult result;
  result.desired = MakeDesired(job);
  const auto questions = reconcilers::JustInTimeQuestions(*job.kind, result.desired, known);
  if (!questions.empty()) result.desired = MakeDesired(WithJustInTimeAnswers(job, questions));
  result.observed = std::move(known);
  Compare(job, {}, result);
  return result;
}

}  // namespace bindery::controller
