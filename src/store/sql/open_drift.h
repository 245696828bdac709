#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>

#include "core/access/drift.h"

namespace bindery::store {

class Connection;

/// Two items with the same identity are the same difference.
using DriftIdentity = std::tuple<DriftClass, std::string, Grant>;

[[nodiscard]] DriftIdentity GetIdentity(const DriftItem& item);

struct DriftRow {
  std::int64_t id = 0;
  DriftItem item;
};

/// The differences of a target that are on record and not resolved.
using OpenDrift = std::map<DriftIdentity, DriftRow>;

/// Of targets without any: nothing. Throws EngineError.
[[nodiscard]] std::map<std::int64_t, OpenDrift> ReadOpenDrift(
    Connection& connection, std::span<const std::int64_t> target_ids);

}  // namespace bindery::store
