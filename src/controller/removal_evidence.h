#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/now.h"
#include "manifests/directory_facts.h"
#include "store/records.h"

namespace bindery {

/// How old the evidence about one manifest is. Kept with the resource it belongs to.
struct ClaimAge {
  /// The look at which its declaration changed first since it was settled, or was missing; 0: what
  /// it does not declare may go without a wait.
  std::int32_t look = 0;
  bool fresh = false;   ///< Nothing was known of it before: it may be the half of something.
  bool absent = false;  ///< The last look did not find it.
  bool urgent = false;  ///< An operator waives the settling (`bindery reconcile --now`).
  /// The look at which it changed last, or was seen to be gone and not only unreadable; 0: as
  /// `look`. Not kept in the store.
  std::int32_t last = 0;
  /// The question that an operator answered for it by approving what goes; 0: none. Not kept in the
  /// store.
  std::int32_t answered = 0;

  /// For the store; what is urgent is not kept.
  [[nodiscard]] std::int64_t Packed() const {
    return std::int64_t{look} * 4 + (absent ? 2 : 0) + (fresh ? 1 : 0);
  }
  [[nodiscard]] static ClaimAge Unpacked(std::int64_t packed) {
    return {
        static_cast<std::int32_t>(packed / 4), packed % 2 != 0, (packed / 2) % 2 != 0, false, 0, 0};
  }
  bool operator==(const ClaimAge&) const = default;
};

/// Decides whether something may be taken away because the directory does not declare it: the one
/// place where that rule is written.
///
/// The rule. A removal needs evidence that is
///  - complete: nothing in the directory is unread that may hold what is missing. What was unread
///    already, with the same bytes, when it went missing cannot hold it. Of a manifest that was
///    never known before, whatever is unread may hold the other half.
///  - settled: the directory said the same for `settle`, at two looks at least, and nothing was
///    being written and no git command was under way. Time stamps that are older than `settle`
///    serve at the first look of a run. In a directory that never rests it is enough that the
///    manifest itself, and whatever may have held it, did not change for kBusyFactor times as long.
///  - of the same ground: the directory is the one it was, on the volumes it was on, and the
///    configuration places its manifests where it did. Else an operator is asked (Answer::kAsk).
///    Approval of the guard's hold is the answer for the claims that it is about, and no others.
///
/// Looks are numbered. Invariant: a claim is cleared (look 0) only by a look at which the three
/// hold. Belongs to the loop thread. Pure: it is told the time.
class RemovalEvidence {
 public:
  enum class Answer { kYes, kPending, kBlocked, kAsk };
  struct Verdict {
    Answer answer = Answer::kYes;
    std::string why;  ///< Of any other answer than kYes: what it waits for, in one line.

    bool operator==(const Verdict&) const = default;
  };
  static constexpr int kBusyFactor = 6;

  /// 0: only that two scans miss a manifest counts, as if nothing ever was half-written.
  void SetSettle(std::chrono::milliseconds settle) { settle_ = settle; }

  /// What an earlier run knew. Before the first look.
  void Load(const EvidenceRecord& record);
  [[nodiscard]] EvidenceRecord Record() const;
  /// Something of Record() changed since this was called last.
  [[nodiscard]] bool TakeNews();

  /// A look at the directory succeeded. Before what it found comes into force.
  void Looked(const DirectoryFacts& facts, const std::string& digest, const Now& now);
  /// A look found the directory changing: what it says is not its last word.
  void Disturbed(const Now& now);
  /// A look failed: nothing is known of what the directory says.
  void Failed(const std::string& why, const Now& now);
  /// After a look came into force. `missing` of `known` manifests that were in force before it are
  /// not there any more: too many at the first look of a run, or after the directory was exchanged,
  /// look like another directory.
  void Missed(std::size_t missing, std::size_t known);
  /// The same for manifests that did not change, and name another target since the configuration is
  /// another one.
  void Moved(std::size_t moved);

