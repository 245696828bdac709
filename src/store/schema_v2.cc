#include "store/schema_steps.h"

namespace bindery::store {

// Rows name words, names, targets and policies by number. The database does not check these
// references: each check is a look-up for every row written, and an index for every column. One
// writer gives the numbers, and the sweep deletes only what no row names.
//
// A column that is ANY holds the number of a word, or else the text itself. Digests are 32 bytes,
// or the text of what is no SHA-256. Times are milliseconds since 1970 in UTC.
namespace {

constexpr const char* kSchemaVersion2 = R"sql(
DROP INDEX resources_claim;
DROP INDEX resources_target;
DROP INDEX targets_policy;
DROP INDEX revisions_target;
DROP INDEX revisions_digest;
DROP INDEX drift_unresolved;
DROP INDEX drift_resolved;
DROP INDEX drift_target;
DROP INDEX events_resource;
DROP INDEX events_time;
DROP INDEX intents_open;
DROP INDEX intents_target;
DROP TABLE facts;
ALTER TABLE target_keys RENAME TO old_target_keys;
ALTER TABLE policies RENAME TO old_policies;
ALTER TABLE resources RENAME TO old_resources;
ALTER TABLE targets RENAME TO old_targets;
ALTER TABLE observations RENAME TO old_observations;
ALTER TABLE revisions RENAME TO old_revisions;
ALTER TABLE drift RENAME TO old_drift;
ALTER TABLE events RENAME TO old_events;
ALTER TABLE intents RENAME TO old_intents;

CREATE TABLE words (
  -- Texts that many rows share.
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE names (
  -- The names of resources and targets that are or were spoken of. 0 stands for none.
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE target_keys (
  -- Every target that is or was spoken of, once; the other tables name it by id.
  id    INTEGER PRIMARY KEY,
  name  INTEGER NOT NULL,  -- in names
  kind  INTEGER NOT NULL,  -- a word
  scope INTEGER NOT NULL,  -- a word: the provider, where names mean something only within one
  UNIQUE (name, kind, scope)
) STRICT;

CREATE TABLE policies (
  -- Policy documents by content: each body once, however often it is seen.
  id     INTEGER PRIMARY KEY,
  digest ANY     NOT NULL UNIQUE,  -- SHA-256 of the canonical body
  base   INTEGER NOT NULL,         -- the policy this one is a difference to; 0: stands alone
  spent  INTEGER NOT NULL,         -- bytes of differences to that base so far, with this one
  body   ANY     NOT NULL          -- JSON as it was received or sent: text, or zstd when a blob
) STRICT;

CREATE TABLE resources (
  -- The declared resources: the manifest in force, where it stands, what it gave.
  -- In spec and outputs, \x01 stands for the target's name and \x02 for the role; as blobs they
  -- are what they are.
  id                  INTEGER PRIMARY KEY,  -- of the name, in names
  api_version         INTEGER NOT NULL,     -- a word
  kind                INTEGER NOT NULL,     -- a word
  target_id           INTEGER NOT NULL,
  provider            INTEGER NOT NULL,     -- a word
  role                INTEGER NOT NULL,     -- what it claims: a word, '*' the whole policy; 0 nothing
  accepted            INTEGER NOT NULL CHECK (accepted IN (0, 1)),
  spec                ANY     NOT NULL,
  options             ANY     NOT NULL,
  labels              ANY     NOT NULL,
  annotations         ANY     NOT NULL,
  digest              ANY     NOT NULL,
  source_file         ANY     NOT NULL,
  source_line         INTEGER NOT NULL,
  generation          INTEGER NOT NULL,
  observed_generation INTEGER NOT NULL,
  state               INTEGER NOT NULL,     -- a word
  reason              INTEGER NOT NULL,     -- a word
  message             ANY     NOT NULL,
  status_since        INTEGER NOT NULL,
  outputs             ANY     NOT NULL,
  suspended           INTEGER NOT NULL CHECK (suspended IN (0, 1)),
  missing_scans       INTEGER NOT NULL,
  grants              INTEGER NOT NULL      -- that its manifest declares; -1: not known
) STRICT;

CREATE TABLE targets (
  -- What is known of each target in force, as last observed.
  target_id    INTEGER PRIMARY KEY,
  provider     INTEGER NOT NULL,  -- a word
  observed     INTEGER NOT NULL CHECK (observed IN (0, 1)),
  present      INTEGER NOT NULL CHECK (present IN (0, 1)),
  ever_written INTEGER NOT NULL CHECK (ever_written IN (0, 1)),
  etag         TEXT    NOT NULL,
  policy_id    INTEGER NOT NULL,  -- 0: none
  grants       INTEGER NOT NULL
) STRICT;

CREATE TABLE observations (
  -- When each target was last read. Apart from targets, because an idle pass moves nothing else:
  -- hundreds of these rows share a page, so that a pass over all of them writes little.
  target_id   INTEGER PRIMARY KEY,
  observed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE revisions (
  -- Policies worth keeping, oldest first: seen, written, found before the first write, restored.
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  target_id INTEGER NOT NULL,
  time      INTEGER NOT NULL,
  origin    INTEGER NOT NULL,  -- a word
  etag      TEXT    NOT NULL,
  policy_id INTEGER NOT NULL,  -- 0: the target had no policy any more
  actor     INTEGER NOT NULL   -- a word
) STRICT;

CREATE TABLE drift (
  -- Differences between what is declared and what is there, from first sight to resolution.
  -- Later times are milliseconds since first_seen: most often 0, which takes no room.
  id             INTEGER PRIMARY KEY,
  target_id      INTEGER NOT NULL,
  class          INTEGER NOT NULL,  -- a word
  resource       INTEGER NOT NULL,  -- in names; 0 when no manifest declares the grant
  role           INTEGER NOT NULL,  -- a word
  principal      TEXT    NOT NULL,
  condition      TEXT    NOT NULL,  -- JSON; '' when there is none
  severity       INTEGER NOT NULL,  -- a word
  state          INTEGER NOT NULL,  -- a word
  desired        ANY     NOT NULL,
  observed       ANY     NOT NULL,
  first_seen     INTEGER NOT NULL,
  last_seen      INTEGER NOT NULL,  -- after first_seen
  resolved_after INTEGER,           -- after first_seen; NULL while open or held
  resolved_by    INTEGER NOT NULL   -- a word: 'bindery', 'elsewhere'; '' while open or held
) STRICT;

CREATE TABLE events (
  -- What happened, for people.
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  time     INTEGER NOT NULL,
  type     INTEGER NOT NULL,  -- a word
  reason   INTEGER NOT NULL,  -- a word
  resource INTEGER NOT NULL,  -- in names, or 0
  target   INTEGER NOT NULL,  -- its name, in names, or 0
  message  ANY     NOT NULL,
  actor    INTEGER NOT NULL   -- a word
) STRICT;

CREATE TABLE intents (
  -- Writes to a cloud: on record before they are sent. One without an outcome at start-up was cut
  -- off by the end of the process and must be looked up.
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  target_id      INTEGER NOT NULL,
  started        INTEGER NOT NULL,
  etag_before    TEXT    NOT NULL,
  digest_before  ANY     NOT NULL,  -- the id of a policy, or else the digest
  digest_desired ANY     NOT NULL,  -- the same; '' for a delete
  actor          INTEGER NOT NULL,  -- a word
  finished_after INTEGER,           -- milliseconds since it started; NULL while it is open
  outcome        INTEGER NOT NULL   -- a word
) STRICT;

-- By which rules the scan was judged: the version of this program, the providers.
ALTER TABLE generations ADD COLUMN rules TEXT NOT NULL DEFAULT '';

CREATE TABLE files (
  -- The manifest files as they were when they were last read.
  path   TEXT NOT NULL PRIMARY KEY,
  stamp  BLOB NOT NULL,  -- what tells a changed file from an unchanged one
  digest ANY  NOT NULL
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO words (text)
  SELECT '' UNION SELECT kind FROM old_target_keys UNION SELECT scope FROM old_target_keys
  UNION SELECT api_version FROM old_resources UNION SELECT kind FROM old_resources
  UNION SELECT provider FROM old_resources UNION SELECT role FROM old_resources
  UNION SELECT state FROM old_resources UNION SELECT reason FROM old_resources
  UNION SELECT provider FROM old_targets
  UNION SELECT origin FROM old_revisions UNION SELECT actor FROM old_revisions
  UNION SELECT class FROM old_drift UNION SELECT role FROM old_drift
  UNION SELECT severity FROM old_drift UNION SELECT state FROM old_drift
  UNION SELECT resolved_by FROM old_drift
  UNION SELECT type FROM old_events UNION SELECT reason FROM old_events
  UNION SELECT actor FROM old_events
  UNION SELECT actor FROM old_intents UNION SELECT outcome FROM old_intents;
INSERT OR IGNORE INTO names (name) SELECT name FROM old_resources ORDER BY rowid;
INSERT OR IGNORE INTO names (name) SELECT name FROM old_target_keys WHERE name <> '' ORDER BY id;
INSERT OR IGNORE INTO names (name)
  SELECT resource FROM old_events WHERE resource <> ''
  UNION SELECT target FROM old_events WHERE target <> ''
  UNION SELECT resource FROM old_drift WHERE resource <> '';

INSERT INTO target_keys (id, name, kind, scope)
  SELECT o.id, ifnull(n.id, 0), k.id, s.id FROM old_target_keys o
  LEFT JOIN names n ON n.name = o.name JOIN words k ON k.text = o.kind
  JOIN words s ON s.text = o.scope;
INSERT INTO policies (digest, base, spent, body)
  SELECT digest_bytes(digest), 0, 0, packed_policy(body) FROM old_policies ORDER BY rowid;
INSERT INTO resources
  SELECT n.id, v.id, k.id, target_id, p.id, iif(o.role = '', 0, r.id), accepted,
    CAST(spec AS BLOB), options, labels, annotations, digest_bytes(digest), source_file,
    source_line, generation, observed_generation, s.id, w.id, message, status_since,
    CAST(outputs AS BLOB), suspended, missing_scans, -1
  FROM old_resources o JOIN names n ON n.name = o.name JOIN words v ON v.text = o.api_version
  JOIN words k ON k.text = o.kind JOIN words p ON p.text = o.provider
  JOIN words r ON r.text = o.role JOIN words s ON s.text = o.state
  JOIN words w ON w.text = o.reason ORDER BY n.id;
INSERT INTO targets
  SELECT target_id, p.id, observed, present, ever_written, etag, ifnull(b.id, 0), grants
  FROM old_targets o JOIN words p ON p.text = o.provider
  LEFT JOIN policies b ON b.digest = digest_bytes(o.policy_digest);
INSERT INTO observations SELECT target_id, observed_at FROM old_observations;
INSERT INTO revisions
  SELECT o.id, target_id, time, w.id, etag, ifnull(b.id, 0), a.id
  FROM old_revisions o JOIN words w ON w.text = o.origin JOIN words a ON a.text = o.actor
  LEFT JOIN policies b ON b.digest = digest_bytes(o.digest) ORDER BY o.id;
INSERT INTO drift
  SELECT o.id, target_id, c.id, ifnull(n.id, 0), r.id, principal, condition, v.id, s.id, desired,
    observed, first_seen, last_seen - first_seen, resolved_at - first_seen, b.id
  FROM old_drift o LEFT JOIN names n ON n.name = o.resource JOIN words c ON c.text = o.class
  JOIN words r ON r.text = o.role JOIN words v ON v.text = o.severity
  JOIN words s ON s.text = o.state JOIN words b ON b.text = o.resolved_by ORDER BY o.id;
INSERT INTO events
  SELECT o.id, time, t.id, r.id, ifnull(n.id, 0), ifnull(g.id, 0), message, a.id
  FROM old_events o JOIN words t ON t.text = o.type JOIN words r ON r.text = o.reason
  LEFT JOIN names n ON n.name = o.resource LEFT JOIN names g ON g.name = o.target
  JOIN words a ON a.text = o.actor ORDER BY o.id;
INSERT INTO intents
  SELECT o.id, target_id, started, etag_before, digest_bytes(digest_before),
    digest_bytes(digest_desired), a.id, finished - started, w.id
  FROM old_intents o JOIN words a ON a.text = o.actor JOIN words w ON w.text = o.outcome
  ORDER BY o.id;
DELETE FROM sqlite_sequence WHERE name IN ('revisions', 'drift', 'events', 'intents');
INSERT INTO sqlite_sequence (name, seq)
  SELECT substr(name, 5), seq FROM sqlite_sequence
  WHERE name IN ('old_revisions', 'old_events', 'old_intents');

DROP TABLE old_observations;
DROP TABLE old_targets;
DROP TABLE old_resources;
DROP TABLE old_drift;
DROP TABLE old_revisions;
DROP TABLE old_intents;
DROP TABLE old_events;
DROP TABLE old_policies;
DROP TABLE old_target_keys;

-- One binding per role: a target's role belongs to one accepted resource.
CREATE UNIQUE INDEX resources_claim ON resources (target_id, role)
  WHERE accepted = 1 AND role <> 0;
CREATE INDEX revisions_target ON revisions (target_id);
CREATE UNIQUE INDEX drift_unresolved
  ON drift (target_id, class, resource, role, principal, condition) WHERE resolved_after IS NULL;
CREATE INDEX events_resource ON events (resource) WHERE resource <> 0;
CREATE INDEX intents_open ON intents (id) WHERE finished_after IS NULL;
)sql";

}  // namespace

const char* SchemaVersion2() { return kSchemaVersion2; }

}  // namespace bindery::store
