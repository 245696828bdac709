#pragma once

#include <cstdint>
#include <optional>

#include "core/target.h"
#include "store/connection.h"

namespace bindery::store {

/// The id of a target that is on record.
[[nodiscard]] std::optional<std::int64_t> FindTargetId(Connection& connection,
                                                       const Target& target);

/// The id of a target, put on record when it is new.
[[nodiscard]] std::int64_t InternTarget(Connection& connection, const Target& target);

/// Reads back kind, scope and name from three columns in a row.
[[nodiscard]] Target ReadTarget(const Query& query, int first_column);

}  // namespace bindery::store
