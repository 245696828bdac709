#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/expected.h"
#include "core/target_key.h"
#include "store/records.h"

namespace bindery {

/// What was seen of, and done to, one target's drift: the complete list of its differences now.
/// Items on record that are not listed are resolved: by bindery when `corrected`, else elsewhere.
struct DriftUpdate {
  Target target;
  WallTime time;
  std::vector<DriftItem> items;
  bool corrected = false;
  /// When the target was last read before this; not set: it never was.
  std::optional<WallTime> read_before = {};
};

/// How a begun write ended.
struct IntentOutcome {
  std::int64_t id = 0;
  WallTime finished;
  std::string outcome;  ///< "landed", "refused", "unknown", "found-landed", "found-not-landed"
};

/// Everything that changes together. One StoreChange is one transaction: all of it or nothing.
struct StoreChange {
  std::optional<GenerationRecord> generation;
  std::optional<EvidenceRecord> evidence;                      ///< Replaces that of the last look.
  std::optional<std::vector<ManifestProblemRecord>> problems;  ///< Replaces those of the last scan.
  std::vector<std::string> forget_resources;  ///< By name; carried out before the upserts.
  std::vector<std::shared_ptr<const ResourceSnapshot>> upsert_snapshots;  ///< By name.
  std::vector<ResourceRecord> upsert_resources;  ///< By name; none of the snapshots'.
  std::vector<TargetRecord> upsert_targets;      ///< By target. Policies are named by digest.
  /// Only observed_at moves, to `touched_at`; targets that are not on record are passed over.
  std::vector<TargetKey> touch_targets;
  WallTime touched_at;
  std::vector<Target> forget_targets;     ///< Revisions stay; drift left open is closed.
  std::vector<RevisionRecord> revisions;  ///< Ids are given by the store.
  std::vector<DriftUpdate> drift;
  std::vector<Event> events;
  std::vector<IntentOutcome> finished_intents;   ///< The first outcome of an intent stands.
  std::vector<HoldRecord> upsert_holds;          ///< By digest.
  std::vector<Target> forget_rollbacks;          ///< Carried out before the upserts.
  std::vector<RollbackRecord> upsert_rollbacks;  ///< By target.
  std::vector<std::string> forget_files;         ///< By path; carried out before the upserts.
  std::vector<FileRecord> upsert_files;          ///< By path.
  /// The webhooks there are from now on, by name: a new one begins at the journal's end, before the
  /// events of this change; others are forgotten.
  std::optional<std::vector<std::string>> webhooks;
  std::vector<WebhookRecord> webhook_progress;  ///< By name; of those that are forgotten: nothing.
  std::vector<AuditEntry> audit_entries;        ///< Those that are on record already stay.
  std::vector<std::string> forget_audit_files;  ///< By path; carried out before the upserts.
  std::vector<AuditFile> upsert_audit_files;    ///< By path.

  [[nodiscard]] bool empty() const;
};

struct EventFilter {
  /// Events of that resource, and those that concern all there is on its target; empty: all events.
  std::string resource;
  std::int64_t after_id = 0;
  std::size_t limit = 1000;  ///< The newest ones; returned oldest first.
};

struct JournalPage {
  std::int64_t after_id = 0;
  std::size_t limit = 100;  ///< The oldest ones.
};

struct DriftFilter {
  bool unresolved_only = false;
  std::optional<WallTime> resolved_since;  ///< Leaves out what was resolved before.
  std::size_t limit = 10'000;
};

/// The entries of audit logs about one target in some time, both ends included.
struct AuditFilter {
  std::string target;            ///< Target::name.
  std::optional<WallTime> from;  ///< Not set: from the first on.
  WallTime until;
  std::size_t limit = 1'000;  ///< The oldest ones.
};

struct StoreCounts {
  std::int64_t revisions = 0;
  std::int64_t policies = 0;
  std::int64_t events = 0;
  std::int64_t drift = 0;
};

/// The differences on record as they were when it was made, however often they are gone through.
/// For one thread at a time. While it is there the store's write-ahead log only grows: not for
/// long. What `take` throws is told as a failure of the store.
class DriftSnapshot {
 public:
  virtual ~DriftSnapshot() = default;

