#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "controller/gates/left_out_grants.h"
#include "controller/gates/refusal.h"
#include "controller/watch/addition_search.h"
#include "core/base/clock.h"
#include "core/base/error.h"

namespace bindery::controller {

/// The refusals of the service for a target: additions to leave out of writes, and additions to
/// try, with the times.
///
/// The writes up to the end of the work are one round. Of a round that began with n additions,
/// GetRound(n) writes at most are refused or try a part; what is not known by then is left out, and
/// a later round goes on. A grant that was refused, and a search that got nothing accepted, are
/// tried again after twice the time each, at most kLongestWait.
///
/// Invariants: a grant counts as refused only where an answer named it, or AdditionSearch found it;
/// by an answer that names somebody else, only if the round got something accepted. Once the writes
/// of a round are used up, removals go without additions. Pure except for internal memory. Reads no
/// clock: callers pass the time.
class RefusalMemory {
 public:
  static constexpr std::chrono::minutes kFirstWait{10};   ///< Of a grant that was refused.
  static constexpr std::chrono::minutes kSearchWait{1};   ///< Of a search that goes on.
  static constexpr std::chrono::hours kLongestWait{12};   ///< Of both.
  static constexpr std::chrono::minutes kUntilKnown{10};  ///< Of a refusal that may pass.
  /// 2 log2(n) + 3, the logarithm rounded up.
  [[nodiscard]] static int GetRound(std::size_t additions);

  /// A sent write.
  struct Attempt {
    std::vector<DeclaredGrant> adds;
    bool removes = false;
    bool restricts = false;  ///< Without grants the policy would be open to everybody.
  };
  /// The subject of a refusal.
  enum class Verdict {
    kAdditions,  ///< Of the write: it is to be tried without some of them.
    kPolicy,     ///< What was in the policy before: no addition is the cause.
  };

  /// Work on the target begins: the additions to leave out of its writes now.
  [[nodiscard]] LeftOutGrants Begin(MonoTime now);
  /// These additions are declared and missing; forgets all further additions.
  void Keep(const std::set<Grant>& missing);
  /// `refusal` is of the answer `error`.
  [[nodiscard]] Verdict Refused(const Attempt& attempt, const Refusal& refusal, const Error& error,
                                MonoTime now);
  void Accepted(const Attempt& attempt, MonoTime now);
  /// There was nothing to write. True: now more is to be tried, at once.
  [[nodiscard]] bool Skipped() {
    return round_ == Round::kOn && std::exchange(removals_first_, false);
  }
  /// More is to be tried at once, or is to be told otherwise than at the last Begin.
  [[nodiscard]] bool GoesOn(MonoTime now) const;
  /// The work is over.
  void EndRound(MonoTime now);
  /// What is left out is tried with the next work.
  void MakeDue();
  /// From now on nothing that is left out is tried.
  void StopTrying() { tries_ = false; }

  /// When something is tried again; nothing: nothing is left out.
  [[nodiscard]] std::optional<MonoTime> NextTry() const;
  /// A work that was refused goes on.
  [[nodiscard]] bool in_round() const { return round_ != Round::kNone; }
  [[nodiscard]] bool empty() const { return refused_.empty() && search_.over(); }

 private:
  struct RefusedGrant {
    DeclaredGrant declared;
    Error error = {};
    int times = 0;  ///< It was refused in a row, by an answer that does not pass.
    MonoTime first = {};
    MonoTime again = {};
  };
  /// When the search goes on, and how well it did.
  struct Pause {
    MonoTime until = MonoTime::min();
    int idle_rounds = 0;  ///< In a row.
  };
  enum class Round { kNone, kOn, kSpent };

  void StartRound(std::size_t additions);
  void SpendCall();
  void PauseSearch(MonoTime now);
  void Note(const DeclaredGrant& declared, const Error& error, MonoTime now);
  void TryWithRoom(MonoTime now);
  [[nodiscard]] Verdict NoteUnnamed(const Attempt& attempt, bool names_other, const Error& error,
                                    MonoTime now);
  [[nodiscard]] Verdict BlamePolicy(const Attempt& attempt, MonoTime now);
  [[nodiscard]] bool Searches(MonoTime now) const;
  [[nodiscard]] std::vector<Grant> Due(MonoTime now) const;
  [[nodiscard]] RefusedGrant* Find(const Grant& grant);

  std::vector<RefusedGrant> refused_;
  AdditionSearch search_;
  Pause pause_;
  Round round_ = Round::kNone;
  int calls_ = 0;                ///< That the round may still take.
  bool accepted_ = false;        ///< Something was, in this round.
  bool removals_first_ = false;  ///< The next write only removes.
  bool removals_tried_ = false;  ///< That was so, in this round.
  bool restate_ = false;         ///< The last Begin told something else.
  bool tries_ = true;
};

}  // namespace bindery::controller
