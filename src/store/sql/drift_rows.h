#pragma once

#include <string>

#include "core/access/drift.h"
#include "store/ports/records.h"
#include "store/sql/connection.h"
#include "store/sql/target_keys.h"
#include "store/sql/words.h"

namespace bindery::store {

/// A grant's condition as it is kept: JSON, or "" if none exists.
[[nodiscard]] std::string ConditionText(const Grant& grant);

/// The stored reason why the difference may stay: JSON, or "" where it may not.
[[nodiscard]] std::string AcceptanceText(const DriftItem& item);

/// Reads an item from the columns class, the resource's name, role, principal, condition, severity,
/// state, desired, observed, cause, acceptance and rest, in this order from `first_column` on.
[[nodiscard]] DriftItem ReadDriftItem(WordReader& words, const Query& query, int first_column);

/// The readers of ids in the rows of a read.
struct DriftReaders {
  explicit DriftReaders(Connection& connection) : words(connection), targets(connection, words) {}
  WordReader words;
  TargetReader targets;
};

/// Reads a record from the columns id, target_id, those of ReadDriftItem, first_seen, last_seen,
/// resolved_after, resolved_by and read_before, in this order.
[[nodiscard]] DriftRecord ReadDriftRecord(DriftReaders& readers, const Query& query);

}  // namespace bindery::store
