#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/access/audit_entry.h"
#include "core/access/drift.h"
#include "core/access/event.h"
#include "core/access/grant.h"
#include "core/access/hold.h"
#include "core/access/revision.h"
#include "core/access/status.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/text/type_token.h"

namespace bindery::store {

/// One declared resource in the store: its manifest in force, and its status.
struct ResourceRecord {
  std::string name;
  TypeToken token;
  Target target;  ///< Empty name when the manifest never got far enough to have one.
  std::string provider;
  /// The claimed part of the target; "*" for kinds that own the whole policy, empty for kinds
  /// without a claim (lookups): several lookups may refer to one target.
  std::string role;
  /// The manifest is in force: it holds the claim on (kind, scope, target, role), which is unique
  /// among accepted resources. A rejected challenger or an invalid manifest is on record
  /// unaccepted.
  bool accepted = false;
  std::string spec;         ///< Canonical JSON, as in the manifest in force.
  std::string options;      ///< Canonical JSON.
  std::string labels;       ///< Canonical JSON object of strings.
  std::string annotations;  ///< Canonical JSON object of strings.
  std::string digest;       ///< Of the manifest in force.
  std::string source_file;
  int source_line = 0;
  std::int64_t generation = 0;           ///< Counts accepted changes of this manifest, from 1.
  std::int64_t observed_generation = 0;  ///< The generation the status speaks of.
  ResourceStatus status;
  WallTime status_since;    ///< When state or reason last changed.
  std::string outputs;      ///< JSON object; empty when nothing is known yet.
  bool suspended = false;   ///< By an operator, besides the manifest's own option.
  int missing_scans = 0;    ///< Generations in a row without the manifest; 0 while it is there.
  std::int64_t grants = 0;  ///< That its manifest declares.
  /// Nothing was done in the name of the resource at its present place, and its grants were not
  /// found as declared.
  bool untouched = false;
  /// Earlier manifests granted undeclared access on the target, and the access was not seen to be
  /// gone.
  bool gave_up = false;
  /// The age of the evidence about the declaration, packed by the controller; 0: settled.
  std::int64_t age = 0;
  bool operator==(const ResourceRecord&) const = default;
};

/// The standing of a recorded resource: the part that work on its target changes. The rest of the
/// record comes from the manifest and from people.
struct StandingRecord {
  std::string name;
  Target target;  ///< As it is on record, and the role.
  std::string role;
  std::int64_t observed_generation = 0;  ///< This and the others: as in ResourceRecord.
  ResourceStatus status;
  WallTime status_since;
  std::string outputs;
  bool untouched = false;
  bool gave_up = false;
  std::int64_t age = 0;
  bool operator==(const StandingRecord&) const = default;
};

/// A resource as it was when a change was put together; its record is made when it is written. Of
/// the hundred thousand that a first scan brings, not all records need be there at once. Immutable:
/// used on the store's thread. What it was made of must outlive the store's last change.
class ResourceSnapshot {
 public:
  ResourceSnapshot() = default;
  virtual ~ResourceSnapshot() = default;
  ResourceSnapshot(const ResourceSnapshot&) = delete;
  ResourceSnapshot& operator=(const ResourceSnapshot&) = delete;

