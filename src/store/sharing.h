#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace bindery {

class StoreWitness;

/// A replica as the others see it.
struct ReplicaIdentity {
  std::string host;
  std::string version;
};

/// How long what takes; docs/fleet.md says why a lease is safe with these.
struct LeaseTimes {
  std::chrono::milliseconds renew{3'000};
  std::chrono::milliseconds patience{2'000};  ///< For one answer of the database.
  /// The holder stops writing so long after it sent the last renewal that was confirmed.
  std::chrono::milliseconds trust{10'000};
  /// Who waits takes the lease when the holder's heartbeat stood still for so long: more than
  /// `trust`, and so much more as clocks of machines run apart in the time.
  std::chrono::milliseconds steal{16'000};
  std::chrono::milliseconds poll{1'000};  ///< How often who waits looks.
};

/// Who has the lease of a store meanwhile.
struct LeaseHolder {
  std::string host;
  std::int64_t epoch = 0;
};

/// How a daemon shares a store in a database with other replicas, and what it saw of it before.
struct StoreSharing {
  /// Told every so often, on the caller's thread, that another replica has the lease, or with null
  /// that the database does not answer, and why; false gives up.
  using Waiting = std::function<bool(const LeaseHolder*, const std::string& why)>;

  ReplicaIdentity identity = {};
  LeaseTimes times = {};
  Waiting waiting = {};  ///< Empty: gives up at once.
  /// Of a store in a file too: tells whether an older one is in its place. Null: nobody does.
  std::shared_ptr<StoreWitness> witness = nullptr;
};

}  // namespace bindery
