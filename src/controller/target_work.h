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

#include "controller/left_out_grants.h"
#include "controller/refusal.h"
#include "controller/removal.h"
#include "controller/resource_entry.h"
#include "core/accepted_drift.h"
#include "core/digest.h"
#include "core/target_key.h"
#include "manifests/manifest.h"
#include "reconcilers/kind.h"
#include "store/records.h"
#include "telemetry/trace.h"

namespace bindery {

/// The half of working on a target that takes time: run away from the loop's thread, told
/// everything it needs, touching no engine state.

/// What an exception out of such work is told as.
[[nodiscard]] Error FromException(const std::exception& failure);

/// The largest answer taken for a policy. The services keep policies of some 1,500 members, 100 KB;
/// to compare one takes fifty times its size.
inline constexpr std::size_t kMaxPolicyBytes = 1U << 20U;

/// A policy as it is kept: without its etag (which has a separate column), named by content.
struct PolicyText {
  std::string body;    ///< JSON, as received but for the etag.
  std::string digest;  ///< SHA-256 of the canonical body.
};
[[nodiscard]] PolicyText TextOf(const Observation& observation);

/// Who declares what on a target; made into claims only when a policy has to be compared.
struct DeclaredClaim {
  std::shared_ptr<const Manifest> manifest;  ///< Null: a contested role, which none holds.
  std::string role;
  ManagementPolicy treatment = ManagementPolicy::kEnforce;
  /// options.import: nothing is done about it unless the policy holds just its declaration.
  bool adopting = false;
  /// options.expired: its condition has ended, and what it declares is nothing any more.
  bool expired = false;
  bool settled = false;   ///< As ResourceEntry::Progress::settled.
  GivenUp given_up = {};  ///< As ResourceEntry::Progress::given_up.
  /// The kind of its manifest: several kinds declare parts of one policy. Null: the job's.
  const Kind* kind = nullptr;
};

/// A grant that a service stored without the condition it was written with.
struct DroppedCondition {
  Grant grant;
  /// Its principal held the role without a condition before: nothing was given that was missing.
  bool held_before = false;
  bool operator==(const DroppedCondition&) const = default;
};

/// The knowledge of a service that drops conditions.
struct KnownDrops {
  std::vector<DroppedCondition> dropped = {};  ///< As known from earlier writes, or by this one.
  /// As IntentRecord::conditional, of a write that is not known to be right yet.
  std::vector<ConditionalGrant> conditional = {};
};

/// What a write gave that its service stored without the conditions.
struct WideGrants {
  std::vector<Grant> too_wide = {};  ///< Of it, what is still there.
  /// What of the policy is to go for that, whatever else is decided: not in the plan.
  std::vector<Grant> take_back = {};
};

/// Names that the service stores for others.
struct KnownForms {
  std::vector<StoredForm> forms = {};  ///< As known from earlier writes, or by this one.
};

struct CheckJob : KnownDrops, KnownForms {
  Target target;
  const Kind* kind = nullptr;
  std::shared_ptr<const Connection> connection;
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
  /// What the service that gives access on request said; nothing: it was not asked.
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
  /// Of the grants that a write without an answer asked for; empty: there is none.
  std::string unanswered = {};
  std::chrono::milliseconds timeout{30'000};
  TraceContext trace = {};  ///< What the work is told as, by requests and log lines.
};

/// The claims on the job's target. What a manifest claims is read from its spec, but stays on the
/// target and the role it was placed on. An unreadable manifest any more freezes its role.
[[nodiscard]] Desired DesiredOf(const CheckJob& job);

/// What a check learned from the etag alone.
enum class EtagAnswer {
  kNotAsked,  ///< The policy was read.
  kSame,      ///< The known one: the policy was not read.
  kMoved,     ///< Another one: the policy was read after it.
  kUnusable,  ///< Not an etag alone: the policy was read after it.
};

struct CheckResult : WideGrants {
  Expected<Observation> observed = Fail(Code::kInternal, "not run");
  /// Grants that KindTraits::just_in_time is to be asked about before the policy is compared:
  /// then of the next two there is nothing yet.
  JustInTimeAnswers questions = {};
  TargetPlan plan;
  PolicyText policy;
  /// The body is the known one: all is as it was when it was last compared, and of the above there
  /// is nothing.
  bool unchanged = false;
  Sha256Digest body;  ///< Of what was read; empty with an error.
  EtagAnswer etag_answer = EtagAnswer::kNotAsked;
  /// The policy changed, and its etag did not.
  bool etag_stood_still = false;
  /// Of the set of grants, equal whatever order or spelling they come in: tells a write that landed
  /// by what it asked for. Empty unless the job has one whose answer never came.
  std::string grants_digest = {};
  Desired desired;  ///< What was wanted; also with an error, but not when unchanged.
  std::chrono::nanoseconds duration{0};
};

/// Reads a stored policy, by digest, as HistoryReader::Policy(). Any thread.
using PolicyReader = std::function<Expected<std::string>(const std::string& digest)>;

/// What the answer to Kind::ReadEtag means. Nothing: the service does not answer now, and the check
/// fails with the error. Never kNotAsked. Quick.
[[nodiscard]] std::optional<EtagAnswer> JudgeEtag(const CheckJob& job,
                                                  const Expected<std::string>& answered);

/// The result of a check whose etag is the known one.
[[nodiscard]] CheckResult SameByEtag(const CheckJob& job);

/// A reading of the policy: of a check, and before or after a write.
[[nodiscard]] Expected<PolicyCall> ReadingOf(const CheckJob& job);

/// The job with the answers to the questions of a check. Blocks.
[[nodiscard]] CheckJob WithJustInTimeAnswers(const CheckJob& job,
                                             const JustInTimeAnswers& questions);

/// What a reading of the target is answered with. One request. Blocks.
[[nodiscard]] Expected<std::string> FetchPolicy(const CheckJob& job);

/// What that answer means: FinishCheck for those who send no request of their own. Blocks where
/// there are questions.
[[nodiscard]] CheckResult CheckFetched(const CheckJob& job, const Expected<std::string>& fetched,
                                       const PolicyReader& stored = {});

/// The same of a policy that need not be read, as what it was changed to is known. Blocks where
/// there are questions.
[[nodiscard]] CheckResult CheckKnown(const CheckJob& job, Observation known);

/// The rest of a check whose request was sent by somebody else: what `fetched` means. `digest` is
/// of the body where it was made already. `stored` is asked for the last policy when there are
/// differences and the policy changed: without it their causes are unknown. With questions the
/// policy is not compared yet: the same is to be called again for a job with the answers.
[[nodiscard]] CheckResult FinishCheck(const CheckJob& job, const PolicyCall& read,
                                      const Expected<std::string>& fetched,
                                      const Sha256Digest& digest = {},
                                      const PolicyReader& stored = {});

struct WriteJob {
  std::shared_ptr<const CheckJob> check;  ///< Never null.
  std::chrono::milliseconds timeout{30'000};
  Desired desired;
  Observation before;
  /// What may be written, without the differences: the guard may have taken removals out.
  TargetPlan plan;
  std::string digest_before;
  std::string actor;
  WallTime started;              ///< As IntentRecord::started.
  CountedRemovals counted = {};  ///< Of what the plan removes.
};

/// How long the write may take: the longest of what its manifests allow (options.customTimeouts)
/// for what it does to them; the job's own where none says anything.
[[nodiscard]] std::chrono::milliseconds WriteTimeoutOf(const CheckJob& job,
                                                       const Observation& before);

struct WriteResult : KnownDrops, WideGrants, KnownForms {
  Expected<Observation> written = Fail(Code::kInternal, "not run");
  TargetPlan left;  ///< What still differs afterwards.
  PolicyText policy;
  /// `written` was read after the write: its answer alone is not taken for it.
  bool read_back = false;
  /// What was read after the write is not what it asked for: another writer came at the same time.
  bool contested = false;
  /// Of the grants of the answer, where it tells other names (`forms`); else empty.
  std::string digest_answered = {};
  bool etag_stood_still = false;        ///< The policy changed, and its etag did not.
  std::optional<Refusal> refusal = {};  ///< The service refused the content of the write.
  int readings = 0;                     ///< Made besides the write.
  std::int64_t intent = 0;              ///< 0 when none was journaled; then nothing was sent.
  std::string digest_desired;           ///< Of the grants the write asks for.
  std::chrono::nanoseconds duration{0};
};

// A write in steps, between which its intent goes on record and its requests to the service: where
// policies have no etags a reading, then the write, and where its answer is not enough a reading.

/// The one request that carries it out.
[[nodiscard]] Expected<PolicyCall> WritingOf(const WriteJob& job);

/// What must be on record before it is sent.
[[nodiscard]] IntentRecord IntentOf(const WriteJob& job);

/// What the write failed with when that could not be put on record: nothing was sent.
[[nodiscard]] Error NotJournaled(const Error& why);

/// The policy is to be read once more right before the write, which fails for no other writer's.
[[nodiscard]] bool ReadsBefore(const WriteJob& job);

/// What a write comes to that is only thought of: the service stores what it is asked for. Nothing
/// is sent. Pure.
[[nodiscard]] WriteResult ForeseeWrite(WriteJob job);

/// Whether the policy still holds the grants that the write was decided on; else kAborted.
[[nodiscard]] Expected<void> StillAsRead(const WriteJob& job, const PolicyCall& call,
                                         const Expected<std::string>& answered);

/// What `answered`, the answer to `call`, means, compared with what is wanted. The intent is the
/// caller's to fill in.
[[nodiscard]] WriteResult FinishWrite(const WriteJob& job, const PolicyCall& call,
                                      const Expected<std::string>& answered);

/// The answer does not show for certain the outcome of the policy: it is to be read.
[[nodiscard]] bool ReadsAfter(const WriteJob& job, const WriteResult& result);

/// Takes what was read after the write for what is there. Without it the write's outcome is not
/// known.
void ReadBack(const WriteJob& job, const PolicyCall& call, const Expected<std::string>& answered,
              WriteResult& result);

}  // namespace bindery
