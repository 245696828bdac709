#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cloud/service_dates.h"
#include "controller/catalog/catalog.h"
#include "controller/clock/clock_witness.h"
#include "controller/clock/now.h"

namespace bindery::controller {

/// Says what time does to grants: conditions begin and end without anything being changed.
///
/// Invariants: while the services do not confirm the local clock, no event tells of a condition,
/// and a resource whose condition may have ended is among the awaiting ones until they do. Belongs
/// to the loop thread; the catalog outlives the object. Reads no clock: callers pass the time.
class TimeWatch {
 public:
  using Dates = std::map<std::string, std::shared_ptr<cloud::ServiceDates>>;
  /// The consequences of the passed time.
  struct Passed {
    std::vector<Event> events;
    /// The desired policies changed: compare these targets in any case.
    std::vector<TargetKey> check;
  };

  explicit TimeWatch(Catalog& catalog) : catalog_(catalog) {}

  /// Takes over the time knowledge of `other`, without its sources.
  void CopyFrom(const TimeWatch& other) {
    witness_ = other.witness_;
    clock_ = other.clock_;
    awaiting_ = other.awaiting_;
    doubted_ = other.doubted_;
    due_ = other.due_;
  }

  /// What the services of each provider say of the time.
  void SetDates(Dates dates) { dates_ = std::move(dates); }
  void KeepProviders(const std::set<std::string>& providers) { witness_.KeepProviders(providers); }
  /// Takes over what the provider's services said since.
  void NoteDates(const std::string& provider);

  /// To be called at each step. `scanned`: the directory was read, so that the recorded state is
  /// not outdated: a condition may have been prolonged meanwhile. Before that nothing is told.
  [[nodiscard]] Passed PassTime(bool scanned, const Now& now);

  [[nodiscard]] ClockJudgement Judge(const Now& now) const {
    return witness_.Judge(now.wall, now.mono);
  }
  /// The time by the services; until a service answers, the local clock.
  [[nodiscard]] WallTime ServiceTime(const Now& now) const {
    return witness_.ServiceTime(now.wall, now.mono);
  }
  /// The judgement of the last PassTime.
  [[nodiscard]] const ClockJudgement& clock() const { return clock_; }
  /// When PassTime has something to do: a condition begins, ends, or is about to.
  [[nodiscard]] std::optional<MonoTime> due() const { return due_; }
  /// Resources that wait for a confirmed clock: their conditions may have ended.
  [[nodiscard]] std::size_t awaiting() const { return awaiting_.size(); }

 private:
  bool WeighClock(const Now& now, std::vector<Event>& events);
  void Doubt(bool news, const Now& now, std::vector<TargetKey>& check);
  void Advance(const Now& now, Passed& passed);
  void AddNamedTarget(const std::string& name, std::vector<TargetKey>& check) const;

  Catalog& catalog_;
  Dates dates_;
  ClockWitness witness_;
  ClockJudgement clock_;
  std::set<std::string> awaiting_;
  std::optional<MonoTime> doubted_;  ///< When it was last looked which these are.
  std::optional<MonoTime> due_;
};

}  // namespace bindery::controller
