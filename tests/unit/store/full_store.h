#pragma once

#include <sstream>

#include "fixture.h"

// A store with something in every table, and all that can be told of it.

namespace bindery::testing {

/// Texts that no UTF-8 is, that end early in C, and that the engines sort differently.
[[nodiscard]] inline const std::vector<std::string>& OddTexts() {
  static const std::vector<std::string> kTexts = [] {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
    return std::vector<std::string>{bytes,
                                    std::string("a\0b", 3),
                                    "\xff",
                                    "\x1A",
                                    "\x1A"
                                    "1a",
                                    "\x01",
                                    "äö😀",
                                    "zz"};
  }();
  return kTexts;
}

[[nodiscard]] inline DriftItem Difference(const std::string& role) {
  DriftItem item;
  item.resource = "viewers";
  item.grant.role = role;
  item.grant.principal = "user:eve@example.com";
  item.desired = "absent";
  item.observed = "bound";
  return item;
}

/// Something in every table.
[[nodiscard]] inline store::StoreChange FullChange() {
  store::StoreChange change;
  change.generation = store::GenerationRecord{0, At(3), "digest", 3, 2, 1, "rules"};
  change.evidence = store::EvidenceRecord{
      7, 5, {{"broken.yaml", "print", true, 6}}, R"({"directory":"/m"})", "why", "digest"};
  change.problems = {{"a.yaml", 3, 4, "$.spec", "error", "Code", "message", "viewers"}};
  change.upsert_resources = {Binding("viewers", "payments", "roles/viewer"),
                             Binding("editors", "payments", "roles/editor")};
  const Target target = PolicyTarget("payments");
  change.upsert_targets = {Observed(target, "{\"b\":2}")};
  change.revisions = {RevisionOf(target, "{\"a\":1}", Origin::kForeign),
                      RevisionOf(target, "{\"b\":2}")};
  change.drift = {
      {target, At(2), {Difference("roles/owner"), Difference("roles/odd")}, false, At(1)}};
  change.upsert_rollbacks = {{target, 1, "ana", {"viewers"}}};
  change.webhooks = {"chat"};
  change.audit_entries = {{"id-1",
                           target.name,
                           At(1),
                           "ana",
                           "",
                           "SetIamPolicy",
                           "curl",
                           "f:1",
                           AuditDetail::kNone,
                           {}}};
  change.upsert_audit_files = {{"audit.log", 42, 4096, 17}};
  for (const std::string& odd : OddTexts()) {
    change.events.push_back(EventNamed(odd));
    change.events.back().message = odd + "!";
    change.upsert_files.push_back({"dir/" + odd, odd, Sha256Hex(odd)});
    change.upsert_holds.push_back({odd, At(1), HoldState::kOpen, odd, {}, "[]", odd});
  }
  return change;
}

/// Everything the interface of a store tells, a line each.
class Teller {
 public:
  explicit Teller(const store::Store& store) : store_(store) {}

  std::vector<std::string> All() {
    Catalog();
    History();
    Directory();
    Others();
    return std::move(lines_);
  }

 private:
  template <typename... Values>
  void Line(const Values&... values) {
    std::ostringstream line;
    ((line << values << '|'), ...);
    lines_.push_back(line.str());
  }
  template <typename T>
  static T Value(Expected<T> result) {
    EXPECT_THAT(result, IsOk());
    return result ? std::move(*result) : T{};
  }
  static std::int64_t Millis(const std::optional<WallTime>& time) {
    return time ? store::ToMillis(*time) : -1;
  }

  void Catalog() {
    for (const store::ResourceRecord& r : Value(store_.Resources())) {
      Line(r.name, r.token.Text(), r.target.name, r.provider, r.role, r.accepted, r.spec, r.options,
           r.digest, r.generation, r.status.message, Millis(r.status_since), r.grants);
    }
    for (const store::TargetRecord& t : Value(store_.Targets())) {
      Line(t.target.name, t.provider, t.observed, t.exists, t.etag, t.policy_digest,
           Millis(t.observed_at), t.grants);
    }
    EXPECT_THAT(
        store_.ReadFiles([this](store::FileRecord&& f) { Line(f.path, f.stamp, f.digest); }),
        IsOk());
  }
  void History() {
    for (const store::RevisionRecord& r : Value(store_.Revisions(PolicyTarget("payments"), true))) {
      Line(r.id, Millis(r.time), r.etag, r.digest, r.policy, r.actor);
    }
    for (const store::DriftRecord& d : Value(store_.Drift({}))) {
      Line(d.id, d.target.name, d.item.resource, d.item.grant.role, d.item.grant.principal,
           d.item.desired, d.item.observed, Millis(d.first_seen), Millis(d.last_seen),
           Millis(d.resolved_at), d.resolved_by, Millis(d.read_before));
    }
    for (const auto& [id, e] : Value(store_.Events({"", 0, 10'000}))) {
      Line(id, Millis(e.time), e.reason, e.resource, e.target, e.message, e.actor);
    }
    for (const store::IntentRecord& i : Value(store_.OpenIntents())) {
      Line(i.id, i.target.name, Millis(i.started), i.etag_before, i.digest_before, i.digest_desired,
           i.actor, i.removed_declared, i.provider);
    }
    for (const store::RemovalRecord& r : Value(store_.Removals(At(-10)))) {
      Line(r.target.name, r.provider, Millis(r.started), r.declared, r.adopted, r.open);
    }
    for (const AuditEntry& e :
         Value(store_.AuditEntries({PolicyTarget("payments").name, {}, At(100)}))) {
      Line(e.id, Millis(e.time), e.actor, e.method, e.agent, e.source);
    }
  }
  void Directory() {
    for (const store::GenerationRecord& g : Value(store_.OlderGenerations())) Line(g.id, g.digest);
    const auto last = Value(store_.LastGeneration());
    if (last) Line(last->id, Millis(last->time), last->digest, last->files, last->rules);
    for (const store::ManifestProblemRecord& p : Value(store_.Problems())) {
      Line(p.file, p.line, p.column, p.path, p.severity, p.code, p.message, p.resource);
    }
    const store::EvidenceRecord evidence = Value(store_.Evidence());
    Line(evidence.look, evidence.settled, evidence.ground, evidence.question, evidence.rules);
    for (const auto& unread : evidence.unread) Line(unread.path, unread.fingerprint, unread.since);
  }
  void Others() {
    for (const store::HoldRecord& h : Value(store_.Holds())) {
      Line(h.digest, Millis(h.created), ToString(h.state), h.reason, ToString(h.purpose), h.items,
           h.actor);
    }
    for (const store::RollbackRecord& r : Value(store_.Rollbacks())) {
      Line(r.target.name, r.revision, r.actor, r.suspended.size());
    }
    for (const store::HourRecord& h : Value(store_.hours().Hours(At(-10'000), At(10'000)))) {
      Line(Millis(h.hour), h.open.least, h.open.most, h.open.last, h.undeclared.least,
           h.undeclared.most, h.undeclared.last, h.found, h.writes, h.errors, h.calls);
    }
    for (const store::WebhookRecord& w : Value(store_.Webhooks())) Line(w.name, w.first, w.cursor);
    for (const AuditFile& f : Value(store_.AuditFiles())) Line(f.path, f.inode, f.offset, f.lines);
  }

  const store::Store& store_;
  std::vector<std::string> lines_;
};

}  // namespace bindery::testing
