#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/access/event.h"
#include "report/codec/json_codec.h"

namespace bindery {

/// An event with its place in the journal.
struct EventLine : Event {
  std::int64_t id = 0;
};

struct EventList {
  std::vector<EventLine> events;  ///< Oldest first.
};

template <>
inline constexpr auto report::kAllOf<EventType> =
    std::array{EventType::kNormal, EventType::kWarning};

template <>
inline constexpr auto report::kFields<EventLine> =
    std::tuple{report::Field{"id", &EventLine::id},
               report::Field{"time", &EventLine::time},
               report::Field{"type", &EventLine::type},
               report::Field{"reason", &EventLine::reason},
               report::Field{"resource", &EventLine::resource},
               report::Field{"target", &EventLine::target},
               report::Field{"message", &EventLine::message},
               report::Field{"actor", &EventLine::actor},
               report::FieldIfSet{"severity", &EventLine::severity}};

template <>
inline constexpr auto report::kFields<EventList> =
    std::tuple{report::Field{"events", &EventList::events}};

}  // namespace bindery
