#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/ports/sharing.h"
#include "store/postgres/lease_term.h"
#include "store/postgres/postgres_link.h"
#include "store/witness/witness.h"

namespace bindery::store {

// The statements of the lease. All throw EngineError. Rows are locked in the order replicas, lease.

/// The lease and the heartbeat of its holder.
struct LeaseRow {
  std::string holder;  ///< Empty: nobody.
  std::int64_t epoch = 0;
  std::int64_t beat = 0;
  std::string host;
  /// The identity of the table: a different one when a backup was restored in its place.
  std::string table;
  /// The database failed over since the lease was taken or given back: the row may be older than a
  /// report to a replica.
  bool before_failover = false;
  bool operator==(const LeaseRow&) const = default;
};

/// Puts the replica on record, or moves its heartbeat.
void BeatAsReplica(PostgresLink& link, const std::string& id, const ReplicaIdentity& identity);
void LeaveReplicas(PostgresLink& link, const std::string& id);

[[nodiscard]] LeaseRow ReadLease(PostgresLink& link);

/// How far the run is that began last; nothing: none ever did. Without StoreMark::database.
[[nodiscard]] std::optional<StoreMark> ReadLastRun(PostgresLink& link);

/// Takes the lease that nobody has; false when somebody was faster.
[[nodiscard]] bool TakeFreeLease(PostgresLink& link, const LeaseRow& seen, const std::string& id);

/// Takes the lease of a replica whose heartbeat has not moved, and marks the replica, so that the
/// replica cannot renew any more; false when the heartbeat has moved.
[[nodiscard]] bool StealLease(PostgresLink& link, const LeaseRow& seen, const std::string& id);

/// Moves the heartbeat and gives it; nothing when the term is over, as it also is after a fail-over
/// and after a restore, which puts the heartbeat back behind `beat`, the last one that was given,
/// or the content, as `in_place` says, a condition of SQL.
[[nodiscard]] std::optional<std::int64_t> RenewLease(PostgresLink& link, const LeaseTerm& term,
                                                     std::int64_t beat,
                                                     const std::string& in_place);

void GiveBackLease(PostgresLink& link, const LeaseTerm& term);

/// See Lease::fence().
[[nodiscard]] std::string MakeFence(const LeaseTerm& term);

/// See Lease::in_force().
[[nodiscard]] std::string InForce(const LeaseTerm& term);

}  // namespace bindery::store
