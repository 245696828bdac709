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
  item.observed = words.Text(query, column);
  return item;
}

}  // namespace bindery::store
