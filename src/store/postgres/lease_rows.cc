#include "store/postgres/lease_rows.h"

#include <libpq-fe.h>

#include <algorithm>
#include <string_view>

#include "store/postgres/postgres_ground.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

/// A literal. Ids are hexadecimal; the rest is escaped as SQL does.
std::string Literal(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\0') continue;
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

/// Not the checkpoint's, which goes on to name the one before for seconds after a promotion.
constexpr const char* kTimeline = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";

/// As a condition on the row of the lease.
std::string MakeTerm(const std::string& id, std::int64_t epoch) {
  return "name = 'daemon' AND holder = " + Literal(id) + " AND epoch = " + std::to_string(epoch);
}
std::string MakeTerm(const LeaseTerm& term) {
  return MakeTerm(term.holder, term.epoch) + " AND tableoid = " + term.table +
         AndSystem(term.system);
}

std::string Granted(const std::string& id, const LeaseRow& seen, const char* why) {
  return "INSERT INTO lease_log (name, epoch, holder, why) VALUES ('daemon', " +
         std::to_string(seen.epoch + 1) + ", " + Literal(id) + ", '" + why + "')";
}

/// Sets the sequences that are behind the rows: logical replication copies rows and leaves the
/// sequences unchanged. In the taker's term, because no further transaction commits numbers then. A
/// sequence that the user may not set stays unchanged.
constexpr const char* kCatchUpSequences = R"sql(DO $$
DECLARE
  item RECORD;
  highest BIGINT;
BEGIN
  FOR item IN
    SELECT c.oid::regclass AS held, a.attname AS col, s.seqrelid::regclass AS seq
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
    JOIN pg_depend d ON d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype = 'i'
      AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
    JOIN pg_sequence s ON s.seqrelid = d.objid
    WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'lease'::regclass)
      AND has_sequence_privilege(s.seqrelid, 'UPDATE')
      AND has_sequence_privilege(s.seqrelid, 'SELECT, USAGE')
  LOOP
    EXECUTE format('SELECT max(%I) FROM %s', item.col, item.held) INTO highest;
    IF highest > coalesce(pg_sequence_last_value(item.seq), 0) THEN
      PERFORM setval(item.seq, highest);
    END IF;
  END LOOP;
END $$)sql";

bool Take(PostgresLink& link, const LeaseRow& seen, const std::string& id, const char* why) {
  const PostgresResult taken =
      link.Run("UPDATE lease SET holder = " + Literal(id) +
               ", epoch = epoch + 1, since = now(), timeline = " + kTimeline + " WHERE " +
               MakeTerm(seen.holder, seen.epoch) + " RETURNING epoch");
  if (HasRow(taken)) {
    link.Run(kCatchUpSequences);
    link.Run(Granted(id, seen, why));
    link.Run("COMMIT");
    return true;
  }
  link.Run("ROLLBACK");
  return false;
}

constexpr const char* kBegin = "BEGIN; SET LOCAL lock_timeout = '1500ms'";

}  // namespace

void BeatAsReplica(PostgresLink& link, const std::string& id, const ReplicaIdentity& identity) {
  link.Run("INSERT INTO replicas (id, host, version) VALUES (" + Literal(id) + ", " +
           Literal(identity.host) + ", " + Literal(identity.version) +
           ") ON CONFLICT (id) DO UPDATE SET beat = replicas.beat + 1, seen = now()");
}

void LeaveReplicas(PostgresLink& link, const std::string& id) {
  link.Run("DELETE FROM replicas WHERE id = " + Literal(id));
}

LeaseRow ReadLease(PostgresLink& link) {
  const PostgresResult result = link.Run(
      std::string("SELECT l.holder, l.epoch, coalesce(r.beat, -1), coalesce(r.host, ''), "
                  "l.tableoid, l.timeline <> ") +
      kTimeline + " FROM lease l LEFT JOIN replicas r ON r.id = l.holder WHERE l.name = 'daemon'");
  LeaseRow row;
  if (!HasRow(result)) {
    throw EngineError(Code::kFailedPrecondition, EngineError::Cause::kDamaged,
                      "the table lease has no row: restore the database from a backup");
  }
  row.holder = PQgetvalue(result.get(), 0, 0);
  row.epoch = std::stoll(PQgetvalue(result.get(), 0, 1));
  row.beat = std::stoll(PQgetvalue(result.get(), 0, 2));
  row.host = PQgetvalue(result.get(), 0, 3);
  row.table = PQgetvalue(result.get(), 0, 4);
  row.before_failover = PQgetvalue(result.get(), 0, 5) == std::string_view("t");
  return row;
}

std::optional<StoreMark> ReadLastRun(PostgresLink& link) {
  const PostgresResult result =
      link.Run("SELECT id, no, writes FROM runs ORDER BY no DESC LIMIT 1");
  if (!HasRow(result)) return std::nullopt;
  return StoreMark{PQgetvalue(result.get(), 0, 0), std::stoll(PQgetvalue(result.get(), 0, 1)),
                   std::stoll(PQgetvalue(result.get(), 0, 2))};
}

bool TakeFreeLease(PostgresLink& link, const LeaseRow& seen, const std::string& id) {
  link.Run(kBegin);
  return Take(link, seen, id, "free");
}

bool StealLease(PostgresLink& link, const LeaseRow& seen, const std::string& id) {
  link.Run(kBegin);
  // A holder without a row left it, or was put back by a restore: nobody can renew there.
  if (seen.beat >= 0) {
    const PostgresResult marked =
        link.Run("UPDATE replicas SET dead = TRUE WHERE id = " + Literal(seen.holder) +
                 " AND beat = " + std::to_string(seen.beat) + " AND NOT dead RETURNING id");
    if (!HasRow(marked)) {
      link.Run("ROLLBACK");
      return false;
    }
  }
  return Take(link, seen, id, "stolen");
}

std::optional<std::int64_t> RenewLease(PostgresLink& link, const LeaseTerm& term, std::int64_t beat,
                                       const std::string& in_place) {
  const PostgresResult renewed = link.Run(
      "UPDATE replicas SET beat = beat + 1, seen = now() WHERE id = " + Literal(term.holder) +
      " AND NOT dead AND beat >= " + std::to_string(beat) +
      " AND EXISTS (SELECT 1 FROM lease WHERE " + MakeTerm(term) + " AND timeline = " + kTimeline +
      ") AND " + in_place + " RETURNING beat");
  if (!HasRow(renewed)) return std::nullopt;
  return std::stoll(PQgetvalue(renewed.get(), 0, 0));
}

void GiveBackLease(PostgresLink& link, const LeaseTerm& term) {
  link.Run("BEGIN; DELETE FROM replicas WHERE id = " + Literal(term.holder) +
           "; UPDATE lease SET holder = '', since = now() WHERE " + MakeTerm(term) +
           "; DELETE FROM replicas WHERE seen < now() - interval '1 day'; COMMIT");
}

std::string MakeFence(const LeaseTerm& term) {
  return std::string("SELECT ") + kServer + " FROM lease WHERE " + MakeTerm(term) +
         " AND timeline = " + kTimeline + " FOR SHARE";
}

std::string InForce(const LeaseTerm& term) {
  // A standby fails to tell its timeline.
  return "CASE WHEN pg_is_in_recovery() THEN FALSE ELSE EXISTS (SELECT 1 FROM lease WHERE " +
         MakeTerm(term) + " AND timeline = " + kTimeline + ") END";
}

}  // namespace bindery::store
