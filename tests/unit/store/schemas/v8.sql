-- A store as version 5 of the schema left it: as version 4 did, with what was unread in the manifests
-- directory, a claim that was not settled, and grants that a write took away. Never edited.
PRAGMA application_id = 1651401842;
PRAGMA user_version = 8;
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
INSERT INTO holds VALUES('e72952de2f4d',1795283896057,'withdrawn','26 grants would be removed of the 26 the directory held, more than guard.maxRemovedFraction (0.25)','pass','[{"target":"projects/acme/locations/global/authorizationPolicies/payments","kind":"AuthorizationPolicyIamBinding","scope":"","resources":["viewers"],"removes":[{"role":"roles/viewer","member":"user:b6589fc6ab0dc82c@example.com"},{"role":"roles/viewer","member":"user:356a192b7913b04c@example.com"},{"role":"roles/viewer","member":"user:da4b9237bacccdf1@example.com"},{"role":"roles/viewer","member":"user:77de68daecd823ba@example.com"},{"role":"roles/viewer","member":"user:1b6453892473a467@example.com"},{"role":"roles/viewer","member":"user:ac3478d69a3c81fa@example.com"},{"role":"roles/viewer","member":"user:c1dfd96eea8cc2b6@example.com"},{"role":"roles/viewer","member":"user:902ba3cda1883801@example.com"},{"role":"roles/viewer","member":"user:fe5dbbcea5ce7e29@example.com"},{"role":"roles/viewer","member":"user:0ade7c2cf97f75d0@example.com"},{"role":"roles/viewer","member":"user:b1d5781111d84f7b@example.com"},{"role":"roles/viewer","member":"user:17ba0791499db908@example.com"},{"role":"roles/viewer","member":"user:7b52009b64fd0a2a@example.com"},{"role":"roles/viewer","member":"user:bd307a3ec329e10a@example.com"},{"role":"roles/viewer","member":"user:fa35e192121eabf3@example.com"},{"role":"roles/viewer","member":"user:f1abd670358e036c@example.com"},{"role":"roles/viewer","member":"user:1574bddb75c78a6f@example.com"},{"role":"roles/viewer","member":"user:0716d9708d321ffb@example.com"},{"role":"roles/viewer","member":"user:9e6a55b6b4563e65@example.com"},{"role":"roles/viewer","member":"user:b3f0c7f6bb763af1@example.com"},{"role":"roles/viewer","member":"user:91032ad7bbcb6cf7@example.com"},{"role":"roles/viewer","member":"user:472b07b9fcf2c245@example.com"},{"role":"roles/viewer","member":"user:12c6fc06c99a4623@example.com"},{"role":"roles/viewer","member":"user:d435a6cdd786300d@example.com"},{"role":"roles/viewer","member":"user:4d134bc072212ace@example.com"}]},{"target":"dashboard:abc-def-ghi","kind":"RestrictionPolicy","scope":"monitoring","resources":["board"],"removes":[{"relation":"editor","principal":"role:r1"}]}]','');
INSERT INTO holds VALUES('6f9dbe96af69',1795283899921,'open','14 grants would be removed of the 27 the directory held, more than guard.maxRemovedFraction (0.25)','pass','[{"target":"projects/acme/locations/global/authorizationPolicies/payments","kind":"AuthorizationPolicyIamBinding","scope":"","resources":["viewers"],"removes":[{"role":"roles/viewer","member":"user:7b52009b64fd0a2a@example.com"},{"role":"roles/viewer","member":"user:bd307a3ec329e10a@example.com"},{"role":"roles/viewer","member":"user:fa35e192121eabf3@example.com"},{"role":"roles/viewer","member":"user:f1abd670358e036c@example.com"},{"role":"roles/viewer","member":"user:1574bddb75c78a6f@example.com"},{"role":"roles/viewer","member":"user:0716d9708d321ffb@example.com"},{"role":"roles/viewer","member":"user:9e6a55b6b4563e65@example.com"},{"role":"roles/viewer","member":"user:b3f0c7f6bb763af1@example.com"},{"role":"roles/viewer","member":"user:91032ad7bbcb6cf7@example.com"},{"role":"roles/viewer","member":"user:472b07b9fcf2c245@example.com"},{"role":"roles/viewer","member":"user:12c6fc06c99a4623@example.com"},{"role":"roles/viewer","member":"user:d435a6cdd786300d@example.com"},{"role":"roles/viewer","member":"user:4d134bc072212ace@example.com"},{"role":"roles/viewer","member":"user:f6e1126cedebf23e@example.com"}]}]','');
CREATE TABLE generations (
  -- Accepted scans of the manifest directory.
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  time      INTEGER NOT NULL,
  digest    TEXT    NOT NULL,
  files     INTEGER NOT NULL,
  manifests INTEGER NOT NULL,
  problems  INTEGER NOT NULL
, rules TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO generations VALUES(1,1795283889797,'370500bfc5999010b516065be37f0a457ae1bc0a9302b464fed00059eef549a0',1,2,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
INSERT INTO generations VALUES(2,1795283892860,'049cd4237a36003c9cffcb0fc931e813d80f325b529a1bf423d355a0927c9ac8',1,0,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
INSERT INTO generations VALUES(3,1795283892948,'26cacd8a34747e3798872e074d0f2fe18fe30bc68556c500dc3ce08e806e2e1a',1,2,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
INSERT INTO generations VALUES(4,1795283895999,'049cd4237a36003c9cffcb0fc931e813d80f325b529a1bf423d355a0927c9ac8',1,0,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
INSERT INTO generations VALUES(5,1795283896054,'049cd4237a36003c9cffcb0fc931e813d80f325b529a1bf423d355a0927c9ac8',1,0,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
INSERT INTO generations VALUES(6,1795283896346,'d1df6a5e9f443e30e553f6755a89f60c39dc09d3416efb9fa41f22e2d1db57ca',1,2,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
INSERT INTO generations VALUES(7,1795283899910,'4a9f89a3bb7ad95882dd7a3d038b51943c07654d7796558f9e0cd86a95fa349e',1,2,0,'766fe4d7ff9f869b3d12f1419f7e133d0f0709ca93676d57093b26e1f77cc3bb');
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
CREATE TABLE words (
  -- Texts that many rows share.
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO words VALUES(1,'');
INSERT INTO words VALUES(2,'monitoring');
INSERT INTO words VALUES(3,'RestrictionPolicy');
INSERT INTO words VALUES(4,'*');
INSERT INTO words VALUES(5,'AuthorizationPolicyIamBinding');
INSERT INTO words VALUES(6,'roles/viewer');
INSERT INTO words VALUES(7,'Progressing');
INSERT INTO words VALUES(8,'Reconciling');
INSERT INTO words VALUES(9,'waiting for the next check of its target');
INSERT INTO words VALUES(10,'a.yaml');
INSERT INTO words VALUES(11,'cloudnative');
INSERT INTO words VALUES(12,'cloudnative:networksecurity/v1');
INSERT INTO words VALUES(13,'bindery');
INSERT INTO words VALUES(14,'ManifestAccepted');
INSERT INTO words VALUES(15,'Normal');
INSERT INTO words VALUES(16,'foreign');
INSERT INTO words VALUES(17,'ReconciliationSucceeded');
INSERT INTO words VALUES(18,'Ready');
INSERT INTO words VALUES(19,'{"team":"a"}');
INSERT INTO words VALUES(20,'written');
INSERT INTO words VALUES(21,'corrected');
INSERT INTO words VALUES(22,'medium');
INSERT INTO words VALUES(23,'missing');
INSERT INTO words VALUES(24,'absent');
INSERT INTO words VALUES(25,'granted');
INSERT INTO words VALUES(26,'DriftFound');
INSERT INTO words VALUES(27,'Warning');
INSERT INTO words VALUES(28,'PolicyWritten');
INSERT INTO words VALUES(29,'landed');
INSERT INTO words VALUES(30,'the policy is as declared');
INSERT INTO words VALUES(31,'editor');
INSERT INTO words VALUES(32,'declared in a.yaml:1');
INSERT INTO words VALUES(33,'ManifestChanged');
INSERT INTO words VALUES(34,'1 difference: 1 missing (worst: medium)');
INSERT INTO words VALUES(35,'1 added, 0 removed');
INSERT INTO words VALUES(36,'Deleting');
INSERT INTO words VALUES(37,'its manifest is gone: what it granted is being removed');
INSERT INTO words VALUES(38,'ManifestRemoved');
INSERT INTO words VALUES(39,'Stalled');
INSERT INTO words VALUES(40,'GuardHeld');
INSERT INTO words VALUES(41,'held');
INSERT INTO words VALUES(42,'high');
INSERT INTO words VALUES(43,'undeclared');
INSERT INTO words VALUES(44,'removals on its target are held by the guard (26 grants would be removed of the 26 the directory held, more than guard.maxRemovedFraction (0.25)): bindery guard');
INSERT INTO words VALUES(45,'elsewhere');
INSERT INTO words VALUES(46,'removals on its target are held by the guard (14 grants would be removed of the 27 the directory held, more than guard.maxRemovedFraction (0.25)): bindery guard');
CREATE TABLE names (
  -- The names of resources and targets that are or were spoken of. 0 stands for none.
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO names VALUES(1,'board');
INSERT INTO names VALUES(2,'dashboard:abc-def-ghi');
INSERT INTO names VALUES(3,'viewers');
INSERT INTO names VALUES(4,'projects/acme/locations/global/authorizationPolicies/payments');
CREATE TABLE target_keys (
  -- Every target that is or was spoken of, once; the other tables name it by id.
  id    INTEGER PRIMARY KEY,
  name  INTEGER NOT NULL,  -- in names
  kind  INTEGER NOT NULL,  -- a word
  scope INTEGER NOT NULL,  -- a word: the provider, where names mean something only within one
  UNIQUE (name, kind, scope)
) STRICT;
INSERT INTO target_keys VALUES(1,2,3,2);
INSERT INTO target_keys VALUES(2,4,5,1);
CREATE TABLE policies (
  -- Policy documents by content: each body once, however often it is seen.
  id     INTEGER PRIMARY KEY,
  digest ANY     NOT NULL UNIQUE,  -- SHA-256 of the canonical body
  base   INTEGER NOT NULL,         -- the policy this one is a difference to; 0: stands alone
  spent  INTEGER NOT NULL,         -- bytes of differences to that base so far, with this one
  body   ANY     NOT NULL          -- JSON as it was received or sent: text, or zstd when a blob
) STRICT;
INSERT INTO policies VALUES(1,X'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',0,0,'{}');
INSERT INTO policies VALUES(2,X'2ea25f59b3262e6f3fdad63bacfc49aef4a5bd2c9a95eae2c049fafdfeb2f887',0,0,X'28b52ffd20604d0200b4037b2264617461223a7b22747970652c226964223a2264617368626f6172643a6162632d6465662d676869222c22617474726962757465735d7d7d7d03006921ba1a20d38a129612');
INSERT INTO policies VALUES(3,X'7c31a088130b58f962852902cc39994c68fc7f19847629310d2e0f5bc3ef9d36',0,0,X'28b52ffd609e025d090096d83913a09774643cdf3d0cb9ff2f61489aa055953a013600320032004c9ad6788158cf82d28549a40ab6a24b83cdae8de67d27dfccac7b34b9413bc492e4eda4a81501f02077ac1a7f62d90e78810b10180491db9941f242f764ef03b688085eb56c74dd5f3e0f9fb7468e9f73a9f36e97bf0412a26833e94ea4ed30a3ba5bf6b7b0be606a9efb2f438d71d926176f8ac775dbbde14ad8281c8be2ac57857ed5656452bc483fc473889df4827a7534fa836d464ced61070107011d4186d7cda645a1692c68265bf01b8f54189ee7cfbdd8b970cfb6bc7bad432129af64b76b7f1c4f5be66415d6b62a1c00c0b1007a01f402e805d00ba017402f805e005d810f045f056800d000a00140038006000d001a0034006800d000a0c1a3bf3a6c10ca38961a4991714186c315');
INSERT INTO policies VALUES(4,X'00e94e4ee0e94f5a57537e31ed9ca41aef85bd944a8a0b89803fb09d89e5c07e',0,0,X'28b52ffd208e5d020052040f15a0b70da480c9e66b84c86cf72ffa5b1b9930ffc310dd6dda1c585322ad5236102df39d1c9da1089a25c0b3dc4b78d4e5ed894eb438f8cb7e7cf9150300410b71d600995694b094');
INSERT INTO policies VALUES(5,X'c85aa293047959daed75ba15734a189d0bbb20e86f81c39fc0d679d3c4580aa3',3,43,X'28b52ffd64c202ed000080346431333462633037323231326163650300c0dce2c285cba12b0104e1ad57c0');
INSERT INTO policies VALUES(6,X'45bf25a1d6afebb566b9f115b179be7fbe8d4238bd355a96527f9edf798298a9',3,110,X'28b52ffd64e602ad01003402346431333462633037323231326163656636653131323663656465626632335d7d5d7d050040d651ee020e1417995d0e5d8920ac4e2605');
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
INSERT INTO resources VALUES(1,2,3,1,2,4,1,'{"bindings":[{"principals":["role:r1"],"relation":"editor"}],"resourceId":""}','{}','{}','{}',X'f6e5eb88ff420f2edacd2ae6964764e47c79966dd76caf0b6934bfbe0146ee4c',10,21,1,1,18,17,30,1795283896348,'{"id":""}',0,0,1);
INSERT INTO resources VALUES(3,12,5,2,11,6,1,'{"members":["user:b6589fc6ab0dc82c@example.com","user:356a192b7913b04c@example.com","user:da4b9237bacccdf1@example.com","user:77de68daecd823ba@example.com","user:1b6453892473a467@example.com","user:ac3478d69a3c81fa@example.com","user:c1dfd96eea8cc2b6@example.com","user:902ba3cda1883801@example.com","user:fe5dbbcea5ce7e29@example.com","user:0ade7c2cf97f75d0@example.com","user:b1d5781111d84f7b@example.com","user:17ba0791499db908@example.com"],"name":"locations/global/authorizationPolicies/payments","role":""}','{}',19,'{}',X'3faf36edbabcef82720c66aefeeaa2530e83897c0af6bfbf7ce98d3f0f016aa1',10,1,4,4,39,40,'removals on its target are held by the guard (14 grants would be removed of the 27 the directory held, more than guard.maxRemovedFraction (0.25)): bindery guard',1795283899921,'{"id":"","etag":"BwZgzRrp5Bo=","project":"acme"}',0,0,12);
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
INSERT INTO targets VALUES(1,2,1,1,1,'',4,1);
INSERT INTO targets VALUES(2,11,1,1,1,'BwZgzRrp5Bo=',6,26);
CREATE TABLE observations (
  -- When each target was last read. Apart from targets, because an idle pass moves nothing else:
  -- hundreds of these rows share a page, so that a pass over all of them writes little.
  target_id   INTEGER PRIMARY KEY,
  observed_at INTEGER NOT NULL
) STRICT;
INSERT INTO observations VALUES(1,1795283902642);
INSERT INTO observations VALUES(2,1795283902742);
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
INSERT INTO revisions VALUES(1,2,1795283889799,16,'ACAB',1,1);
INSERT INTO revisions VALUES(2,1,1795283889799,16,'',2,1);
INSERT INTO revisions VALUES(3,2,1795283889870,20,'BwZgzRqG1Lw=',3,13);
INSERT INTO revisions VALUES(4,1,1795283889870,20,'',4,13);
INSERT INTO revisions VALUES(5,2,1795283892951,20,'BwZgzRq11wA=',5,13);
INSERT INTO revisions VALUES(6,2,1795283896362,20,'BwZgzRrp5Bo=',6,13);
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
, read_before INTEGER) STRICT;
INSERT INTO drift VALUES(1,2,23,3,6,'user:0716d9708d321ffb@example.com','',22,21,'granted','absent',1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(2,2,23,3,6,'user:0ade7c2cf97f75d0@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(3,2,23,3,6,'user:12c6fc06c99a4623@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(4,2,23,3,6,'user:1574bddb75c78a6f@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(5,2,23,3,6,'user:17ba0791499db908@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(6,2,23,3,6,'user:1b6453892473a467@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(7,2,23,3,6,'user:356a192b7913b04c@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(8,2,23,3,6,'user:472b07b9fcf2c245@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(9,2,23,3,6,'user:77de68daecd823ba@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(10,2,23,3,6,'user:7b52009b64fd0a2a@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(11,2,23,3,6,'user:902ba3cda1883801@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(12,2,23,3,6,'user:91032ad7bbcb6cf7@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(13,2,23,3,6,'user:9e6a55b6b4563e65@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(14,2,23,3,6,'user:ac3478d69a3c81fa@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(15,2,23,3,6,'user:b1d5781111d84f7b@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(16,2,23,3,6,'user:b3f0c7f6bb763af1@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(17,2,23,3,6,'user:b6589fc6ab0dc82c@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(18,2,23,3,6,'user:bd307a3ec329e10a@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(19,2,23,3,6,'user:c1dfd96eea8cc2b6@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(20,2,23,3,6,'user:d435a6cdd786300d@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(21,2,23,3,6,'user:da4b9237bacccdf1@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(22,2,23,3,6,'user:f1abd670358e036c@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(23,2,23,3,6,'user:fa35e192121eabf3@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(24,2,23,3,6,'user:fe5dbbcea5ce7e29@example.com','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(25,1,23,1,31,'role:r1','',22,21,25,24,1795283889870,0,0,13,NULL);
INSERT INTO drift VALUES(26,2,23,3,6,'user:4d134bc072212ace@example.com','',22,21,25,24,1795283892951,0,0,13,NULL);
INSERT INTO drift VALUES(27,2,43,3,6,'user:0716d9708d321ffb@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(28,2,43,3,6,'user:0ade7c2cf97f75d0@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(29,2,43,3,6,'user:12c6fc06c99a4623@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(30,2,43,3,6,'user:1574bddb75c78a6f@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(31,2,43,3,6,'user:17ba0791499db908@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(32,2,43,3,6,'user:1b6453892473a467@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(33,2,43,3,6,'user:356a192b7913b04c@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(34,2,43,3,6,'user:472b07b9fcf2c245@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(35,2,43,3,6,'user:4d134bc072212ace@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(36,2,43,3,6,'user:77de68daecd823ba@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(37,2,43,3,6,'user:7b52009b64fd0a2a@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(38,2,43,3,6,'user:902ba3cda1883801@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(39,2,43,3,6,'user:91032ad7bbcb6cf7@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(40,2,43,3,6,'user:9e6a55b6b4563e65@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(41,2,43,3,6,'user:ac3478d69a3c81fa@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(42,2,43,3,6,'user:b1d5781111d84f7b@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(43,2,43,3,6,'user:b3f0c7f6bb763af1@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(44,2,43,3,6,'user:b6589fc6ab0dc82c@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(45,2,43,3,6,'user:bd307a3ec329e10a@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(46,2,43,3,6,'user:c1dfd96eea8cc2b6@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(47,2,43,3,6,'user:d435a6cdd786300d@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(48,2,43,3,6,'user:da4b9237bacccdf1@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(49,2,43,3,6,'user:f1abd670358e036c@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(50,2,43,3,6,'user:fa35e192121eabf3@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(51,2,43,3,6,'user:fe5dbbcea5ce7e29@example.com','',42,21,24,25,1795283896057,0,305,13,NULL);
INSERT INTO drift VALUES(52,1,43,1,31,'role:r1','',42,21,24,25,1795283896057,0,291,45,NULL);
INSERT INTO drift VALUES(53,2,23,3,6,'user:f6e1126cedebf23e@example.com','',22,21,25,24,1795283896362,0,0,13,NULL);
INSERT INTO drift VALUES(54,2,43,3,6,'user:0716d9708d321ffb@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(55,2,43,3,6,'user:12c6fc06c99a4623@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(56,2,43,3,6,'user:1574bddb75c78a6f@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(57,2,43,3,6,'user:472b07b9fcf2c245@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(58,2,43,3,6,'user:4d134bc072212ace@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(59,2,43,3,6,'user:7b52009b64fd0a2a@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(60,2,43,3,6,'user:91032ad7bbcb6cf7@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(61,2,43,3,6,'user:9e6a55b6b4563e65@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(62,2,43,3,6,'user:b3f0c7f6bb763af1@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(63,2,43,3,6,'user:bd307a3ec329e10a@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(64,2,43,3,6,'user:d435a6cdd786300d@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(65,2,43,3,6,'user:f1abd670358e036c@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(66,2,43,3,6,'user:f6e1126cedebf23e@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
INSERT INTO drift VALUES(67,2,43,3,6,'user:fa35e192121eabf3@example.com','',42,41,24,25,1795283899921,2821,NULL,1,NULL);
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
, severity INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO events VALUES(1,1795283889797,15,14,1,2,'declared in a.yaml:33',13,0);
INSERT INTO events VALUES(2,1795283889797,15,14,3,4,'declared in a.yaml:1',13,0);
INSERT INTO events VALUES(3,1795283889870,27,26,0,4,'24 differences: 24 missing (worst: medium)',13,2);
INSERT INTO events VALUES(4,1795283889870,15,28,0,4,'24 added, 0 removed',13,0);
INSERT INTO events VALUES(5,1795283889870,27,26,0,2,'1 difference: 1 missing (worst: medium)',13,2);
INSERT INTO events VALUES(6,1795283889870,15,28,0,2,'1 added, 0 removed',13,0);
INSERT INTO events VALUES(7,1795283892948,15,33,3,4,32,13,0);
INSERT INTO events VALUES(8,1795283892951,27,26,0,4,34,13,0);
INSERT INTO events VALUES(9,1795283892951,15,28,0,4,35,13,0);
INSERT INTO events VALUES(10,1795283896054,15,38,1,2,37,13,0);
INSERT INTO events VALUES(11,1795283896054,15,38,3,4,37,13,0);
INSERT INTO events VALUES(12,1795283896057,27,26,0,4,'25 differences: 25 undeclared (worst: high)',13,3);
INSERT INTO events VALUES(13,1795283896057,27,40,3,4,44,13,0);
INSERT INTO events VALUES(14,1795283896057,27,26,0,2,'1 difference: 1 undeclared (worst: high)',13,3);
INSERT INTO events VALUES(15,1795283896057,27,40,1,2,44,13,0);
INSERT INTO events VALUES(16,1795283896057,27,40,0,0,'26 grants would be removed of the 26 the directory held, more than guard.maxRemovedFraction (0.25): bindery guard approve e72952de2f4d lets them through',13,0);
INSERT INTO events VALUES(17,1795283896346,15,33,3,4,32,13,0);
INSERT INTO events VALUES(18,1795283896362,27,26,0,4,34,13,0);
INSERT INTO events VALUES(19,1795283896362,15,28,0,4,35,13,0);
INSERT INTO events VALUES(20,1795283899910,15,33,3,4,32,13,0);
INSERT INTO events VALUES(21,1795283899921,27,26,0,4,'14 differences: 14 undeclared (worst: high)',13,3);
INSERT INTO events VALUES(22,1795283899921,27,40,3,4,46,13,0);
INSERT INTO events VALUES(23,1795283899921,27,40,0,0,'14 grants would be removed of the 27 the directory held, more than guard.maxRemovedFraction (0.25): bindery guard approve 6f9dbe96af69 lets them through',13,0);
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
INSERT INTO intents VALUES(1,2,1795283889799,'ACAB',1,X'77e5e5e14ba92325a0616cf52b98e026d4c11479dcc96513c003b2ca2f5a97ae',13,71,29);
INSERT INTO intents VALUES(2,1,1795283889799,'',2,X'ce28595f8cde21925b46b8c0ca02ec85c5bfe608e7774a4d1484f747c01a8773',13,71,29);
INSERT INTO intents VALUES(3,2,1795283892949,'BwZgzRqG1Lw=',3,X'ee419fd056c510dbef70f3de26c9063fd9cfdd438520ad769f5f90c14941064f',13,2,29);
INSERT INTO intents VALUES(4,2,1795283896348,'BwZgzRq11wA=',5,X'828abd77c48d56319d4cf9a153bd826deac449978be194c84e3f9027704d6228',13,14,29);
CREATE TABLE files (
  -- The manifest files as they were when they were last read.
  path   TEXT NOT NULL PRIMARY KEY,
  stamp  BLOB NOT NULL,  -- what tells a changed file from an unchanged one
  digest ANY  NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO files VALUES('a.yaml',X'00fe00000000000042c09800000000006b03000000000000355979ef3121ea18355979ef3121ea18',X'c2a295b6f10789904612651f83bb89364b0c7e6eb6f41dcbd411852a3271116f');
CREATE TABLE webhooks (
  -- Where each webhook stands in the journal, which is the table events.
  name          TEXT    NOT NULL PRIMARY KEY,
  first         INTEGER NOT NULL,  -- the event before the first one that is its business
  cursor        INTEGER NOT NULL,  -- the last event that needs no more work
  delivered_at  INTEGER,           -- when a message was last accepted
  failing_since INTEGER,           -- NULL while messages are accepted
  failure       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO webhooks VALUES('siem',4,21,1795283896346,1795283899925,'HTTP 503');
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
INSERT INTO audit_entries VALUES('projects/p/locations/l/authorizationPolicies/a',1795283861000,'1q2w3e','mallory@example.com','','google.iam.v1.IAMPolicy.SetIamPolicy','gcloud','a.json:1',1,'[{"role":"roles/viewer","member":"user:eve@example.com"}]');
CREATE TABLE audit_files (
  -- How far the files of audit logs were read.
  path   TEXT    NOT NULL PRIMARY KEY,
  inode  INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  lines  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO audit_files VALUES('a.json',42,1234,7);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('generations',7);
INSERT INTO sqlite_sequence VALUES('events',23);
INSERT INTO sqlite_sequence VALUES('revisions',6);
INSERT INTO sqlite_sequence VALUES('intents',4);
CREATE UNIQUE INDEX resources_claim ON resources (target_id, role)
  WHERE accepted = 1 AND role <> 0;
CREATE INDEX revisions_target ON revisions (target_id);
CREATE UNIQUE INDEX drift_unresolved
  ON drift (target_id, class, resource, role, principal, condition) WHERE resolved_after IS NULL;
CREATE INDEX events_resource ON events (resource) WHERE resource <> 0;
CREATE INDEX intents_open ON intents (id) WHERE finished_after IS NULL;
INSERT INTO intents VALUES(1000,2,1795283861465,'e','no digest','',1,NULL,1);
CREATE TABLE rollbacks (
  -- Recorded policies that are to come back: asked for, and neither written nor given up.
  target_id INTEGER NOT NULL PRIMARY KEY,
  revision  INTEGER NOT NULL,
  actor     TEXT    NOT NULL,
  suspended TEXT    NOT NULL  -- JSON: the resources that were suspended for it
) STRICT;

-- 1: nothing was done, or was found as declared, where the manifest is in force now.
ALTER TABLE resources ADD COLUMN untouched INTEGER NOT NULL DEFAULT 0;
UPDATE resources SET untouched = 1 WHERE observed_generation = 0;

-- Events that concern all that is declared on a target.
CREATE INDEX events_target ON events (target) WHERE resource = 0 AND target <> 0;
INSERT INTO rollbacks VALUES(2,1,'ops','["viewers"]');

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

-- The look at which the declaration changed or went missing, packed with how; 0: settled.
ALTER TABLE resources ADD COLUMN age INTEGER NOT NULL DEFAULT 0;
INSERT INTO directory_evidence VALUES(1,7,5,'{"device":1,"directory":"/etc/bindery/manifests","inode":2,"linked":false,"mountPoint":false,"mounts":[],"realPath":"/etc/bindery/manifests"}','');
INSERT INTO unread_items VALUES('broken.yaml','e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',0,3);
UPDATE resources SET age = 24;
-- Grants that the write takes away without an approval: those that manifests declared, and those
-- that were there before a manifest declared their role. On which provider, where there are any.
ALTER TABLE intents ADD COLUMN removed_declared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN removed_adopted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN provider TEXT NOT NULL DEFAULT '';
CREATE INDEX intents_removals ON intents (started)
  WHERE removed_declared + removed_adopted > 0;
UPDATE intents SET removed_declared = 2, removed_adopted = 1, provider = 'cloudnative' WHERE id = 4;
-- 0: unknown, 1: a manifest or setting, 2: somebody in the cloud, 3: the end of a time.
ALTER TABLE drift ADD COLUMN cause INTEGER NOT NULL DEFAULT 0;
UPDATE drift SET cause = 2;
-- Why it may stay, as JSON; '' unless its state is accepted.
ALTER TABLE drift ADD COLUMN acceptance TEXT NOT NULL DEFAULT '';
-- As JSON, the grants that the write brings with a condition, and that were not there without one:
-- what is stored of them without it is to be taken back. "dropped" names the grants of the policy
-- where that happened, and is not there once it was seen. '' for none.
ALTER TABLE intents ADD COLUMN conditional TEXT NOT NULL DEFAULT '';
UPDATE intents SET conditional = '[{"role":"roles/viewer","member":"user:ana@example.com","condition":{"expression":"request.time < timestamp(\"2030-01-01T00:00:00Z\")"}}]' WHERE id = 4;
DROP INDEX intents_open;
CREATE INDEX intents_open ON intents (target_id) WHERE finished_after IS NULL;
