// Waiting rollbacks, so that a restart forgets none.

#include "core/base/json.h"
#include "store/sql/target_keys.h"
#include "store/sql/words.h"
#include "store/tables/reads.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kUpsert = R"sql(
INSERT INTO rollbacks (target_id, revision, actor, suspended) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (target_id) DO UPDATE SET (revision, actor, suspended) = (?2, ?3, ?4)
)sql";

}  // namespace

void UpsertRollbacks(Connection& connection, const std::vector<RollbackRecord>& rollbacks) {
  for (const RollbackRecord& rollback : rollbacks) {
    const std::string suspended = Json(rollback.suspended).dump();
    Run(connection, kUpsert, InternTarget(connection, rollback.target), rollback.revision,
        rollback.actor, suspended);
  }
}

void ForgetRollbacks(Connection& connection, const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    Run(connection, "DELETE FROM rollbacks WHERE target_id = ?1", FindTargetId(connection, target));
  }
}

std::vector<RollbackRecord> ReadRollbacks(Connection& connection) {
  std::vector<RollbackRecord> records;
  WordReader words(connection);
  TargetReader targets(connection, words);
  Query query(connection,
              "SELECT target_id, revision, actor, suspended FROM rollbacks ORDER BY target_id");
  while (query.Next()) {
    RollbackRecord record;
    record.target = targets.At(query.Int(0));
    record.revision = query.Int(1);
    record.actor = query.Text(2);
    const Expected<Json> names = ParseJson(query.Text(3));
    for (const Json& name : names && names->is_array() ? *names : Json::array()) {
      if (name.is_string()) record.suspended.push_back(name.get<std::string>());
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace bindery::store
