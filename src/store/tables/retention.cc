#include "store/tables/retention.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/access/revision.h"
#include "store/sql/words.h"
#include "store/tables/inventories.h"
#include "store/tables/sweep.h"

namespace bindery::store {
namespace {

constexpr const char* kLongHistories = R"sql(
SELECT target_id FROM revisions GROUP BY target_id HAVING count(*) > ?1
)sql";

// ?2 is how many stay. The first foreign revision stays whatever its age: a rollback to what was
// there before bindery came must remain possible.
constexpr const char* kTrimHistory = R"sql(
DELETE FROM revisions
WHERE target_id = ?1
  AND id <= (SELECT id FROM revisions WHERE target_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
  AND id IS DISTINCT FROM (SELECT min(id) FROM revisions WHERE target_id = ?1 AND origin = ?3)
  AND id IS DISTINCT FROM (SELECT revision FROM rollbacks WHERE target_id = ?1)
)sql";

// Removals of the last seven days (in milliseconds) count for the guard.
constexpr const char* kTrimIntents = R"sql(
DELETE FROM intents WHERE started + finished_after < ?1
  AND (removed_declared + removed_adopted = 0
       OR started < (SELECT max(started) FROM intents) - 604800000)
)sql";

// Generations identify an older directory, also after a long time.
constexpr const char* kTrimGenerations = R"sql(
DELETE FROM generations WHERE time < ?1 AND id <= (SELECT max(id) FROM generations) - 10000
)sql";

// The evidence about an author stays as long as the difference.
constexpr const char* kTrimAudit = R"sql(
DELETE FROM audit_entries WHERE time < ?1 AND target NOT IN (
  SELECT n.name FROM drift d JOIN target_keys k ON k.id = d.target_id JOIN names n ON n.id = k.name)
)sql";

std::vector<std::int64_t> LongHistories(Connection& connection, std::int64_t revisions) {
  std::vector<std::int64_t> targets;
  Query query(connection, kLongHistories, revisions);
  while (query.Next()) targets.push_back(query.Int(0));
  return targets;
}

}  // namespace

void Retain(Connection& connection, WallTime before, std::size_t revisions) {
  Run(connection, "DELETE FROM events WHERE time < ?1", before);
  Run(connection, "DELETE FROM drift WHERE first_seen + resolved_after < ?1", before);
  Run(connection, kTrimAudit, before);
  Run(connection, kTrimIntents, before);
  Run(connection, "DELETE FROM holds WHERE created < ?1 AND state IN ('withdrawn', 'released')",
      before);
  Run(connection, kTrimGenerations, before);
  RetainInventories(connection, before);

  const auto kept = static_cast<std::int64_t>(
      std::min(revisions, static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())));
  const std::int64_t foreign = InternWord(connection, ToString(Origin::kForeign));
  for (const std::int64_t target : LongHistories(connection, kept)) {
    Run(connection, kTrimHistory, target, kept, foreign);
  }
  SweepUnnamed(connection);
}

}  // namespace bindery::store
