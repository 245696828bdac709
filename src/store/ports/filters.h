#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "core/access/event.h"
#include "core/access/target.h"
#include "core/base/clock.h"

namespace bindery::store {

// Filters of readers of the store.

struct EventFilter {
  /// Events of the resource, and events about the whole target; empty: all events.
  std::string resource;
  std::int64_t after_id = 0;
  std::size_t limit = 1000;  ///< The newest ones; returned oldest first.
  std::int64_t before_id = std::numeric_limits<std::int64_t>::max();
  /// The first events behind `after_id` in the place of the newest ones.
  bool oldest = false;
  std::optional<EventType> type = {};
  std::string reason = {};  ///< Empty: any.
  std::string actor = {};   ///< Empty: any.
  std::string text = {};    ///< Part of a message, a name, a reason or an actor, in any case.
  std::optional<WallTime> since = {};
  std::optional<WallTime> until = {};
};

struct DriftFilter {
  bool unresolved_only = false;
  std::optional<WallTime> resolved_since;  ///< Leaves out what was resolved before.
  std::size_t limit = 10'000;
  std::optional<Target> target = {};  ///< With `unresolved_only`: that one's alone.
};

/// The entries of audit logs about one target in some time, both ends included.
struct AuditFilter {
  std::string target;            ///< Target::name.
  std::optional<WallTime> from;  ///< Not set: from the first on.
  WallTime until;
  std::size_t limit = 1'000;  ///< The oldest ones.
};

}  // namespace bindery::store
