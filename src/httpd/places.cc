#include "httpd/places.h"

#include <algorithm>
#include <utility>

#include "httpd/connection.h"

namespace bindery::httpd {
namespace {

/// An answer without progress for this time waits for its peer.
constexpr std::chrono::seconds kTimeToTake{1};

bool WaitsForPeer(const Activity& activity, Activity::Time now) {
  switch (activity.phase()) {
    case Phase::kIdle:
    case Phase::kReading:
    case Phase::kDraining:
      return true;
    case Phase::kWriting:
      return now - activity.since() > kTimeToTake;
    case Phase::kWorking:
    case Phase::kStreaming:
    case Phase::kClosed:
      return false;
  }
  return false;
}

}  // namespace

const ListenerLimits& Places::GetLimits(Lane lane) const {
  return lane == Lane::kSocket ? options_.socket_limits : options_.limits;
}

template <typename Belongs>
Places::Held* Places::FindOldest(const Belongs& belongs) {
  const auto now = std::chrono::steady_clock::now();
  Held* oldest = nullptr;
  for (auto& [key, held] : held_) {
    if (held.leaving || !belongs(held)) continue;
    const Activity& activity = held.connection->activity();
    if (!WaitsForPeer(activity, now)) continue;
    if (oldest == nullptr || activity.since() < oldest->connection->activity().since()) {
      oldest = &held;
    }
  }
  return oldest;
}

void Places::Add(const Held& held) {
  Count& count = counts_[static_cast<std::size_t>(held.lane)];
  ++count.all;
  ++count.by_peer[held.peer];
}

void Places::Remove(const Held& held) {
  Count& count = counts_[static_cast<std::size_t>(held.lane)];
  --count.all;
  const auto peer = count.by_peer.find(held.peer);
  if (peer != count.by_peer.end() && --peer->second == 0) count.by_peer.erase(peer);
}

Places::Admission Places::Admit(const std::shared_ptr<Connection>& connection, const Peer& peer) {
  Held entry{connection, peer.is_unix ? Lane::kSocket : Lane::kTcp, GetNetwork(peer)};
  const ListenerLimits& limits = GetLimits(entry.lane);
  const Count& count = counts_[static_cast<std::size_t>(entry.lane)];
  const auto own = count.by_peer.find(entry.peer);
  const bool peer_full =
      limits.per_peer > 0 && own != count.by_peer.end() && own->second >= limits.per_peer;
  Admission admission;
  Held* leaves = nullptr;
  if (peer_full) {
    leaves = FindOldest(
        [&entry](const Held& held) { return held.lane == entry.lane && held.peer == entry.peer; });
  } else if (count.all >= limits.connections) {
    leaves = FindOldest([&entry](const Held& held) { return held.lane == entry.lane; });
  } else {
    admission.room = Room::kRegular;
  }
  if (leaves != nullptr) {
    admission.room = Room::kRegular;
  } else if (admission.room == Room::kNone && !peer.is_unix) {
    entry.lane = Lane::kVital;
    const std::size_t vital = counts_[static_cast<std::size_t>(Lane::kVital)].all;
    if (vital < options_.vital_connections) {
      admission.room = Room::kVitalOnly;
    } else {
      leaves = FindOldest([](const Held& held) { return held.lane == Lane::kVital; });
      if (leaves != nullptr) admission.room = Room::kVitalOnly;
    }
  }
  if (leaves != nullptr) {
    leaves->leaving = true;
    Remove(*leaves);
    admission.leaves = leaves->connection;
  }
  if (admission.room != Room::kNone) {
    Add(entry);
    held_.emplace(connection.get(), std::move(entry));
  }
  return admission;
}

std::shared_ptr<Connection> Places::Oldest() {
  Held* const oldest = FindOldest([](const Held&) { return true; });
  if (oldest == nullptr) return nullptr;
  oldest->leaving = true;
  Remove(*oldest);
  return oldest->connection;
}

void Places::Stays(const Connection* connection) {
  const auto found = held_.find(connection);
  if (found == held_.end() || !std::exchange(found->second.leaving, false)) return;
  Add(found->second);
}

void Places::Forget(const Connection* connection) {
  const auto found = held_.find(connection);
  if (found == held_.end()) return;
  if (!found->second.leaving) Remove(found->second);
  held_.erase(found);
}

std::vector<std::shared_ptr<Connection>> Places::All() const {
  std::vector<std::shared_ptr<Connection>> all;
  all.reserve(held_.size());
  for (const auto& [key, held] : held_) all.push_back(held.connection);
  return all;
}

std::vector<std::shared_ptr<Connection>> Places::TakeAll() {
  std::vector<std::shared_ptr<Connection>> all = All();
  held_.clear();
  return all;
}

}  // namespace bindery::httpd
