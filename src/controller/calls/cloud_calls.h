#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cloud/connection.h"
#include "controller/calls/call_gate.h"
#include "controller/calls/write_pace.h"
#include "controller/claims/resource_entry.h"
#include "controller/clock/now.h"
#include "controller/gates/engine_work.h"
#include "controller/gates/work_queue.h"

namespace bindery::controller {

/// Says whether a call to a cloud may go now, by quotas, by the pace of writes, by hosts that are
/// away and by targets whose calls hang, and keeps the calls that are under way.
///
/// Invariants: a target has one call under way at most, and each that was let go is ended once.
/// Slow targets are worked on at most a quarter of the workers at a time, but one always may.
/// Belongs to the loop thread. Reads no clock: callers pass the time.
class CloudCalls {
 public:
  using Connections = std::map<std::string, std::shared_ptr<const cloud::Connection>>;

  /// `workers`: how many targets are worked on at once. Quotas are by provider.
  void SetLimits(std::size_t workers, std::map<std::string, CallLimits> quotas);
  void SetConnections(Connections connections);
  [[nodiscard]] const Connections& connections() const { return connections_; }
  /// Null: the configuration has no such provider.
  [[nodiscard]] std::shared_ptr<const cloud::Connection> ConnectionTo(
      const std::string& provider) const;

  /// Begins a new round of turns.
  void BeginRound(const Now& now);
  /// The decision about a due target.
  struct Turn {
    enum class What {
      kGo,     ///< A call is under way from now on.
      kAside,  ///< Too many slow ones are worked on: kept here until EndSlow hands it out.
      kLater,  ///< Not before `ask_again`.
    };
    What what = What::kGo;
    MonoTime ask_again;
    std::string away;  ///< The host that does not answer, where that is why.
  };
  [[nodiscard]] Turn MayRead(const WorkQueue::Taken& taken, const TargetEntry& target,
                             const Now& now);
  /// True: a call is under way from now on. `in_pace`: false for what must not wait behind other
  /// writes.
  [[nodiscard]] bool MayWrite(const TargetEntry& target, bool in_pace, const Now& now);
  /// When quota and pace let the next write go that had to wait in the round.
  [[nodiscard]] std::optional<MonoTime> write_wake() const { return write_wake_; }
  /// A standby makes the running call: the call stays counted in its quota, and no answer is
  /// expected. False: no call is running, or the call probes the host.
  [[nodiscard]] bool HandOver(const TargetKey& key);
  [[nodiscard]] bool IsUnderWay(const TargetKey& key) const { return under_way_.contains(key); }

  /// The result of the call; null: it was answered. `readings`: calls that a write made besides.
  /// Requires nothing: without a call under way nothing happens.
  struct Ended {
    std::string provider;        ///< Empty: no call was under way.
    std::optional<Event> event;  ///< A host is away from now on, or back.
  };
  Ended End(const TargetKey& key, const Error* error, int readings, const Now& now);

  /// Work on a slow target began or ended; after an end, postponed targets may be due again.
  void BeginSlow() { ++slow_; }
  [[nodiscard]] std::vector<WorkQueue::Taken> EndSlow();
  [[nodiscard]] const std::vector<WorkQueue::Taken>& aside() const { return aside_; }

  /// How often in a row calls for such a target found the host away, or the quota refused.
  [[nodiscard]] int ConsecutiveFailures(const TargetEntry& target) const;
  /// How long a write may wait for its turn before the underlying policy has to be read again.
  [[nodiscard]] MonoTime::duration WritePatience(const TargetEntry& target, const Now& now);
  /// For components with calls of their own, and for metrics.
  [[nodiscard]] CallGate& gate() { return gate_; }
  [[nodiscard]] const CallGate& gate() const { return gate_; }

 private:
  [[nodiscard]] QuotaKey LaneTo(const TargetEntry& target) const;
  [[nodiscard]] WritePace::Lane GetPace(const TargetEntry& target) const;
  void WakeForWrites(MonoTime turn);

  std::size_t workers_ = 1;
  Connections connections_;
  CallGate gate_;
  WritePace pace_;
  ByTarget<QuotaKey> under_way_;
  std::vector<WorkQueue::Taken> aside_;  ///< Due, but too many slow ones are worked on.
  std::size_t slow_ = 0;                 ///< Worked on.
  std::optional<MonoTime> write_wake_;
  std::set<QuotaKey> full_;  ///< Had no room for a write of this round.
  mutable std::map<const reconcilers::Kind*, std::string>
      apis_;  ///< As NameApi, once it was asked for.
};

}  // namespace bindery::controller
