#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/connection.h"
#include "cloud/policy_call.h"
#include "core/access/claim_part.h"
#include "core/access/drift.h"
#include "core/access/grant.h"
#include "core/access/just_in_time.h"
#include "core/access/status.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/protected_principals.h"
#include "core/settings/severity_rules.h"
#include "core/settings/target_rules.h"
#include "manifests/schema/schema.h"
#include "reconcilers/bindings.h"
#include "reconcilers/grant_change.h"
#include "reconcilers/principals.h"
#include "reconcilers/resource_id.h"
#include "reconcilers/stored_form.h"

namespace bindery::reconcilers {

/// The demand of one manifest on one target.
struct Declaration {
  std::string target;  ///< Full name of the policy's resource.
  std::string role;    ///< What it claims there, as ClaimPart.
  std::vector<Grant> grants;
  /// The declared part must not be granted, so nothing is removed with the manifest.
  bool absent = false;
  /// After a deletion of the manifest, only the declared grants go, not all grants of the part.
  bool leaves_others = false;
};

/// bindery's rights on a claim.
enum class ManagementPolicy {
  kEnforce,         ///< Report differences and repair them.
  kObserve,         ///< Report differences only.
  kPause,           ///< Leave what is there, whatever it is, and report nothing new: suspended or
                    ///< contested.
  kRemove,          ///< The manifest is gone: take away what it claimed.
  kObserveRemoved,  ///< The manifest is gone, but nothing may be written: report what it left
                    ///< behind.
};

struct Claim {
  std::string resource;  ///< Name of the manifest.
  Declaration declaration;
  ManagementPolicy treatment = ManagementPolicy::kEnforce;
  std::string fault = {};  ///< Why its manifest cannot be made out; it is frozen then.
  /// For a former claim of a changed manifest: the name of the manifest.
  std::string successor = {};
};

/// The manifest is gone.
[[nodiscard]] inline bool IsGone(const Claim& claim) {
  return claim.treatment == ManagementPolicy::kRemove ||
         claim.treatment == ManagementPolicy::kObserveRemoved;
}

/// The whole declaration of the directory about one target, at one moment.
struct Desired {
  std::vector<Claim> claims;
  /// Undeclared roles are left unchanged (`undeclaredRoles: keep`), instead of being removed.
  bool keep_undeclared = false;
  /// An undeclared grant is a difference, and stays (`undeclaredRoles: report`). Only beside
  /// `keep_undeclared`.
  bool report_undeclared = false;
  /// Whether these roles are declared cannot be told just now. Only beside `keep_undeclared`.
  bool undeclared_in_doubt = false;
  /// The rules of the configuration, tried before the built-in rules; may be null.
  std::shared_ptr<const SeverityRules> severities = {};
  /// Principals that stay by the configuration; may be null.
  std::shared_ptr<const ProtectedPrincipals> protected_principals = {};
  std::string project_number = {};  ///< Of the target's project; empty: unknown.
  /// Tried in order, before `keep_undeclared`: the treatment of undeclared grants under conditions.
  std::vector<ConditionalRule> by_condition = {};
  WallTime now = {};  ///< By which the ends of conditions are judged: the latest that it can be.
  /// The knowledge of access that a service gives on request; null: nothing is taken for such.
  std::shared_ptr<const JustInTime> just_in_time = {};
  /// Instead of the claims: bring back this recorded policy (`bindery rollback`).
  std::optional<Json> restore = {};
  /// The stored forms of declared grants, as far as the claims above contain them.
  std::vector<StoredForm> forms = {};
  std::vector<Claim> as_written =
      {};  ///< The claims without what `forms` replaced; empty: the same.
  /// Resources whose claims were frozen because of the live state, with the reason.
  std::vector<std::pair<std::string, ResourceStatus>> refused = {};
};

/// A policy from a reading.
struct Observation {
  bool exists = false;  ///< There is a policy with at least one grant.
  /// As received, so that what we do not know survives a write, with a list `bindings` (in the
  /// object at KindTraits::bindings_in) where the service has none.
  Json document;
  /// Members of the document that are written back unchanged, by name: our spelling would differ.
  std::map<std::string, std::string> verbatim = {};
  std::string etag;  ///< Empty where the service has none.
  std::vector<Grant>
      grants;             ///< Every grant of the document once, in its first spelling and order.
  std::string note = {};  ///< What is odd about it, though nothing is wrong; for people.
};

/// Why an undeclared grant stays.
enum class KeptAs {
  kServiceAgent,
  kDefaultAccount,
  kProtected,
  kUnknownAgent  ///< It may be a service's own. A person is to judge: it is a difference that no
                 ///< write removes.
};

/// The replaced and the kept parts of a target, for manifests of one shape, for people. Each text
/// begins after the name of the shape.
struct ReplacedPart {
  const char* shape = nullptr;  ///< "…IamBinding"; null: the kind's own name.
  const char* where_kept = "replaces the whole policy of its target.";
  /// The same where undeclared roles are removed; null: the setting changes nothing.
  const char* where_removed = nullptr;
};

/// Which grants in the policy of a target may be access on request.
struct JustInTimeQuestion {
  std::string target;
  std::string project_number = {};  ///< As Desired::project_number.
  JustInTimeAnswers asked = {};     ///< One for each grant, without a verdict.
  WallTime now = {};
  std::chrono::milliseconds timeout{30'000};  ///< Of each call.
};

/// A service that gives access to targets of a kind on request, for some time. One object, without
/// state, for all threads.
class JustInTimeService {
 public:
  virtual ~JustInTimeService() = default;

