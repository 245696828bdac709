#include "store/tables/foresight.h"

#include <optional>
#include <utility>
#include <vector>

#include "store/sql/last_policy.h"
#include "store/sql/open_drift.h"
#include "store/sql/policies.h"
#include "store/sql/target_keys.h"
#include "store/sql/wide_statement.h"

namespace bindery::store {
namespace {

std::string AskedText(const Query& row, std::string_view /*asked*/) { return row.Text(0); }
std::string AskedText(const Query& row, const MakeDigest& /*asked*/) { return row.Digest(0); }

/// Finds the ids of texts: from `cache`, and by `statement` for the rest; 0 for texts not on
/// record. `As` binds a text in the form of the statement.
template <typename As, typename Cache>
void LoadIds(Connection& connection, const std::unordered_set<std::string>& texts,
             const Cache& cache, const WideStatement& statement, ForeseenIds& ids) {
  std::vector<As> asked;
  for (const std::string& text : texts) {
    const std::int64_t known = cache.Find(text);
    ids.Add(text, known);
    if (known == 0) asked.push_back({text});
  }
  ForEachRow(connection, statement, std::span<const As>(asked),
             [&](const Query& row) { ids.Add(AskedText(row, asked.front()), row.Int(1)); });
}

}  // namespace

void Foresight::Note(const StoreChange& change) {
  for (const std::string& name : change.forget_resources) NoteName(name);
  for (const auto& snapshot : change.upsert_snapshots) NoteResource(snapshot->Record());
  for (const ResourceRecord& record : change.upsert_resources) NoteResource(record);
  for (const StandingRecord& standing : change.standings) {
    NoteName(standing.name);
    NoteStatus(standing.status);
  }
  for (const RevisionRecord& revision : change.revisions) NoteRevision(revision);
  for (const DriftUpdate& update : change.drift) NoteDrift(update);
  for (const Target& target : change.forget_targets) NoteTarget(target);
  for (const TargetRecord& record : change.upsert_targets) {
    NoteTarget(record.target);
    NoteWord(record.provider);
    if (!record.policy_digest.empty()) digests_.insert(record.policy_digest);
  }
  for (const Event& event : change.events) {
    NoteName(event.resource);
    NoteName(event.target);
    NoteWord(ToString(event.type));
    NoteWord(event.reason);
    NoteWord(event.actor);
  }
  for (const IntentOutcome& outcome : change.finished_intents) NoteWord(outcome.outcome);
}

void Foresight::Note(const IntentRecord& intent) {
  NoteTarget(intent.target);
  digests_.insert(intent.digest_before);
  NoteWord(intent.actor);
}

void Foresight::NoteResource(const ResourceRecord& record) {
  NoteName(record.name);
  NoteTarget(record.target);
  NoteStatus(record.status);
  NoteWord(record.role);
  NoteWord(record.token.api_version);
  NoteWord(record.token.kind);
  NoteWord(record.provider);
}

void Foresight::NoteStatus(const ResourceStatus& status) {
  NoteWord(ToString(status.state));
  NoteWord(status.reason);
}

void Foresight::NoteRevision(const RevisionRecord& revision) {
  const std::string& target = NoteTarget(revision.target);
  NoteWord(ToString(revision.origin));
  NoteWord(revision.actor);
  if (!revision.digest.empty()) digests_.insert(revision.digest);
  if (revision.policy.size() >= kSmallestBase) packed_.emplace(target, revision.digest);
}

void Foresight::NoteDrift(const DriftUpdate& update) {
  drifting_.insert(NoteTarget(update.target));
  for (const DriftItem& item : update.items) {
    NoteName(item.resource);
    NoteWord(item.grant.role);
    NoteWord(ToString(item.drift_class));
    NoteWord(ToString(item.severity));
    NoteWord(ToString(item.state));
  }
}

const std::string& Foresight::NoteTarget(const Target& target) {
  const auto [entry, added] = targets_.try_emplace(TargetText(target), target);
  if (added) {
    NoteWord(target.kind.str());
    NoteWord(target.scope.str());
    NoteName(target.name);
  }
  return entry->first;
}

void Foresight::NoteName(std::string_view name) {
  if (!name.empty()) names_.emplace(name);
}

void Foresight::Load(Connection& connection) const {
  static const WideStatement kWords("SELECT text, id FROM words WHERE text IN ", 1);
  static const WideStatement kNames("SELECT name, id FROM names WHERE name IN ", 1);
  static const WideStatement kPolicies("SELECT digest, id FROM policies WHERE digest IN ", 1);
  WriterCaches& caches = connection.caches();
  Foreseen& foreseen = caches.foreseen;
  LoadIds<std::string_view>(connection, words_, caches.words, kWords, foreseen.words);
  LoadIds<std::string_view>(connection, names_, caches.names, kNames, foreseen.names);
  LoadIds<MakeDigest>(connection, digests_, caches.policies, kPolicies, foreseen.policies);
  LoadTargets(connection);
  LoadDrift(connection);
  LoadLastPolicies(connection);
}

void Foresight::LoadTargets(Connection& connection) const {
  WriterCaches& caches = connection.caches();
  std::vector<const Target*> unknown;
  for (const auto& [text, target] : targets_) {
    if (const auto id = caches.targets.Find(text); id != 0) {
      caches.foreseen.targets.Add(text, id);
      continue;
    }
    caches.foreseen.targets.Add(text, 0);
    const bool named = target.name.empty() || FindName(connection, target.name) != 0;
    if (named) unknown.push_back(&target);
  }
  ReadTargetIds(connection, unknown, [&caches](const Target& target, std::int64_t id) {
    caches.foreseen.targets.Add(TargetText(target), id);
  });
}

void Foresight::LoadDrift(Connection& connection) const {
  Foreseen& foreseen = connection.caches().foreseen;
  std::vector<std::int64_t> ids;
  for (const std::string& text : drifting_) {
    const std::int64_t id = foreseen.targets.Find(text).value_or(0);
    if (id == 0) continue;
    ids.push_back(id);
    foreseen.drift.Set(id, {});
  }
  for (auto& [id, drift] : ReadOpenDrift(connection, ids)) {
    foreseen.drift.Set(id, std::move(drift));
  }
}

/// Of policies that are on record already nothing is needed.
void Foresight::LoadLastPolicies(Connection& connection) const {
  Foreseen& foreseen = connection.caches().foreseen;
  std::vector<std::int64_t> ids;
  for (const auto& [text, digest] : packed_) {
    const std::int64_t id = foreseen.targets.Find(text).value_or(0);
    if (id == 0 || foreseen.policies.Find(digest).value_or(0) != 0) continue;
    ids.push_back(id);
    foreseen.last_policies.Set(id, std::nullopt);
  }
  ReadLastPolicies(connection, ids, [&foreseen](std::int64_t id, LastPolicy last) {
    foreseen.last_policies.Set(id, std::move(last));
  });
}

}  // namespace bindery::store
