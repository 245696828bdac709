#pragma once

#include <cstdint>
#include <optional>

#include "core/access/event.h"
#include "store/sql/connection.h"
#include "store/sql/words.h"

namespace bindery::store {

/// A severity as it is kept: 0 for none, else from 1 on.
[[nodiscard]] std::int64_t SeverityNumber(std::optional<Severity> severity);

/// Reads an event from the columns time, type, reason, the names of resource and target, message,
/// actor and severity, in this order behind its id.
[[nodiscard]] Event ReadEvent(WordReader& words, const Query& query);

}  // namespace bindery::store
