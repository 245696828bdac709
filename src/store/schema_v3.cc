#include "store/schema_steps.h"

namespace bindery::store {

// What webhooks were told of, and who made a difference according to the audit logs of the clouds.
namespace {

constexpr const char* kSchemaVersion3 = R"sql(
-- Of the worst difference the event tells of: 0 none, 1 low, 2 medium, 3 high, 4 critical.
ALTER TABLE events ADD COLUMN severity INTEGER NOT NULL DEFAULT 0;

CREATE TABLE webhooks (
  -- Where each webhook stands in the journal, which is the table events.
  name          TEXT    NOT NULL PRIMARY KEY,
  first         INTEGER NOT NULL,  -- the event before the first one that is its business
  cursor        INTEGER NOT NULL,  -- the last event that needs no more work
  delivered_at  INTEGER,           -- when a message was last accepted
  failing_since INTEGER,           -- NULL while messages are accepted
  failure       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- When the target was last read before the difference was found: milliseconds before first_seen.
-- NULL: it was never read before.
ALTER TABLE drift ADD COLUMN read_before INTEGER;

CREATE TABLE audit_entries (
  -- Changes of targets' policies, as the audit logs of the clouds tell them.
  target       TEXT    NOT NULL,  -- its name; drift need not be on record of it
  time         INTEGER NOT NULL,
  id           TEXT    NOT NULL,  -- the log's own
  actor        TEXT    NOT NULL,
  impersonator TEXT    NOT NULL,
  method       TEXT    NOT NULL,
  agent        TEXT    NOT NULL,
  source       TEXT    NOT NULL,  -- FILE:LINE
  detail       INTEGER NOT NULL,  -- 0 none, 1 grants added and removed, 2 grants afterwards, 3 target removed
  grants       TEXT    NOT NULL,  -- JSON; '' when there are none
  PRIMARY KEY (target, time, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_files (
  -- How far the files of audit logs were read.
  path   TEXT    NOT NULL PRIMARY KEY,
  inode  INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  lines  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace

const char* SchemaVersion3() { return kSchemaVersion3; }

}  // namespace bindery::store
