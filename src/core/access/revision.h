#pragma once

#include <string_view>

namespace bindery {

/// Why a policy is on record: seen in the cloud, written by us, seen before our first write to the
/// target, or written back by a rollback.
enum class Origin { kObserved, kWritten, kForeign, kRollback };
[[nodiscard]] std::string_view ToString(Origin value);
[[nodiscard]] Origin OriginFromString(std::string_view text);

}  // namespace bindery
