#include "store/schema_steps.h"

namespace bindery::store {

// How far the manifests directory can be believed when something is missing from it, and what
// writes take away for the guard, and what made a difference.
namespace {

constexpr const char* kSchemaVersion5 = R"sql(
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

-- Grants that the write takes away without an approval: those that manifests declared, and those
-- that were there before a manifest declared their role. On which provider, where there are any.
ALTER TABLE intents ADD COLUMN removed_declared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN removed_adopted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN provider TEXT NOT NULL DEFAULT '';
CREATE INDEX intents_removals ON intents (started)
  WHERE removed_declared + removed_adopted > 0;

-- 0: unknown, 1: a manifest or setting, 2: somebody in the cloud, 3: the end of a time.
ALTER TABLE drift ADD COLUMN cause INTEGER NOT NULL DEFAULT 0;
)sql";

}  // namespace

const char* SchemaVersion5() { return kSchemaVersion5; }

}  // namespace bindery::store