  /// Whether what a claim of that age does not declare may be removed.
  [[nodiscard]] Verdict Judge(const ClaimAge& age, const Now& now) const;
  /// The unread item that may hold a manifest which is missing since `look`; null: none.
  [[nodiscard]] const UnreadItem* HolderOf(std::int32_t look) const;
  /// Something that could not be read or understood, and why; empty: all was.
  [[nodiscard]] std::string UnreadText() const;
  /// Something could not be read that is not ignored by its name.
  [[nodiscard]] bool HasUnread() const;
  /// A manifest that this look did not find may be in something that it could not read.
  [[nodiscard]] bool MayHoldMissing() const { return HolderOf(look_) != nullptr; }

  /// The number of the last look; that of a change found by it.
  [[nodiscard]] std::int32_t look() const { return look_; }
  /// A claim of an earlier run is as old as that look: those to come are later.
  void KnowLook(std::int32_t look) { look_ = std::max(look_, look); }
  /// Whether the time has come to clear claims: Judge() them all, and clear those it says kYes to.
  [[nodiscard]] bool MayClear(const Now& now) const;
  /// When a look at everything could settle something that waits; nothing: only a change could.
  [[nodiscard]] std::optional<MonoTime> NextLook() const;

  /// The directory says the same for long enough, and nothing is under way in it.
  [[nodiscard]] bool IsQuiet(const Now& now) const;

  /// Why an operator must approve; empty: no question is open.
  [[nodiscard]] const std::string& question() const { return question_; }
  /// The operator approved what that claim gave up.
  void AnswerFor(ClaimAge& age) const { age.answered = questions_asked_; }
  /// Nothing that was asked about waits any more: the ground is the one of the last look from now
  /// on.
  void CloseQuestion();

 private:
  struct Unread {
    UnreadItem item;
    std::int32_t since = 0;
  };

  void RestFrom(const Now& now);
  void RestAgain(const Now& now);
  [[nodiscard]] bool WasDisturbed(const Now& now) const;
  [[nodiscard]] bool IsOld(std::int32_t look, const Now& now) const;
  [[nodiscard]] std::chrono::milliseconds Long() const { return settle_ * kBusyFactor; }
  [[nodiscard]] const UnreadItem* Blocker(const ClaimAge& age) const;
  void TakeUnread(const std::vector<UnreadItem>& items);
  void TakeGround(const Ground& ground);
  void Ask(std::string question);

  std::chrono::milliseconds settle_{0};
  std::int32_t look_ = 0;
  bool looked_ = false;  ///< In this run.
  int full_looks_ = 0;   ///< At everything, that found the same and nothing under way.
  /// The first look of this run found no time stamp younger than `settle_`, and all is as it was.
  bool quiet_by_stamps_ = false;
  std::string digest_;
  WallTime newest_;  ///< As DirectoryFacts::newest, of the last look at everything.
  std::optional<MonoTime> quiet_since_;
  std::vector<Disturbance> under_way_;
  std::optional<MonoTime> under_way_since_;
  bool disturbed_ = false;  ///< By the last look: something was under way, or it failed.
  /// The first look at which that was over, or the last at which it was not.
  std::optional<MonoTime> disturbed_at_;
  std::string failure_;                   ///< Of the last look; empty: it succeeded.
  std::map<std::string, Unread> unread_;  ///< By path.
  std::int32_t unread_went_ = 0;  ///< The last look at which something unread had gone, or changed.
  std::deque<std::pair<std::int32_t, MonoTime>> looks_;  ///< When they were, as far back as Long().
  std::optional<Ground> ground_;                         ///< On which evidence was settled last.
  std::optional<Ground> ground_now_;                     ///< Of the last look at everything.
  bool ground_of_this_run_ = false;                      ///< ground_ was seen by this run.
  bool exchanged_ = false;  ///< The last look found another directory behind the name.
  std::string question_;
  std::int32_t questions_asked_ = 0;  ///< In this run; also the number of the open one.
  bool asks_of_ground_ = false;       ///< It is on record with the former ground.
  bool news_ = false;
};

}  // namespace bindery
