#include "store/sql/last_policy.h"

#include "store/sql/policies.h"
#include "store/sql/wide_statement.h"

namespace bindery::store {

void ReadLastPolicies(Connection& connection, std::span<const std::int64_t> target_ids,
                      const std::function<void(std::int64_t, LastPolicy)>& take) {
  static const WideStatement kLast(
      "SELECT k.id, whole.id, last.spent, whole.body FROM target_keys k "
      "JOIN revisions r ON r.id = (SELECT max(id) FROM revisions WHERE target_id = k.id) "
      "JOIN policies last ON last.id = r.policy_id JOIN policies whole ON whole.base = 0 "
      "AND whole.id = CASE WHEN last.base = 0 THEN last.id ELSE last.base END WHERE k.id IN ",
      1);
  ForEachRow(connection, kLast, target_ids, [&](const Query& row) {
    const auto size = static_cast<std::int64_t>(row.View(3).size());
    take(row.Int(0), LastPolicy{row.Int(1), row.Int(2), size, WholePolicy(row, 3)});
  });
}

}  // namespace bindery::store
