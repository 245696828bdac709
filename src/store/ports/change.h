#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/access/target_key.h"
#include "core/base/clock.h"
#include "store/ports/records.h"

namespace bindery::store {

/// What was seen of, and done to, one target's drift: the complete list of its differences now.
/// Items on record that are not listed are resolved: by bindery when `corrected`, else elsewhere.
struct DriftUpdate {
  Target target;
  WallTime time;
  std::vector<DriftItem> items;
  bool corrected = false;
  /// The former reading of the target; not set: none.
  std::optional<WallTime> read_before = {};
};

/// How a begun write ended.
struct IntentOutcome {
  std::int64_t id = 0;
  WallTime finished;
  std::string outcome;  ///< "landed", "refused", "unknown", "found-landed", "found-not-landed"
};

/// Everything that changes together. One StoreChange is one transaction: all or nothing.
struct StoreChange {
  std::optional<GenerationRecord> generation;
  std::optional<EvidenceRecord> evidence;                      ///< Replaces that of the last look.
  std::optional<std::vector<ManifestProblemRecord>> problems;  ///< Replaces those of the last scan.
  std::vector<std::string> forget_resources;  ///< By name; carried out before the upserts.
  std::vector<std::shared_ptr<const ResourceSnapshot>> upsert_snapshots;  ///< By name.
  std::vector<ResourceRecord> upsert_resources;  ///< By name; none of the snapshots'.
  /// By name, the last one counts; of resources that are not on record nothing. After the upserts.
  std::vector<StandingRecord> standings;
  std::vector<TargetRecord> upsert_targets;  ///< By target. Policies are named by digest.
  /// Only observed_at moves, to `touched_at`; targets that are not on record are passed over.
  std::vector<TargetKey> touch_targets;
  WallTime touched_at;
  std::vector<Target> forget_targets;     ///< Revisions stay; drift left open is closed.
  std::vector<RevisionRecord> revisions;  ///< Ids are given by the store.
  std::vector<DriftUpdate> drift;
  std::vector<Event> events;
  std::vector<IntentOutcome> finished_intents;   ///< The first outcome of an intent counts.
  std::vector<HoldRecord> upsert_holds;          ///< By digest.
  std::vector<Target> forget_rollbacks;          ///< Carried out before the upserts.
  std::vector<RollbackRecord> upsert_rollbacks;  ///< By target.
  std::vector<std::string> forget_files;         ///< By path; carried out before the upserts.
  std::vector<FileRecord> upsert_files;          ///< By path.
  /// The webhooks there are from now on, by name: a new one begins at the journal's end, before the
  /// events of the change; others are forgotten.
  std::optional<std::vector<std::string>> webhooks;
  std::vector<WebhookRecord> webhook_progress;  ///< By name; of those that are forgotten: nothing.
  std::vector<AuditEntry> audit_entries;        ///< Those that are on record already stay.
  std::vector<std::string> forget_audit_files;  ///< By path; carried out before the upserts.
  std::vector<AuditFile> upsert_audit_files;    ///< By path.

  [[nodiscard]] bool empty() const;
};

}  // namespace bindery::store
