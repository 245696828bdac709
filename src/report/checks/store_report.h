#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/codec/json_codec.h"
#include "report/text/text.h"
#include "store/upkeep/upkeep.h"

namespace bindery {

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
  std::vector<StoreTable> tables;
  std::vector<StoreFinding> findings;
};

[[nodiscard]] StoreCheckResult StoreCheckReport(const std::string& store, const StoreCheck& check);
[[nodiscard]] std::string StoreCheckText(const StoreCheckResult& result, const TextStyle& style);

/// "512 bytes", "1.5 KiB", "12.3 MiB".
[[nodiscard]] std::string SizeText(std::int64_t bytes);

template <>
inline constexpr auto report::kFields<EventSpan> = std::tuple{
    report::Field{"oldest", &EventSpan::oldest}, report::Field{"newest", &EventSpan::newest}};

template <>
inline constexpr auto report::kFields<StoreTable> =
    std::tuple{report::Field{"name", &StoreTable::name}, report::Field{"rows", &StoreTable::rows},
               report::Field{"bytes", &StoreTable::bytes}};

template <>
inline constexpr auto report::kFields<StoreFinding> = std::tuple{
    report::Field{"check", &StoreFinding::check}, report::Field{"message", &StoreFinding::message}};

template <>
inline constexpr auto report::kFields<StoreCheckResult> =
    std::tuple{report::Field{"store", &StoreCheckResult::store},
               report::Field{"sound", &StoreCheckResult::sound},
               report::Field{"schemaVersion", &StoreCheckResult::schema_version},
               report::Field{"bytes", &StoreCheckResult::bytes},
               report::Field{"walBytes", &StoreCheckResult::wal_bytes},
               report::Field{"freeBytes", &StoreCheckResult::free_bytes},
               report::Field{"policies", &StoreCheckResult::policies},
               report::Field{"events", &StoreCheckResult::events},
               report::Field{"tables", &StoreCheckResult::tables},
               report::Field{"findings", &StoreCheckResult::findings}};

}  // namespace bindery
