#include "store/tables/hours.h"

#include <cstdint>

namespace bindery::store {
namespace {

constexpr const char* kSqliteHours = R"sql(
CREATE TABLE hours (
  -- What the daemon saw and did, by hours of UTC, for charts. An hour without a row: no daemon ran.
  hour             INTEGER NOT NULL PRIMARY KEY,  -- its begin
  open_least       INTEGER NOT NULL,  -- open and held differences
  open_most        INTEGER NOT NULL,
  open_last        INTEGER NOT NULL,
  undeclared_least INTEGER NOT NULL,  -- grants that no manifest declares
  undeclared_most  INTEGER NOT NULL,
  undeclared_last  INTEGER NOT NULL,
  found            INTEGER NOT NULL,  -- differences
  writes           INTEGER NOT NULL,
  errors           INTEGER NOT NULL,
  calls            INTEGER NOT NULL
) STRICT;
)sql";

constexpr const char* kPostgresHours = R"sql(
CREATE TABLE hours (
  -- What the daemon saw and did, by hours of UTC, for charts.
  hour             BIGINT NOT NULL PRIMARY KEY,
  open_least       BIGINT NOT NULL,
  open_most        BIGINT NOT NULL,
  open_last        BIGINT NOT NULL,
  undeclared_least BIGINT NOT NULL,
  undeclared_most  BIGINT NOT NULL,
  undeclared_last  BIGINT NOT NULL,
  found            BIGINT NOT NULL,
  writes           BIGINT NOT NULL,
  errors           BIGINT NOT NULL,
  calls            BIGINT NOT NULL
);
)sql";

constexpr const char* kAddToHour = R"sql(
INSERT INTO hours (hour, open_least, open_most, open_last, undeclared_least, undeclared_most,
  undeclared_last, found, writes, errors, calls)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
ON CONFLICT (hour) DO UPDATE SET
  open_least = CASE WHEN excluded.open_least < hours.open_least
    THEN excluded.open_least ELSE hours.open_least END,
  open_most = CASE WHEN excluded.open_most > hours.open_most
    THEN excluded.open_most ELSE hours.open_most END,
  open_last = excluded.open_last,
  undeclared_least = CASE WHEN excluded.undeclared_least < hours.undeclared_least
    THEN excluded.undeclared_least ELSE hours.undeclared_least END,
  undeclared_most = CASE WHEN excluded.undeclared_most > hours.undeclared_most
    THEN excluded.undeclared_most ELSE hours.undeclared_most END,
  undeclared_last = excluded.undeclared_last,
  found = hours.found + excluded.found,
  writes = hours.writes + excluded.writes,
  errors = hours.errors + excluded.errors,
  calls = hours.calls + excluded.calls
)sql";

// The nearest hours stay, not the newest: a clock that was ahead for a while has left rows of times
// to come, and these must not push out the rows of now.
constexpr const char* kTrimHours = R"sql(
DELETE FROM hours WHERE (SELECT count(*) FROM hours) > ?2
  AND hour NOT IN (SELECT hour FROM hours ORDER BY abs(hour - ?1) LIMIT ?2)
)sql";

constexpr const char* kHours = R"sql(
SELECT hour, open_least, open_most, open_last, undeclared_least, undeclared_most, undeclared_last,
  found, writes, errors, calls
FROM hours WHERE hour BETWEEN ?1 AND ?2 ORDER BY hour
)sql";

}  // namespace

const char* SqliteHourTable() { return kSqliteHours; }
const char* PostgresHourTable() { return kPostgresHours; }

void AddToHour(Connection& connection, const HourRecord& more) {
  Run(connection, kAddToHour, more.hour, more.open.least, more.open.most, more.open.last,
      more.undeclared.least, more.undeclared.most, more.undeclared.last, more.found, more.writes,
      more.errors, more.calls);
  Run(connection, kTrimHours, more.hour, std::int64_t{HourStore::kMostHours});
}

std::vector<HourRecord> ReadHours(Connection& connection, WallTime from, WallTime until) {
  std::vector<HourRecord> hours;
  Query query(connection, kHours, from, until);
  while (query.Next()) {
    HourRecord& hour = hours.emplace_back();
    hour.hour = query.Time(0);
    hour.open = {query.Int(1), query.Int(2), query.Int(3)};
    hour.undeclared = {query.Int(4), query.Int(5), query.Int(6)};
    hour.found = query.Int(7);
    hour.writes = query.Int(8);
    hour.errors = query.Int(9);
    hour.calls = query.Int(10);
  }
  return hours;
}

}  // namespace bindery::store
