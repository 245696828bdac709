#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "store/ports/state_writer.h"

namespace bindery::testing {

/// Puts on record in memory and keeps the promises of StateWriter that the engine relies on: a
/// change is carried out as a whole or not at all, a claim belongs to one accepted resource, and a
/// policy has to be stored before it is named. What is not kept: webhooks.
class FakeWriter : public store::StateWriter {
 public:
  struct State {
    std::map<std::string, store::ResourceRecord> resources;
    std::map<std::string, store::TargetRecord> targets;
    std::vector<store::RevisionRecord> revisions;
    std::map<std::string, std::string> policies;
    std::vector<store::DriftRecord> drift;
    std::vector<std::pair<std::int64_t, Event>> events;
    std::map<std::int64_t, store::IntentRecord> intents;
    std::map<std::int64_t, std::string> outcomes;
    std::map<std::int64_t, store::RemovalRecord> removals;  ///< By intent.
    std::map<std::string, store::HoldRecord> holds;
    std::map<std::string, store::RollbackRecord> rollbacks;  ///< By key of their target.
    std::vector<store::GenerationRecord> generations;
    std::vector<store::ManifestProblemRecord> problems;
    store::EvidenceRecord evidence;
    std::map<std::string, store::FileRecord> files;
    std::vector<AuditEntry> audit_entries;
    std::map<std::string, AuditFile> audit_files;
  };

  State state;
  int changes = 0;              ///< Carried out so far.
  bool refuse_intents = false;  ///< The disk is full.
  bool replaced = false;        ///< Another program may write by now.

  Expected<void> Apply(store::StoreChange change) override {
    State before = state;
    if (Expected<void> done = Carry(change); !done) {
      state = std::move(before);
      return done;
    }
    ++changes;
    return {};
  }
  void Submit(store::StoreChange change, std::function<void(Expected<void>)> done) override {
    done(Apply(std::move(change)));
  }
  void BeginWrite(store::IntentRecord intent,
                  std::function<void(Expected<std::int64_t>)> done) override {
    if (refuse_intents) return done(Fail(Code::kUnavailable, "disk full"));
    GiveUpIntentsOn(intent.target);
    intent.id = ++last_id_;
    state.intents[intent.id] = intent;
    if (intent.removed_declared + intent.removed_adopted > 0) {
      state.removals[intent.id] = {intent.target,           intent.provider,        intent.started,
                                   intent.removed_declared, intent.removed_adopted, /*open=*/true};
    }
    done(intent.id);
  }
  [[nodiscard]] Expected<void> MayAct() const override {
    if (!replaced) return {};
    return Fail(Code::kUnavailable, "another replica has taken the lease of the store");
  }
  Expected<void> Flush() override { return {}; }

  Expected<void> Retain(WallTime /*before*/, std::size_t /*revisions*/) override { return {}; }

 private:
  static std::string Identity(const DriftItem& item) {
    return std::string(ToString(item.drift_class)) + "|" + item.resource + "|" +
           CanonicalJson(ToJson(item.grant, kIamWords));
  }

  /// A target is written by one call at a time.
  void GiveUpIntentsOn(const Target& target) {
    std::erase_if(state.intents, [&](const auto& item) {
      const auto& [id, intent] = item;
      if (!(intent.target == target)) return false;
      state.outcomes[id] = "unknown";
      if (state.removals.contains(id)) state.removals[id].open = false;
      return true;
    });
  }

