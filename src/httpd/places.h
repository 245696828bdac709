#pragma once

// Private to src/httpd: the number of connections, and the room for more.

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
/// A full listener, or a peer at its limit, gets room by closing the connection that has waited
/// longest for its peer. Only if every connection is at work no room is left; a few more
/// connections may then ask for vital paths, and nothing else.
class Places {
 public:
  explicit Places(const ServerOptions& options)
      : options_(options), large_bodies_(options.large_bodies) {}

  enum class Room { kRegular, kVitalOnly, kNone };
  struct Admission {
    Room room = Room::kNone;
    std::shared_ptr<Connection> leaves;  ///< To be told to Leave(); may be null.
  };

  /// Decides about a new connection, and keeps the connection unless no room is left.
  [[nodiscard]] Admission Admit(const std::shared_ptr<Connection>& connection, const Peer& peer);
  /// The connection that has waited longest for its peer has to leave; null: none.
  [[nodiscard]] std::shared_ptr<Connection> Oldest();
  /// A leaving connection has work again.
  void Stays(const Connection* connection);
  void Forget(const Connection* connection);

  [[nodiscard]] LargeBodies& large_bodies() { return large_bodies_; }
  [[nodiscard]] bool empty() const { return held_.empty(); }
  [[nodiscard]] std::vector<std::shared_ptr<Connection>> All() const;
  /// Removes all connections.
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

  [[nodiscard]] const ListenerLimits& GetLimits(Lane lane) const;
  template <typename Belongs>
  [[nodiscard]] Held* FindOldest(const Belongs& belongs);
  void Add(const Held& held);
  void Remove(const Held& held);

  const ServerOptions& options_;
  LargeBodies large_bodies_;
  ByConnection held_;
  Count counts_[3];
};

}  // namespace bindery::httpd
