PRAGMA application_id = 1651401842;
PRAGMA user_version = 100;
BEGIN TRANSACTION;
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
CREATE TABLE directory_evidence (
  -- One row: of the last look at the directory.
  id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  look     INTEGER NOT NULL,  -- its number
  settled  INTEGER NOT NULL,  -- changes up to this look are settled
  ground   TEXT    NOT NULL,  -- JSON: where the directory was; empty: not known
  question TEXT    NOT NULL   -- why removals wait for an operator; empty: they do not
) STRICT;
INSERT INTO "directory_evidence" VALUES(1,4,4,'{"directory":"/tmp/bindery-upgrade-o6krd6_3/made/manifests","realPath":"/tmp/bindery-upgrade-o6krd6_3/made/manifests","device":65024,"inode":10381391,"linked":false,"mountPoint":false,"mounts":[],"volume":"0000ef53:id:33eb08e8064e40f2","mountedAt":"/","recursive":true,"rules":"12630217c4b667266ed5b3838366bf8b04ad40e4799d7983ecb1f89083c24669"}','');
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
INSERT INTO "drift" VALUES(1,2,18,3,3,'user:gus@example.com','',17,16,'granted','absent',1796062843895,1230,NULL,1,NULL,1,'',0);
INSERT INTO "drift" VALUES(2,2,22,3,3,'user:mallory@example.com','',21,16,20,19,1796062843895,1230,NULL,1,NULL,0,'',0);
INSERT INTO "drift" VALUES(3,3,18,5,3,'user:bob@example.com','',17,30,19,20,1796062843897,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(4,1,18,1,3,'user:fay@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(5,4,18,7,3,'user:ana@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(6,5,18,9,3,'user:eve@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(7,5,18,9,3,'user:person0@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(8,5,18,9,3,'user:person1@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(9,5,18,9,3,'user:person2@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(10,5,18,9,3,'user:person3@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(11,5,18,9,3,'user:person4@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(12,5,18,9,3,'user:person5@example.com','',17,30,19,20,1796062843898,0,0,10,NULL,1,'',0);
INSERT INTO "drift" VALUES(13,3,18,5,3,'user:dan@example.com','',17,30,19,20,1796062844997,0,0,10,872,1,'',0);
INSERT INTO "drift" VALUES(14,5,22,9,3,'user:person0@example.com','',21,44,20,19,1796062845087,0,NULL,1,342,1,'',0);
INSERT INTO "drift" VALUES(15,5,22,9,3,'user:person1@example.com','',21,44,20,19,1796062845087,0,NULL,1,342,1,'',0);
INSERT INTO "drift" VALUES(16,5,22,9,3,'user:person2@example.com','',21,44,20,19,1796062845087,0,NULL,1,342,1,'',0);
INSERT INTO "drift" VALUES(17,5,22,9,3,'user:person3@example.com','',21,44,20,19,1796062845087,0,NULL,1,342,1,'',0);
INSERT INTO "drift" VALUES(18,5,22,9,3,'user:person4@example.com','',21,44,20,19,1796062845087,0,NULL,1,342,1,'',0);
INSERT INTO "drift" VALUES(19,5,22,9,3,'user:person5@example.com','',21,44,20,19,1796062845087,0,NULL,1,342,1,'',0);
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
INSERT INTO "events" VALUES(1,1796062843892,12,11,1,2,'declared in asleep.yaml:1',10,0);
INSERT INTO "events" VALUES(2,1796062843892,12,11,3,4,'declared in differing.yaml:1',10,0);
INSERT INTO "events" VALUES(3,1796062843892,12,11,5,6,'declared in edited.yaml:1',10,0);
INSERT INTO "events" VALUES(4,1796062843892,12,11,7,8,'declared in kept.yaml:1',10,0);
INSERT INTO "events" VALUES(5,1796062843892,12,11,9,10,'declared in leaving.yaml:1',10,0);
INSERT INTO "events" VALUES(6,1796062843895,24,23,0,4,'2 differences: 1 missing, 1 undeclared (worst: high, cause: manifest and unknown); undeclared roles/viewer for user:mallory@example.com',10,3);
INSERT INTO "events" VALUES(7,1796062843895,24,13,3,4,25,10,0);
INSERT INTO "events" VALUES(8,1796062843897,12,23,0,6,'1 difference: 1 missing (worst: medium, cause: manifest); missing roles/viewer for user:bob@example.com',10,2);
INSERT INTO "events" VALUES(9,1796062843897,12,31,0,6,'1 added, 0 removed',10,0);
INSERT INTO "events" VALUES(10,1796062843898,12,23,0,2,'1 difference: 1 missing (worst: medium, cause: manifest); missing roles/viewer for user:fay@example.com',10,2);
INSERT INTO "events" VALUES(11,1796062843898,12,31,0,2,34,10,0);
INSERT INTO "events" VALUES(12,1796062843898,12,23,0,8,'1 difference: 1 missing (worst: medium, cause: manifest); missing roles/viewer for user:ana@example.com',10,2);
INSERT INTO "events" VALUES(13,1796062843898,12,31,0,8,34,10,0);
INSERT INTO "events" VALUES(14,1796062843898,12,23,0,10,'7 differences: 7 missing (worst: medium, cause: manifest); missing roles/viewer for user:eve@example.com, missing roles/viewer for user:person0@example.com, missing roles/viewer for user:person1@example.com, missing roles/viewer for user:person2@example.com, missing roles/viewer for user:person3@example.com and 2 more',10,2);
INSERT INTO "events" VALUES(15,1796062843898,12,31,0,10,'7 added, 0 removed',10,0);
INSERT INTO "events" VALUES(16,1796062844929,12,37,1,2,'no longer checked or written',36,0);
INSERT INTO "events" VALUES(17,1796062844984,12,40,5,6,39,10,0);
INSERT INTO "events" VALUES(18,1796062844997,12,23,0,6,'1 difference: 1 missing (worst: medium, cause: manifest); missing roles/viewer for user:dan@example.com',10,2);
INSERT INTO "events" VALUES(19,1796062844997,12,31,0,6,34,10,0);
INSERT INTO "events" VALUES(20,1796062845087,12,40,9,10,42,10,0);
INSERT INTO "events" VALUES(21,1796062845087,12,23,0,10,'6 differences: 6 undeclared (worst: high, cause: manifest); undeclared roles/viewer for user:person0@example.com, undeclared roles/viewer for user:person1@example.com, undeclared roles/viewer for user:person2@example.com, undeclared roles/viewer for user:person3@example.com, undeclared roles/viewer for user:person4@example.com and 1 more',10,3);
INSERT INTO "events" VALUES(22,1796062845087,24,43,9,10,45,10,0);
INSERT INTO "events" VALUES(23,1796062845087,24,43,0,0,'6 grants would be removed, more than guard.maxRemovedGrants (3): user:person0@example.com would lose roles/viewer on projects/acme/locations/global/authorizationPolicies/leaving, user:person1@example.com would lose roles/viewer on projects/acme/locations/global/authorizationPolicies/leaving, user:person2@example.com would lose roles/viewer on projects/acme/locations/global/authorizationPolicies/leaving and 3 more. bindery guard approve dc852cacaa0e lets exactly this through, bindery guard deny dc852cacaa0e keeps it as it is',10,0);
CREATE TABLE files (
  -- The manifest files as they were when they were last read.
  path   TEXT NOT NULL PRIMARY KEY,
  stamp  BLOB NOT NULL,  -- what tells a changed file from an unchanged one
  digest ANY  NOT NULL
) STRICT, WITHOUT ROWID;
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
INSERT INTO "generations" VALUES(1,1796062843892,'1d0ae83e187ed2544d4acc3cd1c44634de42126f0f3bf1b8e36e96b5979dce91',5,5,0,'9e933753bfd1c8ce5eb1ccd761c0be2b306fbfb872e3fc56d9e912cd1a1076da');
INSERT INTO "generations" VALUES(2,1796062844984,'32ca24e89301b9bd18cbd2babb8c19aebf1c2bcf12eeabe92cbfca6f120df1c7',5,5,0,'9e933753bfd1c8ce5eb1ccd761c0be2b306fbfb872e3fc56d9e912cd1a1076da');
INSERT INTO "generations" VALUES(3,1796062845087,'59ae1c09eff8f7b37aa09fb14e071c05becee2646eb2495bcf826c92fa1f8e71',5,5,0,'9e933753bfd1c8ce5eb1ccd761c0be2b306fbfb872e3fc56d9e912cd1a1076da');
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
INSERT INTO "holds" VALUES('dc852cacaa0e',1796062845087,'open','6 grants would be removed, more than guard.maxRemovedGrants (3)','pass','[{"target":"projects/acme/locations/global/authorizationPolicies/leaving","kind":"AuthorizationPolicyIamBinding","scope":"","provider":"cloudnative","resources":["leaving"],"reason":"6 grants would be removed, more than guard.maxRemovedGrants (3)","removes":[{"role":"roles/viewer","member":"user:person0@example.com","severity":"medium","cause":"manifest"},{"role":"roles/viewer","member":"user:person1@example.com","severity":"medium","cause":"manifest"},{"role":"roles/viewer","member":"user:person2@example.com","severity":"medium","cause":"manifest"},{"role":"roles/viewer","member":"user:person3@example.com","severity":"medium","cause":"manifest"},{"role":"roles/viewer","member":"user:person4@example.com","severity":"medium","cause":"manifest"},{"role":"roles/viewer","member":"user:person5@example.com","severity":"medium","cause":"manifest"}],"reasons":[{"limit":"number","scope":"all","count":6,"before":0,"window":3600000,"most":3,"held":0,"fraction":0.0,"half":false,"severity":"low","name":""}]}]','');
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
INSERT INTO "hours" VALUES(1796061600000,8,8,8,7,7,7,1,5,0,19);
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
INSERT INTO "intents" VALUES(1,3,1796062843000,'ACAB',2,X'36BEA3608CB4AEC8B6A0986EE866A94808FBACED86B5642C46BE79D2F5443837',10,897,32,0,0,'','');
INSERT INTO "intents" VALUES(2,4,1796062843000,'ACAB',2,X'C4EC06B048D7D21C542E1E4170B1C8EF685CB9FBC2B5705F5E0419FBBBE8408D',10,898,32,0,0,'','');
INSERT INTO "intents" VALUES(3,5,1796062843000,'ACAB',2,X'E86C2DE5CB59D2A5D8BD2913AE7D63FEEE51D911283275C90F908DAB7F1464C6',10,898,32,0,0,'','');
INSERT INTO "intents" VALUES(4,1,1796062843000,'ACAB',2,X'4098899E960B2733F90CD0DB7DAA61568017E42A19DB3C7D42407BF298EDC86A',10,898,32,0,0,'','');
INSERT INTO "intents" VALUES(5,3,1796062844000,'BwZhgnfOBPc=',3,X'928F1B4EB22BAB2D1EC9F38BCC7C8224630A08D337020DA9B4C617CFD829D320',10,997,32,0,0,'','');
CREATE TABLE inventories (
  -- Scans of clouds: how far each is, and what it found besides policies and containers.
  id         INTEGER PRIMARY KEY,
  provider   TEXT    NOT NULL,
  scope      TEXT    NOT NULL,
  started    INTEGER NOT NULL,
  finished   INTEGER,           -- NULL: it is under way, or was cut off
  step       INTEGER NOT NULL,  -- the list that is read
  token      TEXT    NOT NULL,  -- asks for the next page of that list
  pages      INTEGER NOT NULL,
  policies   INTEGER NOT NULL,
  containers INTEGER NOT NULL,
  others     TEXT    NOT NULL,  -- JSON: by type, resources whose access is not read
  unread     TEXT    NOT NULL   -- JSON: which lists were refused, and why
) STRICT;
CREATE TABLE inventory_containers (
  -- Organizations, folders and projects that a scan found.
  inventory INTEGER NOT NULL,
  name      TEXT    NOT NULL,
  number    TEXT    NOT NULL,
  parent    TEXT    NOT NULL,
  shown     TEXT    NOT NULL,
  state     TEXT    NOT NULL,
  PRIMARY KEY (inventory, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE inventory_policies (
  -- The policies that a scan found. Those may be hours old: they decide no write.
  inventory INTEGER NOT NULL,
  resource  TEXT    NOT NULL,
  type      TEXT    NOT NULL,
  kind      TEXT    NOT NULL,  -- of a target; '' where no kind manages it
  target    TEXT    NOT NULL,  -- its name
  place     TEXT    NOT NULL,  -- the container that it is in
  bindings  TEXT    NOT NULL,  -- JSON
  PRIMARY KEY (inventory, resource, type)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE names (
  -- The names of resources and targets that are or were spoken of. 0 stands for none.
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "names" VALUES(1,'asleep');
INSERT INTO "names" VALUES(2,'projects/acme/locations/global/authorizationPolicies/asleep');
INSERT INTO "names" VALUES(3,'differing');
INSERT INTO "names" VALUES(4,'projects/acme/locations/global/authorizationPolicies/differing');
INSERT INTO "names" VALUES(5,'edited');
INSERT INTO "names" VALUES(6,'projects/acme/locations/global/authorizationPolicies/edited');
INSERT INTO "names" VALUES(7,'kept');
INSERT INTO "names" VALUES(8,'projects/acme/locations/global/authorizationPolicies/kept');
INSERT INTO "names" VALUES(9,'leaving');
INSERT INTO "names" VALUES(10,'projects/acme/locations/global/authorizationPolicies/leaving');
CREATE TABLE observations (
  -- When each target was last read. Apart from targets, because an idle pass moves nothing else:
  -- hundreds of these rows share a page, so that a pass over all of them writes little.
  target_id   INTEGER PRIMARY KEY,
  observed_at INTEGER NOT NULL
) STRICT;
INSERT INTO "observations" VALUES(1,1796062844053);
INSERT INTO "observations" VALUES(2,1796062844985);
INSERT INTO "observations" VALUES(3,1796062844997);
INSERT INTO "observations" VALUES(4,1796062844985);
INSERT INTO "observations" VALUES(5,1796062845087);
CREATE TABLE policies (
  -- Policy documents by content: each body once, however often it is seen.
  id     INTEGER PRIMARY KEY,
  digest ANY     NOT NULL UNIQUE,  -- SHA-256 of the canonical body
  base   INTEGER NOT NULL,         -- the policy this one is a difference to; 0: stands alone
  spent  INTEGER NOT NULL,         -- bytes of differences to that base so far, with this one
  body   ANY     NOT NULL          -- JSON as it was received or sent: text, or zstd when a blob
) STRICT;
INSERT INTO "policies" VALUES(1,X'7E7670A494040BF53A5800896837564C81D4BAC9BEBDD43BC6DD8AF71F50622D',0,0,X'28B52FFD2059DD0000707B7669657765726D616C6C6F7279041006DC6CD4A4C80B327C05');
INSERT INTO "policies" VALUES(2,X'44136FA355B3678A1146AD16F7E8649E94FB4FC21FE77E8310C060F61CAAFF8A',0,0,'{}');
INSERT INTO "policies" VALUES(3,X'A223C60E01C2195A08D2CF882387A88985AE9D7BFC08601F3635EC2EEE37B933',0,0,X'28B52FFD2055BD0000507B766965776572626F62041006D83CD4A4C80B327C05');
INSERT INTO "policies" VALUES(4,X'2E34B5A1E1D2B4C1BE5B8BD1B9D6C0F6473A681F8CB215A19C2B44FBA043CE39',0,0,X'28B52FFD2055BD0000507B766965776572666179041006D83CD4A4C80B327C05');
INSERT INTO "policies" VALUES(5,X'CC5B7C3F9B8FF52F19C07CAA2DF59A80402770F81AF43C140D949FAD710F6A75',0,0,X'28B52FFD2055BD0000507B766965776572616E61041006D83CD4A4C80B327C05');
INSERT INTO "policies" VALUES(6,X'BFA7BBE23C8E0467704A992ABD24F1048B65AB1643B1E8C49F58D3C8019DF735',0,0,X'28B52FFD20F7BD0100D87B7669657765726576652C706572736F6E3031323334355D7D5D7D0B00E010601FB019B005D8D7C75AE0B18BC531D4488A8C0B321CAE');
INSERT INTO "policies" VALUES(7,X'A92F9620DD47EA6E8332F0D71DC176CF25988484E638483AD915AEB85252F5D6',0,0,X'28B52FFD206C2D0100907B766965776572626F622C64616E5D7D5D7D06003A67023F5C2C8EA14652645C90E17005');
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
INSERT INTO "resources" VALUES(1,7,2,1,6,3,1,'{"members":["user:fay@example.com"],"name":"","role":""}',9,'{}','{}',X'AF83CAE0A290C70CB9E64BE14E0E06A8AF78886A6A2DE3792FCCBA4B55E5BD0F',35,1,1,1,37,37,'suspended by an operator: bindery resume asleep',1796062844929,'{"id":"","etag":"BwZhgnfOBzs=","project":"acme"}',1,0,1,0,0);
INSERT INTO "resources" VALUES(3,7,2,2,6,3,1,'{"members":["user:gus@example.com"],"name":"","role":""}','{"mode":"observe"}','{}','{}',X'765486F1E978A03D735A50EF76E36E8266E72F1C4FA443351A670A4C310137A2','differing.yaml',1,1,1,14,13,'2 differences from what it declares; see bindery drift',1796062843895,'{"id":"","etag":"BwZhgnfL/t8=","project":"acme"}',0,0,1,0,0);
INSERT INTO "resources" VALUES(5,7,2,3,6,3,1,'{"members":["user:bob@example.com","user:dan@example.com"],"name":"","role":""}',9,'{}','{}',X'436A06A9C9A3E5E754C8030DF5F3ED0B6D8DDC29020A485A4AFB19890033DC5D',38,1,2,2,28,27,33,1796062844997,'{"id":"","etag":"BwZhgnfez5s=","project":"acme"}',0,0,2,0,0);
INSERT INTO "resources" VALUES(7,7,2,4,6,3,1,'{"members":["user:ana@example.com"],"name":"","role":""}',9,'{}','{}',X'076ACAD409CCC3D68F1EA3482BD5A2A8B1ADB1C213F6F21838200FC904E4E496','kept.yaml',1,1,1,28,27,33,1796062843898,'{"id":"","etag":"BwZhgnfOB+E=","project":"acme"}',0,0,1,0,0);
INSERT INTO "resources" VALUES(9,7,2,5,6,3,1,'{"members":["user:eve@example.com"],"name":"","role":""}',9,'{}','{}',X'9AD750F462413AFDF62476B1A4E4C01EC007B7A32C914BAAC139C26B20817012',41,1,2,2,14,43,'removals on its target are held by the guard (6 grants would be removed, more than guard.maxRemovedGrants (3)): bindery guard',1796062845087,'{"id":"","etag":"BwZhgnfOBtw=","project":"acme"}',0,0,1,2,0);
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
INSERT INTO "revisions" VALUES(1,2,1796062843895,15,'BwZhgnfL/t8=',1,1);
INSERT INTO "revisions" VALUES(2,3,1796062843895,15,'ACAB',2,1);
INSERT INTO "revisions" VALUES(3,4,1796062843895,15,'ACAB',2,1);
INSERT INTO "revisions" VALUES(4,5,1796062843895,15,'ACAB',2,1);
INSERT INTO "revisions" VALUES(5,1,1796062843895,15,'ACAB',2,1);
INSERT INTO "revisions" VALUES(6,3,1796062843897,29,'BwZhgnfOBPc=',3,10);
INSERT INTO "revisions" VALUES(7,1,1796062843898,29,'BwZhgnfOBzs=',4,10);
INSERT INTO "revisions" VALUES(8,4,1796062843898,29,'BwZhgnfOB+E=',5,10);
INSERT INTO "revisions" VALUES(9,5,1796062843898,29,'BwZhgnfOBtw=',6,10);
INSERT INTO "revisions" VALUES(10,3,1796062844997,29,'BwZhgnfez5s=',7,10);
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
INSERT INTO "runs" VALUES('a06e5d65a84bfb8922dd085aaf129f27',1,14);
CREATE TABLE target_keys (
  -- Every target that is or was spoken of, once; the other tables name it by id.
  id    INTEGER PRIMARY KEY,
  name  INTEGER NOT NULL,  -- in names
  kind  INTEGER NOT NULL,  -- a word
  scope INTEGER NOT NULL,  -- a word: the provider, where names mean something only within one
  UNIQUE (name, kind, scope)
) STRICT;
INSERT INTO "target_keys" VALUES(1,2,2,1);
INSERT INTO "target_keys" VALUES(2,4,2,1);
INSERT INTO "target_keys" VALUES(3,6,2,1);
INSERT INTO "target_keys" VALUES(4,8,2,1);
INSERT INTO "target_keys" VALUES(5,10,2,1);
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
INSERT INTO "targets" VALUES(1,6,1,1,1,'BwZhgnfOBzs=',4,1,0);
INSERT INTO "targets" VALUES(2,6,1,1,0,'BwZhgnfL/t8=',1,1,1);
INSERT INTO "targets" VALUES(3,6,1,1,1,'BwZhgnfez5s=',7,2,0);
INSERT INTO "targets" VALUES(4,6,1,1,1,'BwZhgnfOB+E=',5,1,0);
INSERT INTO "targets" VALUES(5,6,1,1,1,'BwZhgnfOBtw=',6,7,6);
CREATE TABLE unread_items (
  -- What was in the directory and could not be read or understood.
  path        TEXT    NOT NULL PRIMARY KEY,
  fingerprint TEXT    NOT NULL,
  ignored     INTEGER NOT NULL,
  since       INTEGER NOT NULL  -- the number of the look that found it so for the first time
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
CREATE TABLE words (
  -- Texts that many rows share. A number is never given again: readers keep words.
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "words" VALUES(1,'');
INSERT INTO "words" VALUES(2,'AuthorizationPolicyIamBinding');
INSERT INTO "words" VALUES(3,'roles/viewer');
INSERT INTO "words" VALUES(4,'Progressing');
INSERT INTO "words" VALUES(5,'Reconciling');
INSERT INTO "words" VALUES(6,'cloudnative');
INSERT INTO "words" VALUES(7,'cloudnative:networksecurity/v1');
INSERT INTO "words" VALUES(8,'waiting for the next check of its target');
INSERT INTO "words" VALUES(9,'{"mode":"enforce"}');
INSERT INTO "words" VALUES(10,'bindery');
INSERT INTO "words" VALUES(11,'ManifestAccepted');
INSERT INTO "words" VALUES(12,'Normal');
INSERT INTO "words" VALUES(13,'DriftObserved');
INSERT INTO "words" VALUES(14,'Stalled');
INSERT INTO "words" VALUES(15,'foreign');
INSERT INTO "words" VALUES(16,'open');
INSERT INTO "words" VALUES(17,'medium');
INSERT INTO "words" VALUES(18,'missing');
INSERT INTO "words" VALUES(19,'granted');
INSERT INTO "words" VALUES(20,'absent');
INSERT INTO "words" VALUES(21,'high');
INSERT INTO "words" VALUES(22,'undeclared');
INSERT INTO "words" VALUES(23,'DriftFound');
INSERT INTO "words" VALUES(24,'Warning');
INSERT INTO "words" VALUES(25,'2 differences from what it declares; see bindery drift');
INSERT INTO "words" VALUES(26,'unknown');
INSERT INTO "words" VALUES(27,'ReconciliationSucceeded');
INSERT INTO "words" VALUES(28,'Ready');
INSERT INTO "words" VALUES(29,'written');
INSERT INTO "words" VALUES(30,'corrected');
INSERT INTO "words" VALUES(31,'PolicyWritten');
INSERT INTO "words" VALUES(32,'landed');
INSERT INTO "words" VALUES(33,'the policy is as declared');
INSERT INTO "words" VALUES(34,'1 added, 0 removed');
INSERT INTO "words" VALUES(35,'asleep.yaml');
INSERT INTO "words" VALUES(36,'user root (uid 0)');
INSERT INTO "words" VALUES(37,'Suspended');
INSERT INTO "words" VALUES(38,'edited.yaml');
INSERT INTO "words" VALUES(39,'declared in edited.yaml:1');
INSERT INTO "words" VALUES(40,'ManifestChanged');
INSERT INTO "words" VALUES(41,'leaving.yaml');
INSERT INTO "words" VALUES(42,'declared in leaving.yaml:1');
INSERT INTO "words" VALUES(43,'GuardHeld');
INSERT INTO "words" VALUES(44,'held');
INSERT INTO "words" VALUES(45,'removals on its target are held by the guard (6 grants would be removed, more than guard.maxRemovedGrants (3)): bindery guard');
CREATE UNIQUE INDEX resources_claim ON resources (target_id, role)
  WHERE accepted = 1 AND role <> 0;
CREATE INDEX resources_others ON resources (target_id) WHERE accepted = 0 OR role = 0;
CREATE INDEX revisions_target ON revisions (target_id);
CREATE UNIQUE INDEX drift_unresolved
  ON drift (target_id, class, resource, role, principal, condition) WHERE resolved_after IS NULL;
CREATE INDEX events_resource ON events (resource) WHERE resource <> 0;
CREATE INDEX events_target ON events (target) WHERE resource = 0 AND target <> 0;
CREATE INDEX intents_open ON intents (target_id) WHERE finished_after IS NULL;
CREATE INDEX intents_removals ON intents (started)
  WHERE removed_declared + removed_adopted > 0;
CREATE INDEX manifest_problems_resource ON manifest_problems (resource, file);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('generations',3);
INSERT INTO "sqlite_sequence" VALUES('words',45);
INSERT INTO "sqlite_sequence" VALUES('events',23);
INSERT INTO "sqlite_sequence" VALUES('revisions',10);
INSERT INTO "sqlite_sequence" VALUES('intents',5);
COMMIT;
