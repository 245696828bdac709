#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "controller/catalog/catalog.h"
#include "controller/clock/clock_witness.h"
#include "controller/clock/now.h"
#include "core/settings/accepted_drift.h"

namespace bindery::controller {

/// Makes targets due whose accepted differences are drift again, because the time of the acceptance
/// is over or because the rules changed, and targets where just-in-time access ends.
///
/// Invariants: while the services do not confirm the local clock, an acceptance is over only when
/// it is by both clocks. Belongs to the loop thread; the catalog outlives the object. Reads no
/// clock: callers pass the time.
class AcceptanceWatch {
 public:
  explicit AcceptanceWatch(const Catalog& catalog) : catalog_(catalog) {}

  /// Takes over the whole state of `other`.
  void CopyFrom(const AcceptanceWatch& other) {
    rules_ = other.rules_;
    changed_ = other.changed_;
    ends_ = other.ends_;
    due_ = other.due_;
  }

  /// The rules in force. After a change of the rules, the difference is looked at again. True: a
  /// rule that was in force before is gone.
  bool SetRules(std::shared_ptr<const AcceptedDriftRules> rules);

  /// The time to judge acceptances by.
  [[nodiscard]] static TimeSpan FindSpan(const ClockJudgement& clock, WallTime wall);

  /// The result of a comparison with the time: `plan` after the gates.
  void Note(const TargetKey& key, const reconcilers::TargetPlan& plan, const TimeSpan& time);

  /// To be called at each step: the targets that are to be compared in any case.
  [[nodiscard]] std::vector<TargetKey> PassTime(const ClockJudgement& clock, const Now& now);
  /// When PassTime has something to do.
  [[nodiscard]] std::optional<MonoTime> due() const { return due_; }

 private:
  [[nodiscard]] std::vector<TargetKey> Differing() const;

  const Catalog& catalog_;
  std::shared_ptr<const AcceptedDriftRules> rules_;
  bool changed_ = false;
  std::map<TargetKey, WallTime> ends_;  ///< The first end of an acceptance on each target.
  std::optional<MonoTime> due_;
};

}  // namespace bindery::controller
