#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/claims/removal.h"
#include "controller/claims/resource_entry.h"
#include "controller/gates/left_out_grants.h"
#include "controller/gates/refusal.h"
#include "core/access/target_key.h"
#include "core/settings/accepted_drift.h"
#include "core/text/digest.h"
#include "manifests/schema/manifest.h"
#include "reconcilers/kind.h"
#include "store/ports/records.h"
#include "telemetry/trace.h"

namespace bindery::controller {

/// The half of working on a target that takes time: run away from the loop's thread, told
/// everything it needs, touching no engine state.

/// What an exception out of such work is told as.
[[nodiscard]] Error FromException(const std::exception& failure);

/// The largest answer taken for a policy. The services keep policies of some 1,500 members, 100 KB;
/// to compare one takes fifty times its size.
inline constexpr std::size_t kMaxPolicyBytes = 1U << 20U;

/// A policy in the form of the store: without its etag (in a separate column), named by content.
struct PolicyText {
  std::string body;    ///< JSON, as received but for the etag.
  std::string digest;  ///< SHA-256 of the canonical body.
};
[[nodiscard]] PolicyText GetText(const reconcilers::Observation& observation);

/// Who declares what on a target; made into claims only when a policy has to be compared.
struct DeclaredClaim {
  std::shared_ptr<const manifests::Manifest>
      manifest;  ///< Null: a contested role, which none holds.
  std::string role;
  reconcilers::ManagementPolicy treatment = reconcilers::ManagementPolicy::kEnforce;
  /// options.import: nothing is done unless the policy holds exactly the declaration.
  bool adopting = false;
  /// options.expired: the condition has ended, and the declaration is empty.
  bool expired = false;
  bool settled = false;   ///< As ResourceEntry::Progress::settled.
  GivenUp given_up = {};  ///< As ResourceEntry::Progress::given_up.
  /// The kind of the manifest: several kinds declare parts of one policy. Null: the kind of the
  /// job.
  const reconcilers::Kind* kind = nullptr;
};

/// A grant that a service stored without the requested condition.
struct DroppedCondition {
  Grant grant;
  /// The principal held the role without a condition before: the write gave nothing new.
  bool held_before = false;
  bool operator==(const DroppedCondition&) const = default;
};

/// The knowledge of a service that drops conditions.
struct KnownDrops {
  std::vector<DroppedCondition> dropped = {};  ///< As known from earlier writes, or by this one.
  /// As IntentRecord::conditional, of a write that is not known to be right yet.
  std::vector<store::ConditionalGrant> conditional = {};
};

/// Grants of a write that the service stored without their conditions.
struct WideGrants {
  std::vector<store::ConditionalGrant> too_wide = {};  ///< Of it, what is still there.
  /// What of the policy is to go for that, whatever else is decided: not in the plan.
  std::vector<Grant> take_back = {};
};

/// Stored names of declared grants.
struct KnownForms {
  std::vector<reconcilers::StoredForm> forms =
      {};  ///< As known from earlier writes, or by this one.
};

struct CheckJob : KnownDrops, KnownForms {
  Target target;
  const reconcilers::Kind* kind = nullptr;
  std::shared_ptr<const cloud::Connection> connection;
  std::vector<DeclaredClaim> declared;
  std::string provider = {};
  std::string project = {};  ///< The provider's default project: completes names that carry none.
  std::int64_t declared_grants = 0;  ///< All that is declared there, manifests that went included.
  /// Undeclared roles are left unchanged.
  bool keep_undeclared = false;
  bool report_undeclared = false;                        ///< As Desired::report_undeclared.
  bool undeclared_in_doubt = false;                      ///< As Desired::undeclared_in_doubt.
  std::shared_ptr<const SeverityRules> severities = {};  ///< As Desired::severities.
  std::shared_ptr<const ProtectedPrincipals> protected_principals = {};  ///< As in Desired.
  std::string project_number = {};                                       ///< As in Desired.
  std::vector<ConditionalRule> by_condition = {};                        ///< As in Desired.
  /// The answer of the service for just-in-time access; nothing: not asked.
  std::optional<JustInTimeAnswers> just_in_time = {};
  std::shared_ptr<const LeftOutGrants> left_out = {};  ///< Null: nothing is.
  bool allows_self_lockout = false;  ///< The configuration lets such a write pass.
  bool allows_last_owner = false;
  std::shared_ptr<const AcceptedDriftRules> accepted = {};  ///< May be null.
  TimeSpan now = {};                                        ///< By which acceptances are judged.
  /// Instead of the declared state: bring back this recorded policy.
  std::optional<Json> restore;
  /// Of the body at the last check that found all as declared; empty: compare in any case.
  Sha256Digest known_body;
  /// Ask for the etag first, and read the policy only where that is not the known one. Requires:
  /// `known_body` and `last_etag` are known.
  bool etag_first = false;
  bool observed = false;       ///< Its policy was read before.
  Sha256Digest last_policy;    ///< Names the stored policy it had then; empty: it had none.
  std::string last_etag = {};  ///< Of that policy; empty: it had none.
  /// The digest of the grants requested by a write without an answer; empty: no such write.
  std::string unanswered = {};
  std::chrono::milliseconds timeout{30'000};
  telemetry::TraceContext trace = {};  ///< What the work is told as, by requests and log lines.
};

/// The claims on the job's target. What a manifest claims is read from its spec, but stays on the
/// target and the role it was placed on. An unreadable manifest any more freezes its role.
[[nodiscard]] reconcilers::Desired MakeDesired(const CheckJob& job);

/// What a check learned from the etag alone.
enum class EtagAnswer {
  kNotAsked,  ///< The policy was read.
  kSame,      ///< The known one: the policy was not read.
  kMoved,     ///< Another one: the policy was read after it.
  kUnusable,  ///< Not an etag alone: the policy was read after it.
};

struct CheckResult : WideGrants {
  Expected<reconcilers::Observation> observed = Fail(Code::kInternal, "not run");
  /// Grants that KindTraits::just_in_time is to be asked about before the policy is compared:
  /// then of the next two there is nothing yet.
  JustInTimeAnswers questions = {};
  reconcilers::TargetPlan plan;
  PolicyText policy;
  /// The body is the known body: nothing has changed since the last comparison, and the fields
  /// above are empty.
  bool unchanged = false;
  Sha256Digest body;  ///< Of what was read; empty with an error.
  EtagAnswer etag_answer = EtagAnswer::kNotAsked;
  /// The policy changed, and its etag did not.
  bool etag_stood_still = false;
  /// The digest of the set of grants, independent of order and spelling: proves that a write
  /// landed. Empty unless the job has a write without an answer.
  std::string grants_digest = {};
  reconcilers::Desired desired;  ///< What was wanted; also with an error, but not when unchanged.
  std::chrono::nanoseconds duration{0};
};

/// Reads a stored policy, by digest, as HistoryReader::Policy(). Any thread.
using PolicyReader = std::function<Expected<std::string>(const std::string& digest)>;

/// What the answer to Kind::ReadEtag means. Nothing: the service does not answer now, and the check
/// fails with the error. Never kNotAsked. Quick.
[[nodiscard]] std::optional<EtagAnswer> JudgeEtag(const CheckJob& job,
                                                  const Expected<std::string>& answered);

/// The result of a check with the known etag.
[[nodiscard]] CheckResult SameByEtag(const CheckJob& job);

/// A reading of the policy: of a check, and before or after a write.
[[nodiscard]] Expected<cloud::PolicyCall> MakeReading(const CheckJob& job);

/// The job with the answers to the questions of a check. Blocks.
[[nodiscard]] CheckJob WithJustInTimeAnswers(const CheckJob& job,
                                             const JustInTimeAnswers& questions);

/// The answer to a reading of the target. One request. Blocks.
[[nodiscard]] Expected<std::string> FetchPolicy(const CheckJob& job);

/// The meaning of the answer: FinishCheck for callers without a request of their own. Blocks if
/// questions arise.
[[nodiscard]] CheckResult CheckFetched(const CheckJob& job, const Expected<std::string>& fetched,
                                       const PolicyReader& stored = {});

/// The same for a policy that need not be read, because the result of its change is known. Blocks
/// if questions arise.
[[nodiscard]] CheckResult CheckKnown(const CheckJob& job, reconcilers::Observation known);

/// The rest of a check whose request was sent by somebody else: what `fetched` means. `digest` is
/// of the body where it was made already. `stored` is asked for the last policy when there are
/// differences and the policy changed: without it their causes are unknown. With questions the
/// policy is not compared yet: the same is to be called again for a job with the answers.
[[nodiscard]] CheckResult FinishCheck(const CheckJob& job, const cloud::PolicyCall& read,
                                      const Expected<std::string>& fetched,
                                      const Sha256Digest& digest = {},
                                      const PolicyReader& stored = {});

struct WriteJob {
  std::shared_ptr<const CheckJob> check;  ///< Never null.
  std::chrono::milliseconds timeout{30'000};
  reconcilers::Desired desired;
  reconcilers::Observation before;
  /// What may be written, without the differences: the guard may have taken removals out.
  reconcilers::TargetPlan plan;
  std::string digest_before;
  std::string actor;
  WallTime started;              ///< As IntentRecord::started.
  CountedRemovals counted = {};  ///< Of what the plan removes.
};

/// The time limit of the write: the longest limit of the affected manifests
/// (options.customTimeouts); the job's own limit otherwise.
[[nodiscard]] std::chrono::milliseconds GetWriteTimeout(const CheckJob& job,
                                                        const reconcilers::Observation& before);

struct WriteResult : KnownDrops, WideGrants, KnownForms {
  Expected<reconcilers::Observation> written = Fail(Code::kInternal, "not run");
  reconcilers::TargetPlan left;  ///< What still differs afterwards.
  PolicyText policy;
  /// `written` was read after the write: the answer alone is not enough.
  bool read_back = false;
  /// The reading after the write differs from the request: a second writer came at the same time.
  bool contested = false;
  /// The digest of the grants of the answer, if the answer has different names (`forms`); else
  /// empty.
  std::string digest_answered = {};
  bool etag_stood_still = false;        ///< The policy changed, and its etag did not.
  std::optional<Refusal> refusal = {};  ///< The service refused the content of the write.
  int readings = 0;                     ///< Made besides the write.
  std::int64_t intent = 0;              ///< 0 when none was journaled; then nothing was sent.
  std::string digest_desired;           ///< Of the grants the write asks for.
  std::chrono::nanoseconds duration{0};
};

// A write in steps, between which its intent goes on record and its requests to the service: a
// reading if policies have no etags, then the write, and a reading if the answer is not enough.

/// The request of the write.
[[nodiscard]] Expected<cloud::PolicyCall> MakeWriting(const WriteJob& job);

/// The record that must exist before sending.
[[nodiscard]] store::IntentRecord MakeIntent(const WriteJob& job);

/// What the write failed with when that could not be put on record: nothing was sent.
[[nodiscard]] Error NotJournaled(const Error& why);

/// The policy is to be read once more right before the write, which fails for no other writer's.
[[nodiscard]] bool ReadsBefore(const WriteJob& job);

/// The result of a simulated write: the service stores the request. Nothing is sent.
/// Pure.
[[nodiscard]] WriteResult ForeseeWrite(WriteJob job);

/// Whether the policy still holds the grants that the write was decided on; else kAborted.
[[nodiscard]] Expected<void> StillAsRead(const WriteJob& job, const cloud::PolicyCall& call,
                                         const Expected<std::string>& answered);

/// What `answered`, the answer to `call`, means, compared with what is wanted. The intent is the
/// caller's to fill in.
[[nodiscard]] WriteResult FinishWrite(const WriteJob& job, const cloud::PolicyCall& call,
                                      const Expected<std::string>& answered);

/// The answer does not show the resulting policy for certain: a reading has to follow.
[[nodiscard]] bool ReadsAfter(const WriteJob& job, const WriteResult& result);

/// Takes the reading after the write as the present policy. Otherwise the outcome of the write is
/// unknown.
void ReadBack(const WriteJob& job, const cloud::PolicyCall& call,
              const Expected<std::string>& answered, WriteResult& result);

}  // namespace bindery::controller
