#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "store/ports/sharing.h"
#include "store/postgres/lease_term.h"
#include "store/postgres/postgres_link.h"
#include "store/witness/run_mark.h"

namespace bindery::store {

/// The right of one replica to write to the store and, as a consequence, to the clouds. A thread
/// renews the lease on a separate session, so that no work delays the renewal.
///
/// Invariants: at most one replica's holds() is true at any time, as long as clocks that count time
/// (CLOCK_BOOTTIME) run at the same rate within a few percent; a transaction with the fence() is
/// committed only in the term in which it began. All functions are thread-safe.
class Lease {
 public:
  /// Waits until the lease is free or its holder stands still, and takes it. Who gives up waiting
  /// gets kFailedPrecondition while another replica has it, kUnavailable while the database does
  /// not answer. An error that waiting does not help (a right, a schema) is given at once.
  [[nodiscard]] static Expected<std::unique_ptr<Lease>> Take(const std::string& url,
                                                             const StoreSharing& sharing);

  /// Gives the lease back, so that the next holder need not wait: call after the last write.
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// A SELECT that returns a row in the term only, and locks the row against the end of the term.
  /// The column is kServer, the server that carries the statement out.
  [[nodiscard]] const std::string& fence() const { return conditions_.fence; }

  /// As a condition of SQL: the server of the statement gave the lease, and the term continues.
  /// Locks nothing.
  [[nodiscard]] const std::string& in_force() const { return conditions_.in_force; }

  /// From now on the term also ends when the database is put back behind what the run has written.
  void Require(std::shared_ptr<const RunMark> run);

  /// Whether this replica may write now, by its own clock.
  [[nodiscard]] bool holds() const;
  /// A second replica has the lease, or will: the lease does not come back.
  [[nodiscard]] bool lost() const;
  /// Why the lease is not held, for people.
  [[nodiscard]] std::string Why() const;

 private:
  Lease(std::string url, const LeaseTimes& times, LeaseTerm term, std::chrono::nanoseconds sent,
        std::unique_ptr<PostgresLink> link);

  void Run();
  void RenewOnce();
  /// In the form of RenewLease().
  [[nodiscard]] std::string InPlace() const;
  void Note(std::chrono::nanoseconds sent);

  const std::string url_;
  const LeaseTimes times_;
  const LeaseTerm term_;
  struct Conditions {
    std::string fence;
    std::string in_force;
  };
  const Conditions conditions_;
  struct Heartbeat {
    std::unique_ptr<PostgresLink> link;
    std::int64_t last = 0;  ///< The last one that was confirmed.
  };
  Heartbeat heartbeat_;  ///< The thread's.

  mutable Mutex mutex_;
  CondVar wake_;
  struct Renewal {
    std::chrono::nanoseconds sent{};  ///< The last one that was confirmed.
    std::string failure;              ///< Of the last try; empty: it went well.
  };
  Renewal renewal_ GUARDED_BY(mutex_);
  bool lost_ GUARDED_BY(mutex_) = false;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::shared_ptr<const RunMark> run_ GUARDED_BY(mutex_);  ///< Null: none is required.
  std::thread thread_;                                     ///< Last: it uses all of the above.
};

}  // namespace bindery::store
