#include "store/sql/drift_rows.h"

#include <iterator>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "store/sql/stored_words.h"

namespace bindery::store {
namespace {

std::optional<Condition> ParseCondition(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto value = ParseJson(text);
  if (!value) return std::nullopt;
  return Condition{StringMember(*value, "expression"), StringMember(*value, "title"),
                   StringMember(*value, "description")};
}

/// A number that no version writes reads as unknown.
DriftCause GetCause(std::int64_t number) {
  const bool known = number >= 0 && number <= static_cast<std::int64_t>(DriftCause::kExpiry);
  return known ? static_cast<DriftCause>(number) : DriftCause::kUnknown;
}

/// Likewise as nothing.
DriftRest GetRest(std::int64_t number) {
  const bool known = number >= 0 && number < std::ssize(kAllDriftRests);
  return known ? static_cast<DriftRest>(number) : DriftRest::kNone;
}

std::optional<Acceptance> ParseAcceptance(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto value = ParseJson(text);
  if (!value) return std::nullopt;
  Acceptance acceptance{StringMember(*value, "reason"), StringMember(*value, "owner")};
  const Json* until = FindMember(*value, "until");
  if (until != nullptr && until->is_number_integer()) {
    acceptance.until = FromMillis(until->get<std::int64_t>());
  }
  return acceptance;
}

}  // namespace

std::string AcceptanceText(const DriftItem& item) {
  if (item.state != DriftState::kAccepted || !item.acceptance) return {};
  Json json = {{"reason", item.acceptance->reason}, {"owner", item.acceptance->owner}};
  if (item.acceptance->until) json["until"] = ToMillis(*item.acceptance->until);
  return CompactJson(json);
}

std::string ConditionText(const Grant& grant) {
  if (!grant.condition) return {};
  // Texts of a policy may hold bytes that are no UTF-8; a record of them is no place to fail.
  return CompactJson(ToJson(*grant.condition));
}

DriftItem ReadDriftItem(WordReader& words, const Query& query, int first_column) {
  DriftItem item;
  int column = first_column;
  item.drift_class = ReadWord(DriftClassFromString, words.Text(query, column++));
  item.resource = query.Text(column++);
  item.grant.role = words.Text(query, column++);
  item.grant.principal = query.Text(column++);
  item.grant.condition = ParseCondition(query.Text(column++));
  item.severity = ReadWord(SeverityFromString, words.Text(query, column++));
  item.state = ReadWord(DriftStateFromString, words.Text(query, column++));
  item.desired = words.Text(query, column++);
  item.observed = words.Text(query, column++);
  item.cause = GetCause(query.Int(column++));
  item.acceptance = ParseAcceptance(query.Text(column++));
  item.rest = GetRest(query.Int(column));
  return item;
}

DriftRecord ReadDriftRecord(DriftReaders& readers, const Query& query) {
  DriftRecord record;
  record.id = query.Int(0);
  record.target = readers.targets.At(query.Int(1));
  record.item = ReadDriftItem(readers.words, query, 2);
  const std::int64_t first_seen = query.Int(14);
  record.first_seen = FromMillis(first_seen);
  record.last_seen = FromMillis(first_seen + query.Int(15));
  if (!query.IsNull(16)) record.resolved_at = FromMillis(first_seen + query.Int(16));
  record.resolved_by = readers.words.Text(query, 17);
  if (!query.IsNull(18)) record.read_before = FromMillis(first_seen - query.Int(18));
  return record;
}

}  // namespace bindery::store
