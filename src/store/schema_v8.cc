#include "store/schema_steps.h"

namespace bindery::store {

// Writes under way are found by their target.
namespace {

constexpr const char* kSchemaVersion8 = R"sql(
DROP INDEX intents_open;
CREATE INDEX intents_open ON intents (target_id) WHERE finished_after IS NULL;
)sql";

}  // namespace

const char* SchemaVersion8() { return kSchemaVersion8; }

}  // namespace bindery::store
