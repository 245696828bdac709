#include "store/last_policy.h"

#include <utility>

#include "store/policy_codec.h"
#include "store/wide_statement.h"

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
    const std::string_view body = row.View(3);
    LastPolicy last{row.Int(1), row.Int(2), static_cast<std::int64_t>(body.size())};
    last.whole = row.IsBlob(3) ? UnpackPolicy(body, {}) : std::optional(std::string(body));
    take(row.Int(0), std::move(last));
  });
}

}  // namespace bindery::store
