#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "store/sql/engine_error.h"

namespace bindery::store {

/// The value of a stored word. Throws where the word names none: a newer version wrote the row, and
/// no other value may stand in.
template <typename Value>
[[nodiscard]] Value ReadWord(Value (*value_named)(std::string_view), std::string_view word) {
  const Value value = value_named(word);
  if (ToString(value) == word) return value;
  throw EngineError(Code::kFailedPrecondition, EngineError::Cause::kOther,
                    "the store holds the word \"" + std::string(word) +
                        "\", which this version does not know: a newer version wrote it, and only "
                        "a newer version can go on with the store");
}

}  // namespace bindery::store