  /// Gives `take` what stands, and what was resolved since then, in no particular order.
  virtual Expected<void> EachSince(std::optional<WallTime> resolved_since,
                                   const std::function<void(const DriftEntry&)>& take) = 0;

  /// Gives `take` those of these ids, in this order; an id that is not on record is passed over.
  virtual Expected<void> EachOf(const std::vector<std::int64_t>& ids,
                                const std::function<void(const DriftEntry&)>& take) = 0;
};

/// What is wrong with the files of an open store.
struct StoreFault {
  Error error;
  bool lost = false;  ///< What is open is not what is at its path: the store must be opened anew.
  bool gone = false;  ///< Nothing is at its path: PutBack() helps.
};

/// What bindery remembers, in one SQLite file. All functions may be called from any thread.
///
/// Writes are done by one writer thread that commits everything waiting for it in one transaction
/// (group commit); a change that fails is undone alone. Reads see what was committed before.
class Store {
 public:
  enum class Access { kReadWrite, kReadOnly };

  /// Opens or creates the store. With kReadWrite it takes an exclusive lock on `<path>.lock` for
  /// its lifetime: kFailedPrecondition "…is in use by process 123…" when another daemon holds it.
  /// A store of a newer version: kFailedPrecondition naming both versions. A damaged file is set
  /// aside as `<path>.damaged-<UTC time>` and a new store begun; `recovered_from()` then says so.
  /// A database of another program: kFailedPrecondition.
  /// kReadOnly: kNotFound when there is no store; never creates, repairs or locks. A damaged store
  /// is kInternal "…is damaged…", here or once the damaged part is read. Writes are refused with
  /// kFailedPrecondition. `clock` must outlive the store.
  [[nodiscard]] static Expected<std::unique_ptr<Store>> Open(const std::filesystem::path& path,
                                                             Access access, const Clock& clock);
  virtual ~Store() = default;

  /// Where the damaged predecessor was put; empty when there was none.
  [[nodiscard]] virtual std::string recovered_from() const = 0;

  /// Carries out `change` and blocks until it is durable. kAlreadyExists when it would give one
  /// (kind, scope, target, role) to two accepted resources; within one change claims may move
  /// freely. kInternal when it names a policy by digest that neither it nor an earlier change
  /// stored.
  virtual Expected<void> Apply(StoreChange change) = 0;

  /// The same without blocking; `done` is called on the writer thread. It must be quick, and must
  /// not wait for the store to write (Apply, Flush, Retain); reading is fine.
  virtual void Submit(StoreChange change, std::function<void(Expected<void>)> done) = 0;

  /// Records that a write is about to happen. `done`, which is called as that of Submit, is given
  /// the intent's id once it is durable.
  virtual void BeginWrite(IntentRecord intent,
                          std::function<void(Expected<std::int64_t>)> done) = 0;

  /// Blocks until all that was submitted before is durable.
  virtual Expected<void> Flush() = 0;

