#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery::report {

/// The role of a daemon that shares a store.
enum class ReplicaState {
  kAtWork,
  kStandsBy,
  kSilent,  ///< Its heartbeat stands still.
};
[[nodiscard]] std::string_view ToString(ReplicaState state);  ///< "at work", "stands by", "silent"

/// A daemon that shares a store.
struct ReplicaLine {
  std::string id;
  std::string host;
  std::string version;
  ReplicaState state = ReplicaState::kStandsBy;
  WallTime started_at{};
  WallTime last_seen_at{};
  std::int64_t silent_seconds = 0;
  std::optional<std::int64_t> epoch;  ///< Set of who is at work only.
};

struct ReplicaList {
  std::vector<ReplicaLine> replicas;  ///< Who is at work first.
};

enum class ReplicaOrder {
  kState,  ///< Who is at work first, who is silent last.
  kMachine,
  kTerm,  ///< The newest first.
  kVersion,
  kStarted,  ///< The last first.
  kSeen,     ///< The last heartbeat first.
};

/// Puts the daemons into the order; equal ones by machine and id.
void SortReplicas(ReplicaList& list, ReplicaOrder order, bool descending);

template <>
inline constexpr auto kAllOf<ReplicaState> =
    std::array{ReplicaState::kAtWork, ReplicaState::kStandsBy, ReplicaState::kSilent};

template <>
inline constexpr auto kFields<ReplicaLine> =
    std::tuple{Field{"id", &ReplicaLine::id},
               Field{"host", &ReplicaLine::host},
               Field{"version", &ReplicaLine::version},
               Field{"state", &ReplicaLine::state},
               Field{"startedAt", &ReplicaLine::started_at},
               Field{"lastSeenAt", &ReplicaLine::last_seen_at},
               Field{"silentSeconds", &ReplicaLine::silent_seconds},
               Field{"epoch", &ReplicaLine::epoch}};

template <>
inline constexpr auto kFields<ReplicaList> = std::tuple{Field{"replicas", &ReplicaList::replicas}};

}  // namespace bindery::report
