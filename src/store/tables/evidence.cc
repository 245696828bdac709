// The knowledge of the manifests directory besides its manifests.

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "store/tables/reads.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

/// A member of the JSON of the ground: both are what the evidence stands on.
constexpr const char* kRules = "rules";

std::string GroundWithRules(const EvidenceRecord& evidence) {
  if (evidence.rules.empty()) return evidence.ground;
  Json json = ParseJson(evidence.ground).value_or(Json::object());
  json[kRules] = evidence.rules;
  return CompactJson(json);
}

void TakeGround(const std::string& text, EvidenceRecord& record) {
  record.ground = text;
  Expected<Json> json = ParseJson(text);
  if (!json || !json->is_object() || !json->contains(kRules)) return;
  record.rules = StringMember(*json, kRules);
  json->erase(kRules);
  record.ground = json->empty() ? std::string() : CompactJson(*json);
}

}  // namespace

EvidenceRecord ReadEvidence(Connection& connection) {
  EvidenceRecord record;
  Query query(connection, "SELECT look, settled, ground, question FROM directory_evidence");
  if (query.Next()) {
    record.look = static_cast<std::int32_t>(query.Int(0));
    record.settled = static_cast<std::int32_t>(query.Int(1));
    TakeGround(query.Text(2), record);
    record.question = query.Text(3);
  }
  Query items(connection,
              "SELECT path, fingerprint, ignored, since FROM unread_items ORDER BY path");
  while (items.Next()) {
    record.unread.push_back(
        {items.Text(0), items.Text(1), items.Bool(2), static_cast<std::int32_t>(items.Int(3))});
  }
  return record;
}

void ReplaceEvidence(Connection& connection, const EvidenceRecord& evidence) {
  const EvidenceRecord before = ReadEvidence(connection);
  if (before == evidence) return;
  const std::string ground = GroundWithRules(evidence);
  Run(connection,
      "INSERT INTO directory_evidence (id, look, settled, ground, question) "
      "VALUES (1, ?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET "
      "(look, settled, ground, question) = (?1, ?2, ?3, ?4)",
      evidence.look, evidence.settled, ground, evidence.question);
  if (before.unread == evidence.unread) return;
  Run(connection, "DELETE FROM unread_items");
  for (const EvidenceRecord::Unread& item : evidence.unread) {
    Run(connection,
        "INSERT INTO unread_items (path, fingerprint, ignored, since) VALUES (?1, ?2, ?3, ?4)",
        item.path, item.fingerprint, item.ignored, item.since);
  }
}

}  // namespace bindery::store