  /// Nothing: the grant, which has a condition, is none of the service's. Pure.
  [[nodiscard]] virtual std::optional<JustInTimeForm> FindForm(const Grant& grant) const = 0;
  /// JustInTimeQuestion::asked with the service's knowledge. Blocks, for several calls.
  [[nodiscard]] virtual JustInTimeAnswers Ask(const cloud::Connection& connection,
                                              const JustInTimeQuestion& question) const = 0;
  /// Which permissions the caller lacks to ask. The rest as Kind::MissingPermissions.
  [[nodiscard]] virtual Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const = 0;
};

/// The common facts of a kind's targets: the row of the kind.
struct KindTraits {
  /// Target::kind of its targets: the same for all kinds that declare parts of one policy. Empty:
  /// the kind's own name.
  std::string policy = {};
  /// The name of the kind in severity rules. Empty: the kind's own name.
  std::string judged_as = {};
  std::string service;        ///< Whose endpoint it is: "networksecurity".
  std::string provider_type;  ///< Provider::type(); also its default provider's name.
  GrantWords words = {};      ///< Of a grant, in JSON.
  BindingWords binding_words = {"role", "members"};  ///< Of an entry of `bindings`.
  /// Where in the document of a policy the object is that has `bindings`: member names.
  std::vector<std::string> bindings_in = {};
  const PrincipalRules* principals = nullptr;  ///< Null: of a kind without grants.
  const GrantSeverities* widening = nullptr;   ///< As JudgedDifference::widening.
  /// The service for just-in-time access to its targets; null: none.
  const JustInTimeService* just_in_time = nullptr;
  bool names_are_global =
      true;  ///< False: a target's name means something only within its provider.
  /// Policies carry etags, and a write fails where the policy has changed since it was read. False:
  /// the last writer wins.
  bool has_etags = true;
  /// The etag of a policy moves with every change of the policy, so that Kind::ReadEtag can stand
  /// for a read of the whole policy.
  bool etag_tells_changes = false;
  /// A policy without a grant restricts nobody: the people to whom the target is open then, in
  /// words. Null: such a policy grants nothing.
  const char* opens_to = nullptr;
  /// The kind, of the same API version, whose manifests declare one grant each on the same policy;
  /// empty: none.
  std::string member_kind = {};
  /// Roles that no manifest declares stay, unless a rule of the configuration says otherwise.
  bool keeps_undeclared = false;
  bool is_container = false;  ///< What it holds inherits its policy.
  /// For a kind that is only read: its manifests keep access. A deleted manifest stays in force for
  /// as long as its grants would.
  bool keeps_access = false;
  /// The grants of a manifest stay after its deletion, unless options.retainOnDelete is false.
  bool retained_on_delete = false;
  ReplacedPart replaces = {};
};

/// The code of a kind's author. Stateless: every function may run on any thread, several at once,
/// but bindery never works twice at once on one target. Reading and writing are values: a request,
/// and the meaning of its answer, so that calls need no waiting thread; only MissingPermissions
/// uses a network itself.
class Kind {
 public:
  Kind(const manifests::KindSchema& schema, KindTraits traits)
      : schema_(schema), traits_(std::move(traits)) {
    if (traits_.policy.empty()) traits_.policy = schema.token.kind;
    if (traits_.judged_as.empty()) traits_.judged_as = schema.token.kind;
  }
  virtual ~Kind() = default;
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;

  [[nodiscard]] const manifests::KindSchema& schema() const { return schema_; }
  [[nodiscard]] const KindTraits& traits() const { return traits_; }

  /// What a checked spec asks for. kInvalidArgument when a name cannot be completed.
  [[nodiscard]] virtual Expected<Declaration> Declare(const Json& spec,
                                                      const std::string& default_project) const = 0;

  /// A name in any of its spellings in the form of Declaration::target; nothing for a name that no
  /// target has. `default_project` completes a name without a project. Pure.
  [[nodiscard]] virtual std::optional<std::string> CanonicalName(
      const std::string& text, const std::string& /*default_project*/) const {
    return text;
  }

  /// What a checked spec grants. None for a lookup. Pure.
  [[nodiscard]] virtual std::vector<Grant> GrantsIn(const Json& spec) const;

