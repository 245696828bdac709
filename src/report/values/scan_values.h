#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/access/inventory.h"
#include "core/base/clock.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

enum class InventoryState {
  kRunning,
  kDone,
  kCutOff,  ///< It ended before its time; the next scan of the scope may carry it on.
};
[[nodiscard]] inline std::string_view ToString(InventoryState state) {
  if (state == InventoryState::kRunning) return "running";
  return state == InventoryState::kDone ? "done" : "cut off";
}

/// One scan of a cloud.
struct InventoryLine {
  std::string scope;
  std::string provider;
  InventoryState state = InventoryState::kRunning;
  std::int64_t pages = 0;
  std::int64_t policies = 0;
  std::int64_t containers = 0;
  WallTime started_at{};
  WallTime finished_at{};                ///< Never set unless `state` is kDone.
  std::vector<std::string> unread = {};  ///< Lists that the service refused, and why.
  std::string error = {};                ///< Why it was cut off, where that is known.
};

struct InventoryList {
  std::vector<InventoryLine> scans;  ///< The one that began last comes first.
};

/// The scan as it is on record.
[[nodiscard]] inline InventoryLine LineOfScan(const InventoryRecord& scan, InventoryState state) {
  InventoryLine line{
      scan.scope,    scan.provider,   state,        scan.pages,
      scan.policies, scan.containers, scan.started, scan.finished.value_or(WallTime()),
      scan.unread};
  return line;
}

template <>
inline constexpr auto kAllOf<InventoryState> =
    std::array{InventoryState::kRunning, InventoryState::kDone, InventoryState::kCutOff};

template <>
inline constexpr auto kFields<InventoryLine> =
    std::tuple{Field{"scope", &InventoryLine::scope},
               Field{"provider", &InventoryLine::provider},
               Field{"state", &InventoryLine::state},
               Field{"pages", &InventoryLine::pages},
               Field{"policies", &InventoryLine::policies},
               Field{"containers", &InventoryLine::containers},
               Field{"startedAt", &InventoryLine::started_at},
               Field{"finishedAt", &InventoryLine::finished_at},
               FieldIfSet{"unread", &InventoryLine::unread},
               FieldIfSet{"error", &InventoryLine::error}};

template <>
inline constexpr auto kFields<InventoryList> = std::tuple{Field{"scans", &InventoryList::scans}};

}  // namespace bindery::report
