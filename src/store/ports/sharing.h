#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace bindery::store {

class StoreWitness;

/// A replica for its peers.
struct ReplicaIdentity {
  std::string host;
  std::string version;
};

/// How long what takes; docs/fleet.md says why a lease is safe with these.
struct LeaseTimes {
  std::chrono::milliseconds renew{3'000};
  std::chrono::milliseconds patience{2'000};  ///< For one answer of the database.
  /// The holder stops writing this long after sending the last confirmed renewal.
  std::chrono::milliseconds trust{10'000};
  /// Who waits takes the lease when the holder's heartbeat stood still for so long: more than
  /// `trust`, and so much more as clocks of machines run apart meanwhile.
  std::chrono::milliseconds steal{16'000};
  std::chrono::milliseconds poll{1'000};  ///< How often who waits looks.
};

/// Who has the lease of a store meanwhile.
struct LeaseHolder {
  std::string host;
  std::int64_t epoch = 0;
};

/// How a daemon shares a store in a database with further replicas, and its former observations.
struct StoreSharing {
  /// Called regularly, on the caller's thread, while a second replica has the lease, or with null
  /// while the database does not answer, and the reason; false gives up.
  using Waiting = std::function<bool(const LeaseHolder*, const std::string& why)>;

  ReplicaIdentity identity = {};
  LeaseTimes times = {};
  Waiting waiting = {};  ///< Empty: gives up at once.
  /// Of a store in a file too: tells whether an older one is in its place. Null: nobody does.
  std::shared_ptr<StoreWitness> witness = nullptr;
};

}  // namespace bindery::store
