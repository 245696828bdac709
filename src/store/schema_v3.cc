#include "store/schema_steps.h"

namespace bindery::store {
namespace {

constexpr const char* kText = R"sql(
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
)sql";

}  // namespace

const char* SchemaVersion3() { return kText; }

}  // namespace bindery::store