  /// How the policy is read: one request, not sent yet. kInvalidArgument for a name that none can
  /// have.
  [[nodiscard]] virtual Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const = 0;

  /// How `plan` is made true, `now` being what was just read: one request, not sent yet, that fails
  /// with kAborted when the policy has changed since, as answers of HTTP 409 and 412 do.
  [[nodiscard]] virtual Expected<cloud::PolicyCall> BuildSet(
      const cloud::Connection& connection, const std::string& target, const TargetPlan& plan,
      const Observation& now, std::chrono::milliseconds timeout) const = 0;

  /// The policy once `plan` is written to `now`, as far as that can be told without the service: it
  /// keeps the etag. Pure.
  [[nodiscard]] virtual Observation AfterWriting(const TargetPlan& plan, Observation now) const;

  /// The meaning of a good answer's body: the policy as read, or as stored after a write. For a
  /// service with its etag in a header the etag is unknown here. Pure.
  [[nodiscard]] virtual Expected<Observation> ParseResponse(const cloud::PolicyCall& call,
                                                            const std::string& body) const = 0;

  /// The outputs as a good answer to `read` gives them, secrets included: to be
  /// shown on request, never to be stored.
  [[nodiscard]] virtual Expected<Json> OutputsWithSecrets(const cloud::PolicyCall& read,
                                                          const std::string& target,
                                                          const std::string& body) const;

  /// How only the etag of the policy is read: one request, not sent yet, whose answer is
  /// {"etag": "…"}. kUnimplemented unless traits().etag_tells_changes.
  [[nodiscard]] virtual Expected<cloud::PolicyCall> ReadEtag(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const;

  /// Reads the policy: BuildGet and ParseResponse with the network between them. Blocks.
  [[nodiscard]] Expected<Observation> Observe(const cloud::Connection& connection,
                                              const std::string& target,
                                              std::chrono::milliseconds timeout) const;

  /// Compares. Pure: the same input gives the same plan in the same order.
  [[nodiscard]] virtual TargetPlan Plan(const Desired& desired, const Observation& now) const = 0;

  /// What `plan` takes out of the policy `now` and must not, and why (kSelfLockout or kLastOwner,
  /// with a text for people). `own`: the member that calls are made as; empty: unknown. `time`:
  /// that of the check. Pure.
  [[nodiscard]] virtual std::map<Grant, Reason> Refuse(const TargetPlan& /*plan*/,
                                                       const Observation& /*now*/,
                                                       const std::string& /*own*/,
                                                       const TimeSpan& /*time*/) const {
    return {};
  }

  /// Which permissions the caller lacks to read that target and, with `to_write`, to write it.
  /// Changes nothing. kNotFound: no such target exists. kUnimplemented: the service cannot be
  /// asked.
  [[nodiscard]] virtual Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target, bool to_write,
      std::chrono::milliseconds timeout) const = 0;

  /// Where calls on the target go: the service's endpoint, unless the target has a separate
  /// host.
  [[nodiscard]] virtual std::string BaseUrl(const cloud::Connection& connection,
                                            const std::string& /*target*/) const {
    return connection.BaseUrl(traits_.service);
  }

  /// The project whose quota calls on the target use, unless the credentials name another; empty
  /// where the service counts by caller.
  [[nodiscard]] virtual std::string QuotaProject(const std::string& /*target*/) const { return ""; }

  /// The outputs of a resource on the target, besides its inputs. Without secrets. For a writing
  /// kind the outputs depend only on the etag of `now`: they are not kept, but made again.
  [[nodiscard]] virtual Json Outputs(const std::string& target, const Observation& now) const = 0;

  // Existing resources ---------------------------------------------------------------------------

  /// Reads an id as the provider writes it: "TARGET ROLE" or "TARGET" of an IAM binding,
  /// "dashboard:abc-def-ghi", the full name of an import data file. kInvalidArgument with the form
  /// that is wanted. ResourceId::Text() is the way back.
  [[nodiscard]] virtual Expected<ResourceId> ParseId(const std::string& id,
                                                     const std::string& default_project) const = 0;

  /// The parts of the policy that can become manifests, one for each. None when nothing exists.
  /// Pure.
  [[nodiscard]] virtual std::vector<std::string> Roles(const Observation& now) const = 0;

  /// The spec that exactly declares the present part of the policy (irrelevant for a target without
  /// parts), its fields in the schema's order. Pure. kNotFound: nothing exists.
  /// kFailedPrecondition: no single manifest can declare the part, with the reason.
  [[nodiscard]] virtual Expected<Json> Inputs(const std::string& target, const std::string& role,
                                              const Observation& now) const = 0;

 private:
  const manifests::KindSchema& schema_;
  KindTraits traits_;
};

/// Whether a grant of a policy belongs to a part. `kind`: any kind on the policy; null if unknown:
/// principals are compared by spelling.
[[nodiscard]] bool CoversOn(const Kind* kind, std::string_view part, const Grant& grant);

}  // namespace bindery::reconcilers