  [[nodiscard]] virtual const std::string& Name() const = 0;
  [[nodiscard]] virtual ResourceRecord Record() const = 0;
};

/// The knowledge about a target.
struct TargetRecord {
  Target target;
  std::string provider;
  bool observed = false;      ///< Read at least once.
  bool exists = false;        ///< At the last reading.
  bool ever_written = false;  ///< bindery wrote its policy at least once.
  std::string etag;
  std::string policy_digest;    ///< Names a stored policy; empty when never observed or absent.
  WallTime observed_at;         ///< Of the last successful reading.
  std::int64_t grants = 0;      ///< In the observed policy.
  std::int64_t undeclared = 0;  ///< Of these: declared by no manifest, as CountUndeclared().
};

/// A resource, and when its target was last read.
struct ObservedResource {
  ResourceRecord resource;
  WallTime observed_at;  ///< WallTime{}: never.
};

/// A policy worth keeping. The body is stored once however many revisions name it.
struct RevisionRecord {
  std::int64_t id = 0;  ///< Given by the store; counts up over all targets.
  Target target;
  WallTime time;
  Origin origin = Origin::kObserved;
  std::string etag;
  std::string digest;  ///< SHA-256 of the canonical body.
  std::string policy;  ///< JSON text, as it was received or sent.
  std::string actor;
};

/// A drift item with its history.
struct DriftRecord {
  std::int64_t id = 0;
  Target target;
  DriftItem item;
  WallTime first_seen;
  WallTime last_seen;
  std::optional<WallTime> resolved_at;  ///< Set once it is corrected, by any writer.
  std::string resolved_by;              ///< "bindery", "elsewhere"; empty while open or held.
  std::optional<WallTime> read_before;  ///< The last reading before it was found; not set: none.
};

/// A difference, and the recorded state of the resource it names.
struct DriftEntry {
  struct Resource {
    std::string source_file;
    int source_line = 0;
    std::string reason;  ///< As ResourceStatus::reason.
  };
  DriftRecord record;
  std::optional<Resource> resource;  ///< Nothing when none of that name is on record.
};

/// A write to a cloud that was begun. Without an outcome at start-up, the process died in between.
/// A grant that a write brings with a condition to a policy that does not hold it without one. The
/// stored state of it without the condition is to be taken back.
struct ConditionalGrant {
  Grant grant;
  /// Names the grants of the policy where the service left out the conditions, as digest_desired
  /// does those that are wanted; empty: the service was seen to leave it out.
  std::string dropped = {};
  bool operator==(const ConditionalGrant&) const = default;
};

struct IntentRecord {
  std::int64_t id = 0;
  Target target;
  WallTime started;  ///< By the services' time where one tells it, else by the local clock.
  std::string etag_before;
  std::string digest_before;   ///< Of the policy read; names a stored policy where there was one.
  std::string digest_desired;  ///< Of the policy about to be written; empty for a delete.
  std::string actor;
  /// The removed grants that need no approval, by provider: grants that manifests declared, and
  /// grants that existed before a manifest declared their role.
  std::int64_t removed_declared = 0;
  std::int64_t removed_adopted = 0;
  std::string provider = {};
  std::vector<ConditionalGrant> conditional = {};
  // Not on record: known to the writing process only.
  /// The intent is open for its conditional grants only, and ends with this outcome; empty: unknown
  /// outcome.
  std::string outcome = {};
  /// A take-back was tried, and the grants stayed: the rest of the target has its turn before the
  /// next try.
  bool tried = false;
};

/// Grants that a write took away, or may have.
struct RemovalRecord {
  Target target;
  std::string provider;
  WallTime started;           ///< As IntentRecord::started.
  std::int64_t declared = 0;  ///< As IntentRecord::removed_declared, and the next.
  std::int64_t adopted = 0;
  bool open = false;  ///< Its outcome is not known.
  /// The time of the outcome, by the clock of the acting daemon.
  std::optional<WallTime> ended = {};
};

/// Removals the guard withholds.
struct HoldRecord {
  std::string digest;  ///< Names exactly these removals; what an operator approves.
  WallTime created;
  HoldState state = HoldState::kOpen;
  std::string reason;  ///< Which limit, in words.
  HoldPurpose purpose;
  std::string items;  ///< JSON: as HeldRemovals::Items().
  std::string actor;  ///< Who approved or denied it.
};

/// A recorded policy that is to come back, and is missing yet.
struct RollbackRecord {
  Target target;
  std::int64_t revision = 0;
  std::string actor;                   ///< Who asked for it.
  std::vector<std::string> suspended;  ///< Names of resources that were enforced until then.
  bool operator==(const RollbackRecord&) const = default;
};

/// A manifest file at its last reading.
struct FileRecord {
  std::string path;
  std::string stamp;   ///< What tells a changed file from an unchanged one; any bytes.
  std::string digest;  ///< SHA-256 of its content.
  bool operator==(const FileRecord&) const = default;
};

/// One accepted scan of the directory.
struct GenerationRecord {
  std::int64_t id = 0;  ///< Given by the store.
  WallTime time;
  std::string digest;
  std::int64_t files = 0;
  std::int64_t manifests = 0;
  std::int64_t problems = 0;
  /// The version of the program and what of the configuration decides the claim of a manifest:
  /// under the same rules the same manifests would be accepted again.
  std::string rules = {};
};

/// The knowledge of the directory besides its manifests, so that the next run can distinguish
/// missing from unreadable items.
struct EvidenceRecord {
  struct Unread {
    std::string path;
    std::string fingerprint;  ///< As UnreadItem::fingerprint.
    bool ignored = false;
    std::int32_t since = 0;  ///< The look that found it so for the first time.
    bool operator==(const Unread&) const = default;
  };
  std::int32_t look = 0;     ///< The number of the last look.
  std::int32_t settled = 0;  ///< Changes up to this look are settled.
  std::vector<Unread> unread;
  std::string ground;      ///< As GroundText(); empty: not known.
  std::string question;    ///< Why removals wait for an operator; empty: they do not.
  std::string rules = {};  ///< By which all was settled last, as a digest; empty: not known.
  bool operator==(const EvidenceRecord&) const = default;
};

/// A problem of the last scan, kept for `get`, the API and the next start.
struct ManifestProblemRecord {
  std::string file;
  int line = 0;
  int column = 0;
  std::string path;
  std::string severity;
  std::string code;
  std::string message;
  std::string resource;
  bool operator==(const ManifestProblemRecord&) const = default;
};

/// The part of a declared resource that identifies the subject of an event.
struct ResourceMention {
  std::string name;
  std::string kind;
  std::string labels;  ///< Canonical JSON object of strings.
  std::string source_file;
  int source_line = 0;
  bool operator==(const ResourceMention&) const = default;
};

/// An event for receivers: with the present declaration of its subject.
struct JournalEntry {
  std::int64_t id = 0;
  Event event;
  /// The event's resource; of an event that names only a target, the resources in force there.
  /// What is not declared any more is missing.
  std::vector<ResourceMention> resources;
};

/// The position of a webhook in the journal of events.
struct WebhookRecord {
  std::string name;
  std::int64_t first = 0;   ///< The event before the first one that is its business.
  std::int64_t cursor = 0;  ///< The last event that needs no more work: delivered, or not wanted.
  std::optional<WallTime> delivered_at;   ///< The last time a message was accepted.
  std::optional<WallTime> failing_since;  ///< Nothing while messages are accepted.
  std::string failure;                    ///< Why, in one line without secrets.
  std::int64_t last_event = 0;            ///< Of the journal, when this was read; not written.
};

/// A daemon that shares a store in a database. Times are by the database's clock.
struct ReplicaRecord {
  std::string id;  ///< Made anew at each start.
  std::string host;
  std::string version;
  WallTime started;
  WallTime seen;                        ///< The last heartbeat.
  std::chrono::milliseconds silent{0};  ///< Since then.
  bool replaced = false;                ///< Another one took the lease from it.
  std::int64_t epoch = 0;               ///< Of the term in which it is at work; 0: it stands by.
};

}  // namespace bindery::store
