#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/access/event.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

/// An event with its place in the journal.
struct EventLine : Event {
  std::int64_t id = 0;
};

struct EventList {
  std::vector<EventLine> events;  ///< Oldest first.
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
inline constexpr auto kFields<EventList> = std::tuple{Field{"events", &EventList::events}};

}  // namespace bindery::report
