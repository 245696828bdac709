#include "store/schema.h"

#include <array>

#include "store/schema_steps.h"

namespace bindery::store {

std::span<const char* const> SchemaSteps() {
  static const std::array<const char*, 2> steps = {kSchemaVersion1, kSchemaVersion2};
  return steps;
}

}  // namespace bindery::store
