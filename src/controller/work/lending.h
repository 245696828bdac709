#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "controller/gates/engine_work.h"
#include "controller/outbox/outbox.h"
#include "controller/work/work_schedule.h"

namespace bindery::controller {

/// Has standbys make checks, and takes their answers.
///
/// Invariants: a target is lent once at a time, and only where it was as declared when it was read
/// last, with nothing changed since. There is no work on a lent target: it waits in the queue for
/// the end of kPatience, when this replica reads it, and something else may make it due before.
/// Only the word that nothing is different is taken; everything else this replica reads itself. A
/// share of the checks is never lent, so that this replica knows how its own calls fare. A target
/// whose lent checks differ again and again is lent less and less often, until one does not.
/// Belongs to the loop thread; all arguments outlive the object. Reads no clock: callers pass the
/// time.
class Lending {
 public:
  /// Longer than the wait of HelperPool: a check without an answer is made by this replica at that
  /// time at the latest.
  static constexpr std::chrono::seconds kPatience{5};

  /// The parts of the object.
  struct Parts {
    Catalog& catalog;
    EngineObserver& observer;
    Outbox& outbox;
    WorkSchedule& schedule;
  };
  explicit Lending(const Parts& parts) : parts_(parts) {}

  /// How many other replicas can be asked, and for how many checks at a time, all together.
  void SetHelpers(std::size_t helpers, std::size_t most) {
    helpers_ = helpers;
    most_ = most;
  }
  [[nodiscard]] std::size_t helpers() const { return helpers_; }

  /// Lends the target if it may be read now. False: this replica has to read the target.
  [[nodiscard]] bool Take(const WorkSchedule::Next& next, const Now& now);
  /// The result of a check that was lent. Nothing happens where it is not waited for any more.
  void End(const LentResult& result, const Now& now);

 private:
  struct Loan {
    std::uint64_t number = 0;
    Sha256Digest known_body;
    MonoTime was_due;
    Now at;
  };
  [[nodiscard]] bool MayLend(const WorkQueue::Taken& taken, const TargetEntry& target);
  void Confirm(TargetEntry& target, const Loan& loan, const Now& now);

  const Parts parts_;
  ByTarget<Loan> loans_;
  std::size_t helpers_ = 0;
  std::size_t most_ = 0;
  std::uint64_t last_number_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace bindery::controller
