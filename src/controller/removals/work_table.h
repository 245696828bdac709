#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "controller/gates/engine_work.h"
#include "core/base/expected.h"

namespace bindery::controller {

/// Whether work may move to the phase. Work may end in any phase. A write that gave too much is
/// followed by a write that takes the excess back. From a row to a column:
///
///             Checking  Parked  ReadyToWrite  Writing
/// Checking    no        yes     yes           no
/// Parked      no        no      yes           no
/// Ready…      no        no      no            yes
/// Writing     no        no      yes           no
[[nodiscard]] constexpr bool MayMove(WorkPhase from, WorkPhase to) {
  constexpr std::array<std::array<bool, kWorkPhases>, kWorkPhases> kLegal = {{
      {false, true, true, false},
      {false, false, true, false},
      {false, false, false, true},
      {false, false, true, false},
  }};
  return kLegal[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

/// Keeps the work under way: one per target, each in a phase, with its running calls.
///
/// Invariants: phases move as MayMove allows; only work in phase ReadyToWrite is handed out for a
/// write.
/// Belongs to the loop thread. References to work are valid until the work ends.
class WorkTable {
 public:
  /// Work on a target begins, with a read. Replaces earlier work.
  TargetUnderWork& Begin(const WorkQueue::Taken& taken, MonoTime now);
  [[nodiscard]] TargetUnderWork* Find(const TargetKey& key);
  [[nodiscard]] const TargetUnderWork* Find(const TargetKey& key) const;
  /// Requires: work on the target exists.
  [[nodiscard]] TargetUnderWork& At(const TargetKey& key) { return work_.at(key); }
  [[nodiscard]] bool IsIn(const TargetKey& key, WorkPhase phase) const;
  /// kInternal for an illegal move, which changes nothing. Requires: work on the target exists.
  [[nodiscard]] Expected<void> Move(const TargetKey& key, WorkPhase to, MonoTime now);
  /// Without work nothing happens. True when the work was on a slow target.
  bool End(const TargetKey& key);

  /// The longest waiting ready write; nothing: none is left.
  [[nodiscard]] std::optional<TargetKey> TakeReady();
  /// Puts back targets whose turn has not come; they come first, in the same order.
  void PutBack(const std::vector<TargetKey>& ready);
  /// Targets that wait for the judgement of their pass, sorted.
  [[nodiscard]] std::vector<TargetKey> Parked() const;
  [[nodiscard]] const ByTarget<TargetUnderWork>& all() const { return work_; }

  /// Checks and writes that were handed out and not answered.
  void CallBegan() { ++running_; }
  void CallsEnded(std::size_t calls) { running_ -= calls; }
  [[nodiscard]] std::size_t running() const { return running_; }

  /// How long the work under way on the kind has taken so far: all of it, and the longest.
  struct Unfinished {
    MonoTime::duration total{0};
    MonoTime::duration longest{0};
  };
  [[nodiscard]] Unfinished UnfinishedOn(const std::string& kind, MonoTime now) const;

 private:
  ByTarget<TargetUnderWork> work_;
  std::deque<TargetKey> ready_;
  std::size_t running_ = 0;
};

}  // namespace bindery::controller