  Expected<void> Carry(const store::StoreChange& change) {
    if (change.generation) state.generations.push_back(*change.generation);
    if (change.evidence) state.evidence = *change.evidence;
    if (change.problems) state.problems = *change.problems;
    for (const std::string& name : change.forget_resources) state.resources.erase(name);
    std::vector<store::ResourceRecord> resources;
    for (const auto& snapshot : change.upsert_snapshots) resources.push_back(snapshot->Record());
    resources.insert(resources.end(), change.upsert_resources.begin(),
                     change.upsert_resources.end());
    if (Expected<void> done = CarryResources(resources); !done) return done;
    for (const store::StandingRecord& standing : change.standings) CarryStanding(standing);
    for (store::RevisionRecord revision : change.revisions) {
      revision.id = ++last_id_;
      state.policies.emplace(revision.digest, revision.policy);
      state.revisions.push_back(std::move(revision));
    }
    for (const store::DriftUpdate& update : change.drift) CarryDrift(update);
    for (const Target& target : change.forget_targets) {
      state.targets.erase(target.Key());
      state.rollbacks.erase(target.Key());
      CarryDrift({target, {}, {}, false});
    }
    for (const store::TargetRecord& record : change.upsert_targets) {
      if (!record.policy_digest.empty() && !state.policies.contains(record.policy_digest)) {
        return Fail(Code::kInternal, "the policy of \"" + record.target.name + "\" is not stored");
      }
      state.targets[record.target.Key()] = record;
    }
    for (const TargetKey& target : change.touch_targets) {
      const auto found = state.targets.find(target->Key());
      if (found != state.targets.end()) found->second.observed_at = change.touched_at;
    }
    for (const Event& event : change.events) state.events.emplace_back(++last_id_, event);
    for (const store::IntentOutcome& outcome : change.finished_intents) {
      if (state.intents.erase(outcome.id) == 0) {
        if (state.outcomes.contains(outcome.id)) continue;
        return Fail(Code::kInternal, "no such open intent");
      }
      state.outcomes[outcome.id] = outcome.outcome;
      if (state.removals.contains(outcome.id)) {
        state.removals[outcome.id].open = false;
        state.removals[outcome.id].ended = outcome.finished;
      }
      const bool nothing = outcome.outcome == "refused" || outcome.outcome == "found-not-landed";
      if (nothing) state.removals.erase(outcome.id);
    }
    for (const store::HoldRecord& hold : change.upsert_holds) state.holds[hold.digest] = hold;
    for (const Target& target : change.forget_rollbacks) state.rollbacks.erase(target.Key());
    for (const store::RollbackRecord& rollback : change.upsert_rollbacks) {
      state.rollbacks[rollback.target.Key()] = rollback;
    }
    for (const std::string& path : change.forget_files) state.files.erase(path);
    for (const store::FileRecord& file : change.upsert_files) state.files[file.path] = file;
    for (const AuditEntry& entry : change.audit_entries) state.audit_entries.push_back(entry);
    for (const std::string& path : change.forget_audit_files) state.audit_files.erase(path);
    for (const AuditFile& file : change.upsert_audit_files) state.audit_files[file.path] = file;
    return {};
  }

  /// As the real one: first who holds nothing, then claims that move are let go, then the rest in
  /// order.
  Expected<void> CarryResources(const std::vector<store::ResourceRecord>& records) {
    for (const store::ResourceRecord& record : records) {
      if (!record.accepted) state.resources[record.name] = record;
    }
    for (const store::ResourceRecord& record : records) {
      const auto known = state.resources.find(record.name);
      if (!record.accepted || known == state.resources.end()) continue;
      if (FindClaim(known->second) != FindClaim(record)) known->second.accepted = false;
    }
    for (const store::ResourceRecord& record : records) {
      if (!record.accepted) continue;
      for (const auto& [name, other] : state.resources) {
        if (name == record.name || !other.accepted || FindClaim(other) != FindClaim(record))
          continue;
        return Fail(Code::kAlreadyExists,
                    "\"" + record.name + "\" claims what \"" + name + "\" holds");
      }
      state.resources[record.name] = record;
    }
    return {};
  }
  void CarryStanding(const store::StandingRecord& standing) {
    const auto found = state.resources.find(standing.name);
    if (found == state.resources.end()) return;
    store::ResourceRecord& record = found->second;
    record.observed_generation = standing.observed_generation;
    record.status = standing.status;
    record.status_since = standing.status_since;
    record.outputs = standing.outputs;
    record.untouched = standing.untouched;
    record.gave_up = standing.gave_up;
    record.age = standing.age;
  }
  static std::string FindClaim(const store::ResourceRecord& record) {
    return record.target.Key() + "|" + record.role;
  }

  void CarryDrift(const store::DriftUpdate& update) {
    std::map<std::string, const DriftItem*> items;
    for (const DriftItem& item : update.items) items[Identity(item)] = &item;
    for (store::DriftRecord& record : state.drift) {
      if (!(record.target == update.target) || record.resolved_at) continue;
      const auto item = items.find(Identity(record.item));
      const bool listed = item != items.end();
      if (listed) record.item = *item->second;
      record.last_seen = update.time;
      if (listed && record.item.state != DriftState::kCorrected) {
        items.erase(item);
        continue;
      }
      if (listed) items.erase(item);
      record.resolved_at = update.time;
      record.resolved_by = listed || update.corrected ? "bindery" : "elsewhere";
    }
    for (const auto& [identity, item] : items) {
      store::DriftRecord record;
      record.id = ++last_id_;
      record.target = update.target;
      record.item = *item;
      record.first_seen = record.last_seen = update.time;
      record.read_before = update.read_before;
      if (item->state == DriftState::kCorrected) {
        record.resolved_at = update.time;
        record.resolved_by = "bindery";
      }
      state.drift.push_back(std::move(record));
    }
  }

  std::int64_t last_id_ = 0;
};

}  // namespace bindery::testing
