#include "store/sql/engine_error.h"

#include "sqlite/database.h"

namespace bindery::store {

void ThrowDamaged(const std::string& what) {
  throw EngineError(Code::kInternal, EngineError::Cause::kDamaged, what);
}

void ThrowNoRow(const std::string& table, std::int64_t id) {
  ThrowDamaged("the table " + table + " has no row " + std::to_string(id) +
               ", which another table names");
}

Error ToError(std::string_view doing, const std::exception& failure) {
  const auto* engine = dynamic_cast<const EngineError*>(&failure);
  if (engine == nullptr) return sqlite::ToError(doing, failure);
  Error error;
  error.code = engine->code();
  error.message = doing;
  error.message += ": ";
  if (engine->cause() == EngineError::Cause::kDamaged) error.message += "the database is damaged: ";
  error.message += engine->what();
  if (engine->cause() == EngineError::Cause::kDamaged) {
    error.message +=
        "; bindery store check lists such faults: restore a backup (bindery store restore), or "
        "move "
        "the store away to begin a new one";
  }
  return error;
}

}  // namespace bindery::store
