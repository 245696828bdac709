#include "store/tables/schema.h"

#include <string>

#include "store/tables/hours.h"
#include "store/tables/inventories.h"

namespace bindery::store {

// SQLite keeps the text between the parentheses: `sqlite3 FILE .schema` shows these comments.
//
// Rows name words, names, targets and policies by number. The database does not check these
// references: each check is a look-up for every row written, and an index for every column. One
// writer gives the numbers, and the sweep deletes only what no row names.
//
// A column that is ANY holds the number of a word, or else the text itself. Digests are 32 bytes,
// or the text of what is no SHA-256. Times are milliseconds since 1970 in UTC; JSON is kept as
// text.
namespace {

constexpr const char* kSqliteTables = R"sql(
PRAGMA application_id = 1651401842;

CREATE TABLE words (
  -- Texts that many rows share. A number is never given again: readers keep words.
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
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
  grants              INTEGER NOT NULL,     -- that its manifest declares
  -- 1: nothing was done, or was found as declared, where the manifest is in force now.
  untouched           INTEGER NOT NULL,
  -- The look at which the declaration changed or went missing, packed with how; 0: settled.
  age                 INTEGER NOT NULL
) STRICT;
-- One binding per role: a target's role belongs to one accepted resource.
CREATE UNIQUE INDEX resources_claim ON resources (target_id, role)
  WHERE accepted = 1 AND role <> 0;
-- With that one, all resources of a target.
CREATE INDEX resources_others ON resources (target_id) WHERE accepted = 0 OR role = 0;

CREATE TABLE targets (
  -- What is known of each target in force, as last observed.
  target_id    INTEGER PRIMARY KEY,
  provider     INTEGER NOT NULL,  -- a word
  observed     INTEGER NOT NULL CHECK (observed IN (0, 1)),
  present      INTEGER NOT NULL CHECK (present IN (0, 1)),
  ever_written INTEGER NOT NULL CHECK (ever_written IN (0, 1)),
  etag         TEXT    NOT NULL,
  policy_id    INTEGER NOT NULL,  -- 0: none
  grants       INTEGER NOT NULL,
  undeclared   INTEGER NOT NULL   -- of the grants, those that no manifest declares
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
CREATE INDEX revisions_target ON revisions (target_id);

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
  resolved_by    INTEGER NOT NULL,  -- a word: 'bindery', 'elsewhere'; '' while open or held
  -- When the target was last read before the difference was found: milliseconds before first_seen.
  -- NULL: it was never read before.
  read_before    INTEGER,
  -- 0: unknown, 1: a manifest or setting, 2: somebody in the cloud, 3: the end of a time.
  cause          INTEGER NOT NULL,
  acceptance     TEXT    NOT NULL,  -- why it may stay, as JSON; '' unless its state is accepted
  -- Why no pass repairs it: 0 nothing, 1 undeclaredRoles: report, 2 it looks like just-in-time
  -- access, 3 the principal may be a service's own account.
  rest           INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX drift_unresolved
  ON drift (target_id, class, resource, role, principal, condition) WHERE resolved_after IS NULL;

CREATE TABLE events (
  -- What happened, for people.
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  time     INTEGER NOT NULL,
  type     INTEGER NOT NULL,  -- a word
  reason   INTEGER NOT NULL,  -- a word
  resource INTEGER NOT NULL,  -- in names, or 0
  target   INTEGER NOT NULL,  -- its name, in names, or 0
  message  ANY     NOT NULL,
  actor    INTEGER NOT NULL,  -- a word
  -- Of the worst difference the event tells of: 0 none, 1 low, 2 medium, 3 high, 4 critical.
  severity INTEGER NOT NULL
) STRICT;
CREATE INDEX events_resource ON events (resource) WHERE resource <> 0;
-- Events that concern all that is declared on a target.
CREATE INDEX events_target ON events (target) WHERE resource = 0 AND target <> 0;

CREATE TABLE intents (
  -- Writes to a cloud: on record before they are sent. One without an outcome at start-up was cut
  -- off by the end of the process and must be looked up.
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  target_id        INTEGER NOT NULL,
  started          INTEGER NOT NULL,
  etag_before      TEXT    NOT NULL,
  digest_before    ANY     NOT NULL,  -- the id of a policy, or else the digest
  digest_desired   ANY     NOT NULL,  -- the same; '' for a delete
  actor            INTEGER NOT NULL,  -- a word
  finished_after   INTEGER,           -- milliseconds since it started; NULL while it is open
  outcome          INTEGER NOT NULL,  -- a word
  -- Grants that the write takes away without an approval: those that manifests declared, and those
  -- that were there before a manifest declared their role. On which provider, where there are any.
  removed_declared INTEGER NOT NULL,
  removed_adopted  INTEGER NOT NULL,
  provider         TEXT    NOT NULL,
  -- As JSON, the grants that the write brings with a condition, and that were not there without
  -- one: what is stored of them without it is to be taken back. "dropped" names the grants of the
  -- policy where that happened, and is not there once it was seen. '' for none.
  conditional      TEXT    NOT NULL
) STRICT;
CREATE INDEX intents_open ON intents (target_id) WHERE finished_after IS NULL;
CREATE INDEX intents_removals ON intents (started)
  WHERE removed_declared + removed_adopted > 0;

CREATE TABLE holds (
  -- Removals the guard withholds, and what became of them.
  digest  TEXT    NOT NULL PRIMARY KEY,
  created INTEGER NOT NULL,
  state   TEXT    NOT NULL,  -- open, approved, denied, withdrawn, released
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
  problems  INTEGER NOT NULL,
  rules     TEXT    NOT NULL  -- a digest of what the scan was judged by: version, providers
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
CREATE INDEX manifest_problems_resource ON manifest_problems (resource, file);

CREATE TABLE files (
  -- The manifest files as they were when they were last read.
  path   TEXT NOT NULL PRIMARY KEY,
  stamp  BLOB NOT NULL,  -- what tells a changed file from an unchanged one
  digest ANY  NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhooks (
  -- Where each webhook stands in the journal, which is the table events.
  name          TEXT    NOT NULL PRIMARY KEY,
  first         INTEGER NOT NULL,  -- the event before the first one that is its business
  cursor        INTEGER NOT NULL,  -- the last event that needs no more work
  delivered_at  INTEGER,           -- when a message was last accepted
  failing_since INTEGER,           -- NULL while messages are accepted
  failure       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE rollbacks (
  -- Recorded policies that are to come back: asked for, and neither written nor given up.
  target_id INTEGER NOT NULL PRIMARY KEY,
  revision  INTEGER NOT NULL,
  actor     TEXT    NOT NULL,
  suspended TEXT    NOT NULL  -- JSON: the resources that were suspended for it
) STRICT;

CREATE TABLE runs (
  -- The daemons that wrote to the store, one after the other: tells an older state from a newer one.
  id     TEXT    NOT NULL PRIMARY KEY,  -- random
  no     INTEGER NOT NULL,              -- counts up
  writes INTEGER NOT NULL               -- its transactions that changed something
) STRICT, WITHOUT ROWID;

CREATE TABLE directory_evidence (
  -- One row: of the last look at the directory.
  id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  look     INTEGER NOT NULL,  -- its number
  settled  INTEGER NOT NULL,  -- changes up to this look are settled
  ground   TEXT    NOT NULL,  -- JSON: where the directory was; empty: not known
  question TEXT    NOT NULL   -- why removals wait for an operator; empty: they do not
) STRICT;

CREATE TABLE unread_items (
  -- What was in the directory and could not be read or understood.
  path        TEXT    NOT NULL PRIMARY KEY,
  fingerprint TEXT    NOT NULL,
  ignored     INTEGER NOT NULL,
  since       INTEGER NOT NULL  -- the number of the look that found it so for the first time
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace

StoreTables SqliteTables() {
  static const std::string kTables =
      std::string(kSqliteTables) + SqliteInventoryTables() + SqliteHourTable();
  return {kTables.c_str(), {}};
}

}  // namespace bindery::store
