#include "store/schema_steps.h"

namespace bindery::store {

// Rollbacks that are not over yet, resources in whose name nothing was done, and what happened to a
// target found by it.
namespace {

constexpr const char* kSchemaVersion4 = R"sql(
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
)sql";

}  // namespace

const char* SchemaVersion4() { return kSchemaVersion4; }

}  // namespace bindery::store
