#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/codec/json_codec.h"
#include "report/text/text.h"
#include "store/upkeep/upkeep.h"

namespace bindery::report {

/// From when to when there are events; not set if none exists.
struct EventSpan {
  std::optional<WallTime> oldest;
  std::optional<WallTime> newest;
};

/// The result of a store check.
struct StoreCheckResult {
  std::string store;
  bool sound = true;
  int schema_version = 0;
  std::int64_t bytes = 0;
  std::int64_t wal_bytes = 0;
  std::int64_t free_bytes = 0;
  std::int64_t policies = 0;
  EventSpan events;
  std::vector<store::StoreTable> tables;
  std::vector<store::StoreFinding> findings;
};

[[nodiscard]] StoreCheckResult StoreCheckReport(const std::string& store,
                                                const store::StoreCheck& check);
[[nodiscard]] std::string StoreCheckText(const StoreCheckResult& result, const TextStyle& style);

/// "512 bytes", "1.5 KiB", "12.3 MiB".
[[nodiscard]] std::string SizeText(std::int64_t bytes);

template <>
inline constexpr auto kFields<EventSpan> =
    std::tuple{Field{"oldest", &EventSpan::oldest}, Field{"newest", &EventSpan::newest}};

template <>
inline constexpr auto kFields<store::StoreTable> =
    std::tuple{Field{"name", &store::StoreTable::name}, Field{"rows", &store::StoreTable::rows},
               Field{"bytes", &store::StoreTable::bytes}};

template <>
inline constexpr auto kFields<store::StoreFinding> = std::tuple{
    Field{"check", &store::StoreFinding::check}, Field{"message", &store::StoreFinding::message}};

template <>
inline constexpr auto kFields<StoreCheckResult> =
    std::tuple{Field{"store", &StoreCheckResult::store},
               Field{"sound", &StoreCheckResult::sound},
               Field{"schemaVersion", &StoreCheckResult::schema_version},
               Field{"bytes", &StoreCheckResult::bytes},
               Field{"walBytes", &StoreCheckResult::wal_bytes},
               Field{"freeBytes", &StoreCheckResult::free_bytes},
               Field{"policies", &StoreCheckResult::policies},
               Field{"events", &StoreCheckResult::events},
               Field{"tables", &StoreCheckResult::tables},
               Field{"findings", &StoreCheckResult::findings}};

}  // namespace bindery::report
