#include "store/schema_steps.h"

namespace bindery::store {

// SQLite keeps the text between the parentheses: `sqlite3 FILE .schema` shows these comments.
// Times are milliseconds since 1970 in UTC; JSON is kept as text.
namespace {

constexpr const char* kSchemaVersion1 = R"sql(
PRAGMA application_id = 1651401842;

CREATE TABLE facts (
  -- Small facts by name, such as the address of the running embedded cloud.
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE target_keys (
  -- Every target that is or was spoken of, once; the other tables name it by id.
  id    INTEGER PRIMARY KEY,
  kind  TEXT NOT NULL,
  scope TEXT NOT NULL,  -- the provider, where names mean something only within one; else ''
  name  TEXT NOT NULL,
  UNIQUE (name, kind, scope)
) STRICT;

CREATE TABLE policies (
  -- Policy documents by content: each body once, however often it is seen.
  digest TEXT NOT NULL PRIMARY KEY,  -- SHA-256 of the canonical body
  body   TEXT NOT NULL               -- JSON as it was received or sent
) STRICT;

CREATE TABLE resources (
  -- The declared resources: the manifest in force, where it stands, what it gave.
  name                TEXT    NOT NULL PRIMARY KEY,
  api_version         TEXT    NOT NULL,
  kind                TEXT    NOT NULL,
  target_id           INTEGER NOT NULL REFERENCES target_keys (id),
  provider            TEXT    NOT NULL,
  role                TEXT    NOT NULL,  -- what it claims; '*' the whole policy, '' nothing
  accepted            INTEGER NOT NULL CHECK (accepted IN (0, 1)),
  spec                TEXT    NOT NULL,
  options             TEXT    NOT NULL,
  labels              TEXT    NOT NULL,
  annotations         TEXT    NOT NULL,
  digest              TEXT    NOT NULL,
  source_file         TEXT    NOT NULL,
  source_line         INTEGER NOT NULL,
  generation          INTEGER NOT NULL,
  observed_generation INTEGER NOT NULL,
  state               TEXT    NOT NULL,
  reason              TEXT    NOT NULL,
  message             TEXT    NOT NULL,
  status_since        INTEGER NOT NULL,
  outputs             TEXT    NOT NULL,
  suspended           INTEGER NOT NULL CHECK (suspended IN (0, 1)),
  missing_scans       INTEGER NOT NULL
) STRICT;
-- One binding per role: a target's role belongs to one accepted resource.
CREATE UNIQUE INDEX resources_claim ON resources (target_id, role)
  WHERE accepted = 1 AND role <> '';
CREATE INDEX resources_target ON resources (target_id);

CREATE TABLE targets (
  -- What is known of each target in force, as last observed.
  target_id     INTEGER PRIMARY KEY REFERENCES target_keys (id),
  provider      TEXT    NOT NULL,
  observed      INTEGER NOT NULL CHECK (observed IN (0, 1)),
  present       INTEGER NOT NULL CHECK (present IN (0, 1)),
  ever_written  INTEGER NOT NULL CHECK (ever_written IN (0, 1)),
  etag          TEXT    NOT NULL,
  policy_digest TEXT    REFERENCES policies (digest),
  grants        INTEGER NOT NULL
) STRICT;
CREATE INDEX targets_policy ON targets (policy_digest);

CREATE TABLE observations (
  -- When each target was last read. Apart from targets, because an idle pass moves nothing else:
  -- hundreds of these rows share a page, so that a pass over all of them writes little.
  target_id   INTEGER PRIMARY KEY REFERENCES targets (target_id) ON DELETE CASCADE,
  observed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE revisions (
  -- Policies worth keeping, oldest first: seen, written, found before the first write, restored.
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  target_id INTEGER NOT NULL REFERENCES target_keys (id),
  time      INTEGER NOT NULL,
  origin    TEXT    NOT NULL,
  etag      TEXT    NOT NULL,
  digest    TEXT    REFERENCES policies (digest),  -- NULL: the target had no policy any more
  actor     TEXT    NOT NULL
) STRICT;
CREATE INDEX revisions_target ON revisions (target_id);
CREATE INDEX revisions_digest ON revisions (digest);

CREATE TABLE drift (
  -- Differences between what is declared and what is there, from first sight to resolution.
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  target_id   INTEGER NOT NULL REFERENCES target_keys (id),
  class       TEXT    NOT NULL,
  resource    TEXT    NOT NULL,  -- '' when no manifest declares the grant
  role        TEXT    NOT NULL,
  principal   TEXT    NOT NULL,
  condition   TEXT    NOT NULL,  -- JSON; '' when there is none
  severity    TEXT    NOT NULL,
  state       TEXT    NOT NULL,
  desired     TEXT    NOT NULL,
  observed    TEXT    NOT NULL,
  first_seen  INTEGER NOT NULL,
  last_seen   INTEGER NOT NULL,
  resolved_at INTEGER,           -- NULL while open or held
  resolved_by TEXT    NOT NULL   -- 'bindery', 'elsewhere'; '' while open or held
) STRICT;
CREATE UNIQUE INDEX drift_unresolved
  ON drift (target_id, class, resource, role, principal, condition) WHERE resolved_at IS NULL;
CREATE INDEX drift_resolved ON drift (resolved_at);
CREATE INDEX drift_target ON drift (target_id, resolved_at);

CREATE TABLE events (
  -- What happened, for people.
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  time     INTEGER NOT NULL,
  type     TEXT    NOT NULL,
  reason   TEXT    NOT NULL,
  resource TEXT    NOT NULL,
  target   TEXT    NOT NULL,
  message  TEXT    NOT NULL,
  actor    TEXT    NOT NULL
) STRICT;
CREATE INDEX events_resource ON events (resource);
CREATE INDEX events_time ON events (time);

CREATE TABLE intents (
  -- Writes to a cloud: on record before they are sent. One without an outcome at start-up was cut
  -- off by the end of the process and must be looked up.
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  target_id      INTEGER NOT NULL REFERENCES target_keys (id),
  started        INTEGER NOT NULL,
  etag_before    TEXT    NOT NULL,
  digest_before  TEXT    NOT NULL,
  digest_desired TEXT    NOT NULL,  -- '' for a delete
  actor          TEXT    NOT NULL,
  finished       INTEGER,
  outcome        TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX intents_open ON intents (id) WHERE finished IS NULL;
CREATE INDEX intents_target ON intents (target_id);

CREATE TABLE holds (
  -- Removals the guard withholds, and what became of them.
  digest  TEXT    NOT NULL PRIMARY KEY,
  created INTEGER NOT NULL,
  state   TEXT    NOT NULL,  -- open, approved, withdrawn, released
  reason  TEXT    NOT NULL,
  purpose TEXT    NOT NULL,
  items   TEXT    NOT NULL,
  actor   TEXT    NOT NULL
) STRICT;

CREATE TABLE generations (
  -- Accepted scans of the manifest directory.
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  time      INTEGER NOT NULL,
  digest    TEXT    NOT NULL,
  files     INTEGER NOT NULL,
  manifests INTEGER NOT NULL,
  problems  INTEGER NOT NULL
) STRICT;

CREATE TABLE manifest_problems (
  -- The problems of the last scan, in its order.
  id       INTEGER PRIMARY KEY,
  file     TEXT    NOT NULL,
  line     INTEGER NOT NULL,
  col      INTEGER NOT NULL,
  path     TEXT    NOT NULL,
  severity TEXT    NOT NULL,
  code     TEXT    NOT NULL,
  message  TEXT    NOT NULL,
  resource TEXT    NOT NULL
) STRICT;
)sql";

}  // namespace

const char* SchemaVersion1() { return kSchemaVersion1; }

}  // namespace bindery::store
