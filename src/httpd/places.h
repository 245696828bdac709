#pragma once

// Private to src/httpd: how many connections there are, and for which there is room.

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "httpd/activity.h"
#include "httpd/large_bodies.h"
#include "httpd/server.h"

namespace bindery::httpd {

class Connection;

/// Every open connection. To be used under a lock.
///
/// A listener that is full, or a peer that has all it may have, gets room by closing the connection
/// that has been waiting for its peer for the longest time. Only where every one is at work there
/// is none; a few more may then ask for what is vital, and for nothing else.
class Places {
 public:
  explicit Places(const ServerOptions& options)
      : options_(options), large_bodies_(options.large_bodies) {}

  enum class Room { kRegular, kVitalOnly, kNone };
  struct Admission {
    Room room = Room::kNone;
    std::shared_ptr<Connection> leaves;  ///< To be told to Leave(); may be null.
  };

  /// Decides about a new connection, and keeps it unless there is no room.
  [[nodiscard]] Admission Admit(const std::shared_ptr<Connection>& connection, const Peer& peer);
  /// The one that waits for its peer for the longest time is to leave; null: there is none.
  [[nodiscard]] std::shared_ptr<Connection> Oldest();
  /// One that was to leave has work again.
  void Stays(const Connection* connection);
  void Forget(const Connection* connection);

  [[nodiscard]] LargeBodies& large_bodies() { return large_bodies_; }
  [[nodiscard]] bool empty() const { return held_.empty(); }
  [[nodiscard]] std::vector<std::shared_ptr<Connection>> All() const;
  /// Empties it.
  [[nodiscard]] std::vector<std::shared_ptr<Connection>> TakeAll();

 private:
  enum class Lane { kTcp, kSocket, kVital };
  struct Held {
    std::shared_ptr<Connection> connection;
    Lane lane = Lane::kTcp;
    std::string peer;
    bool leaving = false;  ///< Counts no more.
  };
  using ByConnection = std::unordered_map<const Connection*, Held>;
  struct Count {
    std::size_t all = 0;
    std::unordered_map<std::string, std::size_t> by_peer;
  };

  [[nodiscard]] const ListenerLimits& LimitsOf(Lane lane) const;
  template <typename Belongs>
  [[nodiscard]] Held* OldestOf(const Belongs& belongs);
  void Add(const Held& held);
  void Remove(const Held& held);

  const ServerOptions& options_;
  LargeBodies large_bodies_;
  ByConnection held_;
  Count counts_[3];
};

}  // namespace bindery::httpd
