#include <map>
#include <utility>

#include "store/sql/drift_rows.h"
#include "store/sql/open_drift.h"
#include "store/sql/target_keys.h"
#include "store/sql/words.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kSeenAgain = R"sql(
UPDATE drift SET last_seen = ?2 - first_seen WHERE target_id = ?1 AND resolved_after IS NULL
)sql";

constexpr const char* kInsertDrift = R"sql(
INSERT INTO drift (target_id, class, resource, role, principal, condition, severity, state,
  desired, observed, first_seen, last_seen, resolved_after, resolved_by, read_before,
  cause, acceptance, rest)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, CASE WHEN ?12 = 1 THEN 0 END, ?13,
  CAST(?11 AS bigint) - CAST(?14 AS bigint), ?15, ?16, ?17)
)sql";

constexpr const char* kUpdateDrift = R"sql(
UPDATE drift SET severity = ?2, state = ?3, desired = ?4, observed = ?5, last_seen = ?6 - first_seen,
  resolved_after = CASE WHEN ?7 = 1 THEN ?6 - first_seen END, resolved_by = ?8,
  acceptance = ?9, rest = ?10
WHERE id = ?1
)sql";

constexpr const char* kResolve = R"sql(
UPDATE drift SET state = ?4, resolved_after = ?2 - first_seen, resolved_by = ?3, acceptance = ''
WHERE id = ?1
)sql";

OpenDrift TakeOpenDrift(Connection& connection, std::int64_t target_id) {
  if (auto foreseen = connection.caches().foreseen.drift.Take(target_id)) {
    return std::move(*foreseen);
  }
  auto read = ReadOpenDrift(connection, {&target_id, 1});
  return read.empty() ? OpenDrift{} : std::move(read.begin()->second);
}

bool SameWords(const DriftItem& left, const DriftItem& right) {
  return left.severity == right.severity && left.state == right.state &&
         left.desired == right.desired && left.observed == right.observed &&
         left.rest == right.rest && AcceptanceText(left) == AcceptanceText(right);
}

bool NothingNew(const OpenDrift& records, const std::map<DriftIdentity, const DriftItem*>& items) {
  if (records.size() != items.size()) return false;
  for (const auto& [identity, record] : records) {
    const auto item = items.find(identity);
    if (item == items.end() || !SameWords(record.item, *item->second)) return false;
  }
  return true;
}

std::int64_t ResolvedBy(Connection& connection, const DriftItem& item) {
  return InternWord(connection, item.state == DriftState::kCorrected ? "bindery" : "");
}

void InsertDrift(Connection& connection, std::int64_t target_id, const DriftItem& item,
                 const DriftUpdate& update) {
  const std::string condition = ConditionText(item.grant);
  const std::string acceptance = AcceptanceText(item);
  std::optional<std::int64_t> read_before;
  if (update.read_before) read_before = ToMillis(*update.read_before);
  Run(connection, kInsertDrift, target_id, InternWord(connection, ToString(item.drift_class)),
      InternName(connection, item.resource), InternWord(connection, item.grant.role),
      item.grant.principal, condition, InternWord(connection, ToString(item.severity)),
      InternWord(connection, ToString(item.state)), Shared(connection, item.desired),
      Shared(connection, item.observed), update.time, item.state == DriftState::kCorrected,
      ResolvedBy(connection, item), read_before, static_cast<std::int64_t>(item.cause), acceptance,
      static_cast<std::int64_t>(item.rest));
}

void Update(Connection& connection, std::int64_t id, const DriftItem& item, WallTime time) {
  const std::string acceptance = AcceptanceText(item);
  Run(connection, kUpdateDrift, id, InternWord(connection, ToString(item.severity)),
      InternWord(connection, ToString(item.state)), Shared(connection, item.desired),
      Shared(connection, item.observed), time, item.state == DriftState::kCorrected,
      ResolvedBy(connection, item), acceptance, static_cast<std::int64_t>(item.rest));
}

void Resolve(Connection& connection, std::int64_t id, WallTime time, bool corrected) {
  Run(connection, kResolve, id, time, InternWord(connection, corrected ? "bindery" : "elsewhere"),
      InternWord(connection, ToString(DriftState::kCorrected)));
}

}  // namespace

void WriteDrift(Connection& connection, const DriftUpdate& update) {
  const std::int64_t known = FindTargetId(connection, update.target);
  if (known == 0 && update.items.empty()) return;
  const std::int64_t target_id = known != 0 ? known : InternTarget(connection, update.target);

  std::map<DriftIdentity, const DriftItem*>
      items;  // of one difference listed twice, the last counts
  for (const DriftItem& item : update.items) items[GetIdentity(item)] = &item;

  const OpenDrift records = TakeOpenDrift(connection, target_id);
  if (NothingNew(records, items)) {
    if (!items.empty()) Run(connection, kSeenAgain, target_id, update.time);
    return;
  }
  connection.NoteContent();
  for (const auto& [identity, record] : records) {
    if (items.count(identity) == 0) Resolve(connection, record.id, update.time, update.corrected);
  }
  for (const auto& [identity, item] : items) {
    const auto record = records.find(identity);
    if (record == records.end()) {
      InsertDrift(connection, target_id, *item, update);
    } else {
      Update(connection, record->second.id, *item, update.time);
    }
  }
}

}  // namespace bindery::store