  [[nodiscard]] virtual Expected<std::vector<ResourceRecord>> Resources() const = 0;
  /// The one of that name; nothing when none is on record.
  [[nodiscard]] virtual Expected<std::optional<ResourceRecord>> Resource(
      const std::string& name) const = 0;
  [[nodiscard]] virtual Expected<std::vector<TargetRecord>> Targets() const = 0;
  [[nodiscard]] virtual Expected<std::vector<DriftRecord>> Drift(
      const DriftFilter& filter) const = 0;
  /// For reports on as much as there may be: none of it is held in memory. Ends before the store.
  [[nodiscard]] virtual Expected<std::unique_ptr<DriftSnapshot>> SnapshotDrift() const = 0;
  [[nodiscard]] virtual Expected<std::vector<std::pair<std::int64_t, Event>>> Events(
      const EventFilter& filter) const = 0;
  /// Oldest first. An id that is missing between two others was deleted.
  [[nodiscard]] virtual Expected<std::vector<JournalEntry>> Journal(
      const JournalPage& page) const = 0;
  /// By name.
  [[nodiscard]] virtual Expected<std::vector<WebhookRecord>> Webhooks() const = 0;
  /// Oldest first; `with_policy` false leaves RevisionRecord::policy empty.
  [[nodiscard]] virtual Expected<std::vector<RevisionRecord>> Revisions(const Target& target,
                                                                        bool with_policy) const = 0;
  /// Of every target the newest revision that is no later than `at`, without policies; those
  /// forgotten since among them.
  [[nodiscard]] virtual Expected<std::vector<RevisionRecord>> RevisionsInForce(
      WallTime at) const = 0;
  [[nodiscard]] virtual Expected<RevisionRecord> Revision(std::int64_t id) const = 0;
  /// The JSON text of a stored policy; kNotFound when there is none of that digest.
  [[nodiscard]] virtual Expected<std::string> Policy(const std::string& digest) const = 0;
  [[nodiscard]] virtual Expected<std::vector<HoldRecord>> Holds() const = 0;
  [[nodiscard]] virtual Expected<std::vector<IntentRecord>> OpenIntents() const = 0;
  /// What writes took away that began since then, oldest first: also those without an outcome, not
  /// those that are known to have changed nothing. Kept for seven days at least.
  [[nodiscard]] virtual Expected<std::vector<RemovalRecord>> Removals(WallTime since) const = 0;
  [[nodiscard]] virtual Expected<std::vector<RollbackRecord>> Rollbacks() const = 0;
  [[nodiscard]] virtual Expected<std::optional<GenerationRecord>> LastGeneration() const = 0;
  [[nodiscard]] virtual Expected<std::vector<ManifestProblemRecord>> Problems() const = 0;
  /// Empty when none is on record.
  [[nodiscard]] virtual Expected<EvidenceRecord> Evidence() const = 0;
  [[nodiscard]] virtual Expected<StoreCounts> Counts() const = 0;

  /// The manifest files on record, by path.
  [[nodiscard]] virtual Expected<std::vector<FileRecord>> Files() const = 0;

  /// What the audit logs tell of a target, oldest first. kResourceExhausted when that is more than
  /// can well be held in memory.
  [[nodiscard]] virtual Expected<std::vector<AuditEntry>> AuditEntries(
      const AuditFilter& filter) const = 0;
  /// How far files of audit logs were read, by path.
  [[nodiscard]] virtual Expected<std::vector<AuditFile>> AuditFiles() const = 0;

  // For the start, when there may be 100,000s of rows: each is given to `take`, on the caller's
  // thread, in no particular order, while more are read. What `take` leaves in a record is used
  // again. Each call reads through a connection of its own, so that several threads can read at
  // once, and `take` may call the store.
  virtual Expected<void> ReadResources(const std::function<void(ResourceRecord&&)>& take) const = 0;
  /// All targets, then all resources, as they were at one moment.
  virtual Expected<void> ReadCatalog(
      const std::function<void(TargetRecord&&)>& take_target,
      const std::function<void(ResourceRecord&&)>& take_resource) const = 0;
  virtual Expected<void> ReadFiles(const std::function<void(FileRecord&&)>& take) const = 0;

  /// Deletes events and resolved drift older than `before`, all but the newest `revisions` of each
  /// target, and policies nothing names any more. The first foreign revision of a target stays.
  /// Also of that age: entries of audit logs about targets without drift on record, finished
  /// intents (those that Removals() tells of only when older than seven days), withdrawn and
  /// released holds, generations but the last.
  virtual Expected<void> Retain(WallTime before, std::size_t revisions) = 0;

  /// Set by whoever measures: called on the writer thread after each commit.
  using CommitObserver = std::function<void(std::chrono::nanoseconds, std::size_t changes)>;
  virtual void OnCommit(CommitObserver observer) = 0;

  /// Looks whether the open files are still those at the path, on a file system that takes writes;
  /// nothing when they are. What is committed to other files is told as failed (kUnavailable).
  /// A lock file that was removed is made and locked anew. With `try_write` a transaction that
  /// changes nothing is committed too. Blocks as long as the file system does.
  virtual std::optional<StoreFault> Examine(bool /*try_write*/) { return std::nullopt; }

  /// Copies the open store back to a path where nothing is any more. False when something is there.
  virtual Expected<bool> PutBack() { return false; }
};

}  // namespace bindery
