#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/access/drift.h"
#include "core/base/clock.h"

namespace bindery {

enum class EventType { kNormal, kWarning };
[[nodiscard]] std::string_view ToString(EventType value);
[[nodiscard]] EventType EventTypeFromString(std::string_view text);

/// An event; never an idle "nothing to do". Holds no secret.
struct Event {
  WallTime time;
  EventType type = EventType::kNormal;
  std::string reason;    ///< CamelCase: "PolicyWritten", "DriftFound", "RoleConflict", …
  std::string resource;  ///< The manifest's name; empty when it concerns a target or the daemon.
  std::string target;    ///< Target::name; empty when it concerns none.
  std::string message;   ///< One line for people.
  std::string actor;     ///< "bindery", or the user who asked over the socket.
  /// The severity of the event's worst difference; nothing without a difference.
  std::optional<Severity> severity = {};
};

}  // namespace bindery
