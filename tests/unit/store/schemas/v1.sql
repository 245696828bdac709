-- A store as version 1 of the schema left it, with one of everything. Never edited.
PRAGMA user_version = 1;
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

INSERT INTO facts VALUES ('cloud', 'http://127.0.0.1:1');
INSERT INTO target_keys VALUES (5, 'AuthorizationPolicyIamBinding', '',
  'projects/p/locations/l/authorizationPolicies/a'), (9, 'Dashboard', 'datadog', 'dashboard:x'),
  (10, 'AuthorizationPolicyIamBinding', '', '');
INSERT INTO policies VALUES ('337c4a597a0e2ea1526c19744f2b1bc2608c6b9761f13e471c8da2e0122ea483', '{"policy":1}'), ('7eb94410f3b989536bf16546c2838883f5ed6d44dcc9162edb08b91dc915894e', '{"policy":2}');
INSERT INTO resources VALUES ('payments', 'cloudnative:networksecurity/v1',
  'AuthorizationPolicyIamBinding', 5, 'cloudnative', 'roles/viewer', 1, '{"name":"x"}',
  '{"protect":true}', '{"team":"a"}', '{}', '337c4a597a0e2ea1526c19744f2b1bc2608c6b9761f13e471c8da2e0122ea483', 'a.yaml', 7, 3, 2, 'Stalled', 'GuardHeld',
  'waits', 1795256430123, '{"etag":"x"}', 1, 2);
INSERT INTO resources VALUES ('lookup', 'v1', 'Lookup', 10, 'cloudnative', '', 0, '{}', '', '', '',
  'no digest', 'b.yaml', 1, 1, 0, 'Ready', '', '', 1795256430000, '', 0, 0);
INSERT INTO targets VALUES (5, 'cloudnative', 1, 1, 1, 'etag', '7eb94410f3b989536bf16546c2838883f5ed6d44dcc9162edb08b91dc915894e', 12),
  (9, 'datadog', 0, 0, 0, '', NULL, 0);
INSERT INTO observations VALUES (5, 1795256431000), (9, 1795256432000);
INSERT INTO revisions VALUES (41, 5, 1795256430000, 'foreign', 'e1', '337c4a597a0e2ea1526c19744f2b1bc2608c6b9761f13e471c8da2e0122ea483', 'bindery'),
  (42, 5, 1795256431000, 'written', 'e2', '7eb94410f3b989536bf16546c2838883f5ed6d44dcc9162edb08b91dc915894e', 'ana'), (44, 5, 1795256432000, 'written', '', NULL, '');
INSERT INTO revisions VALUES (50, 5, 0, 'observed', '', NULL, '');
DELETE FROM revisions WHERE id = 50;
INSERT INTO drift VALUES (3, 5, 'missing', 'payments', 'roles/viewer', 'user:ana', '', 'high', 'open',
  'granted', 'absent', 1795256430000, 1795256433000, NULL, '');
INSERT INTO drift VALUES (4, 5, 'undeclared', '', 'roles/viewer', 'user:bob',
  '{"description":"","expression":"e","title":"t"}', 'low', 'corrected',
  'absent', 'granted', 1795256430000, 1795256431000, 1795256432000, 'elsewhere');
INSERT INTO events VALUES (7, 1795256433000, 'Warning', 'RoleConflict', 'forgotten', 'projects/p',
  'two claims', 'ana');
INSERT INTO events VALUES (8, 1795256434000, 'Normal', 'Started', '', '', 'begun', 'bindery');
INSERT INTO intents VALUES (6, 5, 1795256430000, 'e', '337c4a597a0e2ea1526c19744f2b1bc2608c6b9761f13e471c8da2e0122ea483', 'not stored', 'bindery', NULL, '');
INSERT INTO intents VALUES (7, 5, 1795256430000, 'e', '337c4a597a0e2ea1526c19744f2b1bc2608c6b9761f13e471c8da2e0122ea483', '7eb94410f3b989536bf16546c2838883f5ed6d44dcc9162edb08b91dc915894e', 'bindery', 1795256431000, 'landed');
INSERT INTO holds VALUES ('hold', 1795256430000, 'open', 'limit', 'pass', '[]', '');
INSERT INTO generations VALUES (2, 1795256430000, 'generation', 3, 4, 5);
INSERT INTO manifest_problems VALUES (1, 'a.yaml', 1, 2, 'spec', 'error', 'code', 'message', 'x');
