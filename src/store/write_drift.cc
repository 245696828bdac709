#include <map>
#include <tuple>
#include <utility>

#include "store/drift_rows.h"
#include "store/target_keys.h"
#include "store/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kUnresolved = R"sql(
SELECT id, class, resource, role, principal, condition, severity, state, desired, observed
FROM drift WHERE target_id = ?1 AND resolved_at IS NULL
)sql";

constexpr const char* kSeenAgain = R"sql(
UPDATE drift SET last_seen = ?2 WHERE target_id = ?1 AND resolved_at IS NULL
)sql";

constexpr const char* kInsert = R"sql(
INSERT INTO drift (target_id, class, resource, role, principal, condition, severity, state,
  desired, observed, first_seen, last_seen, resolved_at, resolved_by)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, iif(?12, ?11, NULL),
  iif(?12, 'bindery', ''))
)sql";

constexpr const char* kUpdate = R"sql(
UPDATE drift SET severity = ?2, state = ?3, desired = ?4, observed = ?5, last_seen = ?6,
  resolved_at = iif(?7, ?6, NULL), resolved_by = iif(?7, 'bindery', '')
WHERE id = ?1
)sql";

constexpr const char* kResolve = R"sql(
UPDATE drift SET state = 'corrected', resolved_at = ?2, resolved_by = ?3 WHERE id = ?1
)sql";

/// What makes two items the same difference.
using Identity = std::tuple<DriftClass, std::string, Grant>;

Identity IdentityOf(const DriftItem& item) { return {item.drift_class, item.resource, item.grant}; }

struct OpenRecord {
  std::int64_t id = 0;
  DriftItem item;
};

std::map<Identity, OpenRecord> Unresolved(Connection& connection, std::int64_t target_id) {
  std::map<Identity, OpenRecord> records;
  Query query(connection, kUnresolved, target_id);
  while (query.Next()) {
    OpenRecord record{query.Int(0), ReadDriftItem(query, 1)};
    records.emplace(IdentityOf(record.item), std::move(record));
  }
  return records;
}

bool SameWords(const DriftItem& left, const DriftItem& right) {
  return left.severity == right.severity && left.state == right.state &&
         left.desired == right.desired && left.observed == right.observed;
}

bool NothingNew(const std::map<Identity, OpenRecord>& records,
                const std::map<Identity, const DriftItem*>& items) {
  if (records.size() != items.size()) return false;
  for (const auto& [identity, record] : records) {
    const auto item = items.find(identity);
    if (item == items.end() || !SameWords(record.item, *item->second)) return false;
  }
  return true;
}

void Insert(Connection& connection, std::int64_t target_id, const DriftItem& item, WallTime time) {
  const std::string condition = ConditionText(item.grant);
  Run(connection, kInsert, target_id, ToString(item.drift_class), item.resource, item.grant.role,
      item.grant.principal, condition, ToString(item.severity), ToString(item.state), item.desired,
      item.observed, time, item.state == DriftState::kCorrected);
}

void Update(Connection& connection, std::int64_t id, const DriftItem& item, WallTime time) {
  Run(connection, kUpdate, id, ToString(item.severity), ToString(item.state), item.desired,
      item.observed, time, item.state == DriftState::kCorrected);
}

}  // namespace

void WriteDrift(Connection& connection, const DriftUpdate& update) {
  const auto known = FindTargetId(connection, update.target);
  if (!known && update.items.empty()) return;
  const std::int64_t target_id = known ? *known : InternTarget(connection, update.target);

  std::map<Identity, const DriftItem*> items;  // of one difference listed twice, the last counts
  for (const DriftItem& item : update.items) items[IdentityOf(item)] = &item;

  const std::map<Identity, OpenRecord> records = Unresolved(connection, target_id);
  if (NothingNew(records, items)) {
    if (!items.empty()) Run(connection, kSeenAgain, target_id, update.time);
    return;
  }
  const std::string_view by = update.corrected ? "bindery" : "elsewhere";
  for (const auto& [identity, record] : records) {
    if (items.count(identity) == 0) Run(connection, kResolve, record.id, update.time, by);
  }
  for (const auto& [identity, item] : items) {
    const auto record = records.find(identity);
    if (record == records.end()) {
      Insert(connection, target_id, *item, update.time);
    } else {
      Update(connection, record->second.id, *item, update.time);
    }
  }
}

}  // namespace bindery::store
