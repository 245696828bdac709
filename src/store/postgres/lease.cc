#include "store/postgres/lease.h"

#include <libpq-fe.h>

#include <ctime>
#include <optional>
#include <utility>

#include "core/text/random_id.h"
#include "store/postgres/lease_rows.h"
#include "store/postgres/postgres_ground.h"
#include "store/postgres/postgres_opening.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

using std::chrono::nanoseconds;

/// Time that continues while the machine sleeps and that nobody sets.
nanoseconds BootTime() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

/// Waits for the lease: sees by its own clock for how long the holder's heartbeat stands still.
class Candidate {
 public:
  Candidate(const std::string& url, const ReplicaIdentity& identity, const LeaseTimes& times)
      : url_(url), times_(times), identity_(identity), id_(RandomId()) {}

  struct Won {
    std::int64_t epoch = 0;
    nanoseconds sent{};
  };

  /// Looks once and takes the lease when it may. kUnavailable: to be tried again.
  Expected<std::optional<Won>> Try() {
    return Attempt("take the lease", [&]() -> Expected<std::optional<Won>> {
      if (auto ready = Reach(); !ready) return Fail(ready.error());
      const nanoseconds sent = BootTime();
      BeatAsReplica(*link_, id_, identity_);
      row_ = ReadLease(*link_);
      last_run_ = ReadLastRun(*link_);
      if (last_run_) last_run_->database = database_;
      // An earlier attempt took the lease, and its answer was lost.
      if (row_.holder == id_ && !row_.before_failover) return Won{row_.epoch, sent};
      if (row_.holder.empty() && !row_.before_failover)
        return TakeIf(TakeFreeLease(*link_, row_, id_), sent);
      if (!(row_ == seen_)) {
        seen_ = row_;
        since_ = BootTime();
      }
      if (BootTime() - since_ < times_.steal) return std::nullopt;
      // After a fail-over also a lease that seems free: the lease may have been given to a replica.
      return TakeIf(StealLease(*link_, row_, id_), sent);
    });
  }

  [[nodiscard]] const LeaseRow& row() const { return row_; }
  [[nodiscard]] LeaseTerm MakeTerm(const Won& won) const {
    return {id_, won.epoch, row_.table, system_};
  }
  [[nodiscard]] std::unique_ptr<PostgresLink> TakeLink() { return std::move(link_); }

  /// Another replica is at work: how far it is, is known if the database is put back later.
  void TellWitness(StoreWitness& witness) const {
    if (row_.holder.empty() || !last_run_) return;
    witness.Follow(*last_run_);
  }
  void Leave() {
    if (link_ == nullptr) return;
    // Peers see the departure by the heartbeat.
    const auto left = Attempt("leave", [&] { LeaveReplicas(*link_, id_); });
    static_cast<void>(left);
  }

 private:
  /// Makes a session, if none exists, that is in no transaction.
  Expected<void> Reach() {
    if (link_ == nullptr || !link_->alive()) {
      auto link = PostgresLink::Connect(url_, times_.patience);
      if (!link) return Fail(link.error());
      link_ = std::move(*link);
      seen_ = {};
      system_ = ReadSystem(*link_);
      auto made = MakePostgresStore(*link_);
      if (made) database_ = WitnessedDatabase(*link_);
      return made;
    }
    // The rest of a failed earlier attempt.
    if (link_->in_transaction()) link_->Run("ROLLBACK");
    return {};
  }

  std::optional<Won> TakeIf(bool taken, nanoseconds sent) const {
    if (!taken) return std::nullopt;
    return Won{row_.epoch + 1, sent};
  }

  const std::string url_;
  const LeaseTimes times_;
  const ReplicaIdentity identity_;
  const std::string id_;
  std::unique_ptr<PostgresLink> link_;
  std::string system_;    ///< Of the server that link_ reached.
  std::string database_;  ///< The same, as WitnessedDatabase().
  std::optional<StoreMark> last_run_;
  LeaseRow row_;
  LeaseRow seen_;
  nanoseconds since_{};
};

/// A standby that has waited for weeks does not end because of errors that the replica at work
/// survives, as a changed password; a database with different tables ends the standby.
bool PassesByItself(const Error& error, bool waited) {
  return error.code == Code::kUnavailable || (waited && error.code != Code::kFailedPrecondition);
}

}  // namespace

