#include "store/schema_steps.h"

namespace bindery::store {

// Grants whose condition a service may leave out.
namespace {

constexpr const char* kSchemaVersion7 = R"sql(
-- As JSON, the grants that the write brings with a condition, and that were not there without one:
-- what is stored of them without it is to be taken back. "dropped" names the grants of the policy
-- where that happened, and is not there once it was seen. '' for none.
ALTER TABLE intents ADD COLUMN conditional TEXT NOT NULL DEFAULT '';
)sql";

}  // namespace

const char* SchemaVersion7() { return kSchemaVersion7; }

}  // namespace bindery::store
