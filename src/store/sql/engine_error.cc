#include "store/sql/engine_error.h"

#include "sqlite/database.h"

namespace bindery::store {

void ThrowDamaged(const std::string& what) {
  throw EngineError(Code::kInternal, EngineError::Cause::kDamaged, what);
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
  return error;
}

}  // namespace bindery::store
