#include "store/sql/open_drift.h"

#include <utility>

#include "store/sql/drift_rows.h"
#include "store/sql/wide_statement.h"
#include "store/sql/words.h"

namespace bindery::store {

DriftIdentity GetIdentity(const DriftItem& item) {
  return {item.drift_class, item.resource, item.grant};
}

std::map<std::int64_t, OpenDrift> ReadOpenDrift(Connection& connection,
                                                std::span<const std::int64_t> target_ids) {
  static const WideStatement kUnresolved(
      "SELECT d.target_id, d.id, class, n.name, role, principal, condition, severity, state, "
      "desired, observed, cause, acceptance, rest FROM drift d "
      "LEFT JOIN names n ON n.id = d.resource WHERE resolved_after IS NULL AND target_id IN ",
      1);
  std::map<std::int64_t, OpenDrift> records;
  WordReader words(connection);
  ForEachRow(connection, kUnresolved, target_ids, [&](const Query& row) {
    DriftRow drift{row.Int(1), ReadDriftItem(words, row, 2)};
    records[row.Int(0)].emplace(GetIdentity(drift.item), std::move(drift));
  });
  return records;
}

}  // namespace bindery::store
