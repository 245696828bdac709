#include "store/drift_rows.h"

#include "core/json.h"

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
DriftCause CauseOf(std::int64_t number) {
  const bool known = number >= 0 && number <= static_cast<std::int64_t>(DriftCause::kExpiry);
  return known ? static_cast<DriftCause>(number) : DriftCause::kUnknown;
}

}  // namespace

std::string ConditionText(const Grant& grant) {
  if (!grant.condition) return {};
  // Texts of a policy may hold bytes that are no UTF-8; a record of them is no place to fail.
  return ToJson(*grant.condition).dump(-1, ' ', false, Json::error_handler_t::replace);
}

DriftItem ReadDriftItem(WordReader& words, const Query& query, int first_column) {
  DriftItem item;
  int column = first_column;
  item.drift_class = DriftClassFromString(words.Text(query, column++));
  item.resource = query.Text(column++);
  item.grant.role = words.Text(query, column++);
  item.grant.principal = query.Text(column++);
  item.grant.condition = ParseCondition(query.Text(column++));
  item.severity = SeverityFromString(words.Text(query, column++));
  item.state = DriftStateFromString(words.Text(query, column++));
  item.desired = words.Text(query, column++);
  item.observed = words.Text(query, column++);
  item.cause = CauseOf(query.Int(column));
  return item;
}

DriftRecord ReadDriftRecord(DriftReaders& readers, const Query& query) {
  DriftRecord record;
  record.id = query.Int(0);
  record.target = readers.targets.At(query.Int(1));
  record.item = ReadDriftItem(readers.words, query, 2);
  const std::int64_t first_seen = query.Int(12);
  record.first_seen = FromMillis(first_seen);
  record.last_seen = FromMillis(first_seen + query.Int(13));
  if (!query.IsNull(14)) record.resolved_at = FromMillis(first_seen + query.Int(14));
  record.resolved_by = readers.words.Text(query, 15);
  if (!query.IsNull(16)) record.read_before = FromMillis(first_seen - query.Int(16));
  return record;
}

}  // namespace bindery::store
