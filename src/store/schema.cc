#include "store/schema.h"

#include <array>

#include "store/schema_steps.h"

namespace bindery::store {

std::span<const char* const> SchemaSteps() {
  static const std::array<const char*, 8> kSteps = {
      SchemaVersion1(), SchemaVersion2(), SchemaVersion3(), SchemaVersion4(),
      SchemaVersion5(), SchemaVersion6(), SchemaVersion7(), SchemaVersion8()};
  return kSteps;
}

}  // namespace bindery::store
