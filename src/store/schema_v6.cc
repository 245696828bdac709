#include "store/schema_steps.h"

namespace bindery::store {

// Differences that may stay for some time.
namespace {

constexpr const char* kSchemaVersion6 = R"sql(
-- Why it may stay, as JSON; '' unless its state is accepted.
ALTER TABLE drift ADD COLUMN acceptance TEXT NOT NULL DEFAULT '';
)sql";

}  // namespace

const char* SchemaVersion6() { return kSchemaVersion6; }

}  // namespace bindery::store
