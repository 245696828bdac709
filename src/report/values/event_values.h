#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/access/event.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

/// An event with its place in the journal.
struct EventLine : Event {
  std::int64_t id = 0;
};

struct EventList {
  std::vector<EventLine> events;  ///< Oldest first, or in the asked order.
  // Of a list in an asked order: the number of all events that the filter lets through, and of
  // those before the first of the list.
  std::optional<std::size_t> total = {};
  std::optional<std::size_t> offset = {};
};

template <>
inline constexpr auto kAllOf<EventType> = std::array{EventType::kNormal, EventType::kWarning};

template <>
inline constexpr auto kFields<EventLine> = std::tuple{Field{"id", &EventLine::id},
                                                      Field{"time", &EventLine::time},
                                                      Field{"type", &EventLine::type},
                                                      Field{"reason", &EventLine::reason},
                                                      Field{"resource", &EventLine::resource},
                                                      Field{"target", &EventLine::target},
                                                      Field{"message", &EventLine::message},
                                                      Field{"actor", &EventLine::actor},
                                                      FieldIfSet{"severity", &EventLine::severity}};

template <>
inline constexpr auto kFields<EventList> =
    std::tuple{Field{"events", &EventList::events}, FieldIfSet{"total", &EventList::total},
               FieldIfSet{"offset", &EventList::offset}};

}  // namespace bindery::report
