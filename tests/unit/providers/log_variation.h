#pragma once

#include <functional>
#include <optional>

#include "core/access/audit_entry.h"
#include "core/base/json.h"

namespace bindery::testing {

/// A line of a log that is a little different from a recorded one, and what is read from it.
struct Variation {
  const char* name;
  std::function<void(Json& line, Json& call)> make;  ///< `call`: the part that tells of the call.
  std::function<bool(const std::optional<AuditEntry>&)> holds;
};

inline bool IsNone(const std::optional<AuditEntry>& entry) { return !entry; }

}  // namespace bindery::testing