Expected<std::unique_ptr<Lease>> Lease::Take(const std::string& url, const StoreSharing& sharing) {
  Candidate candidate(url, sharing.identity, sharing.times);
  for (bool waited = false;; waited = true) {
    auto tried = candidate.Try();
    if (!tried && !PassesByItself(tried.error(), waited)) return Fail(tried.error());
    if (tried && *tried) {
      return std::unique_ptr<Lease>(new Lease(url, sharing.times, candidate.MakeTerm(**tried),
                                              (*tried)->sent, candidate.TakeLink()));
    }
    if (tried && sharing.witness != nullptr) candidate.TellWitness(*sharing.witness);
    const LeaseHolder holder{candidate.row().host, candidate.row().epoch};
    const std::string why =
        tried ? "the store is in use by the replica on " + holder.host : tried.error().message;
    if (!sharing.waiting || !sharing.waiting(tried ? &holder : nullptr, why)) {
      candidate.Leave();
      return Fail(tried ? Code::kFailedPrecondition : Code::kUnavailable, why);
    }
    std::this_thread::sleep_for(sharing.times.poll);
  }
}

Lease::Lease(std::string url, const LeaseTimes& times, LeaseTerm term, nanoseconds sent,
             std::unique_ptr<PostgresLink> link)
    : url_(std::move(url)),
      times_(times),
      term_(std::move(term)),
      conditions_{MakeFence(term_), InForce(term_)},
      heartbeat_{std::move(link)},
      renewal_{sent, {}},
      thread_([this] { Run(); }) {}

Lease::~Lease() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  wake_.NotifyAll();
  thread_.join();
  // A holder that cannot give the lease back leaves the lease to be stolen. After a fail-over the
  // standbys have begun to wait for the end of the term, and would begin anew if the row changed.
  const auto released = Attempt("release the lease", [&] {
    if (heartbeat_.link->alive() && !lost()) GiveBackLease(*heartbeat_.link, term_);
  });
  static_cast<void>(released);
}

void Lease::Require(std::shared_ptr<const RunMark> run) {
  const MutexLock lock(mutex_);
  run_ = std::move(run);
}

std::string Lease::InPlace() const {
  const MutexLock lock(mutex_);
  return run_ != nullptr ? run_->InPlace() : "TRUE";
}

bool Lease::holds() const {
  const MutexLock lock(mutex_);
  return !lost_ && BootTime() - renewal_.sent < times_.trust;
}

bool Lease::lost() const {
  const MutexLock lock(mutex_);
  return lost_;
}

std::string Lease::Why() const {
  const MutexLock lock(mutex_);
  if (lost_)
    return "another replica has taken the lease of the store, or the database failed over or was "
           "restored";
  return "the lease of the store could not be renewed: " +
         (renewal_.failure.empty() ? "the program stood still" : renewal_.failure);
}

void Lease::Run() {
  const MutexLock lock(mutex_);
  while (!wake_.WaitFor(mutex_, times_.renew, [this]() REQUIRES(mutex_) { return ending_; })) {
    if (lost_) continue;
    const MutexRelease released(mutex_);
    RenewOnce();
  }
}

void Lease::RenewOnce() {
  const nanoseconds sent = BootTime();
  bool ours = false;
  const auto renewed = Attempt("renew the lease", [&]() -> Expected<void> {
    if (!heartbeat_.link->alive()) {
      auto link = PostgresLink::Connect(url_, times_.patience);
      if (!link) return Fail(link.error());
      heartbeat_.link = std::move(*link);
    }
    const auto beat = RenewLease(*heartbeat_.link, term_, heartbeat_.last, InPlace());
    ours = beat.has_value();
    heartbeat_.last = beat.value_or(heartbeat_.last);
    return {};
  });
  const MutexLock lock(mutex_);
  renewal_.failure = renewed ? "" : renewed.error().message;
  // An error changes nothing: the clock decides how long the lease is trusted.
  if (!renewed) return;
  if (ours) {
    renewal_.sent = sent;
  } else {
    lost_ = true;
  }
}

}  // namespace bindery::store
