#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace bindery::store {

class Connection;

/// What the next policy of a target may be a difference to.
struct LastPolicy {
  std::int64_t whole_id = 0;  ///< Of the whole policy that the last one is, or is based on.
  std::int64_t spent = 0;     ///< Bytes of the differences to it so far.
  std::int64_t budget = 0;    ///< Its own size as it is stored.
  std::optional<std::string> whole = {};  ///< Its text; nothing when it is damaged.
};

/// Returns the last policy of each target, if any. Throws EngineError.
void ReadLastPolicies(Connection& connection, std::span<const std::int64_t> target_ids,
                      const std::function<void(std::int64_t, LastPolicy)>& take);

}  // namespace bindery::store
