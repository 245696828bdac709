#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/claims/evidence_verdict.h"
#include "controller/clock/now.h"
#include "controller/evidence/counted_time.h"
#include "manifests/files/directory_facts.h"

namespace bindery::controller {

/// Whether the manifests directory rests: whether the evidence of a removal is settled.
///
/// It is when the directory said the same for `settle`, at two looks at least, and nothing was
/// being written and no git command was under way. Time stamps that are older than `settle`, by the
/// local clock and by the time of the services, serve at the first look of a run. In a directory
/// that never rests it is enough that the manifest itself, and whatever may have held it, did not
/// change for kBusyFactor times as long. Of the time between two looks at most the usual distance
/// counts: where the daemon was stopped, the programs that write the directory may have been
/// stopped with it.
///
/// Looks are numbered, in the order of time. Belongs to the loop thread. Pure: callers pass the
/// time.
class DirectoryRest {
 public:
  static constexpr int kBusyFactor = 6;

  /// 0: nothing is waited for, as if nothing ever was half-written.
  void SetSettle(std::chrono::milliseconds settle) { settle_ = settle; }
  [[nodiscard]] std::chrono::milliseconds settle() const { return settle_; }
  /// How far apart the looks are while something waits, and what of the time between two of them
  /// counts at most.
  void SetDistance(MonoTime::duration distance) { time_.SetDistance(distance); }

  /// Time stamps are old by the local clock alone: for what is only looked at.
  void TrustLocalClock() { stamps_.trusts_clock = true; }
  /// The time by the services at `now`. A local clock that is ahead makes each stamp old. The first
  /// call counts: the clock that carries the time back to the first look stands still while the
  /// machine sleeps.
  void HearTime(WallTime services, const Now& now);
  [[nodiscard]] bool AwaitsTime() const {
    return !stamps_.heard && !stamps_.trusts_clock && stamps_.verdict != Stamps::kOfNoUse;
  }
  /// A look at the directory succeeded; `digest` covers the whole result.
  void Looked(const manifests::DirectoryFacts& facts, const std::string& digest, std::int32_t look,
              const Now& now);
  /// A look found the directory changing: the result is not final.
  void Disturbed(const Now& now);
  /// It rests from the next look on, as if that was the first; time stamps do not serve.
  void Unsettle();
  /// A look failed: nothing is known of what the directory says.
  void Failed(const std::string& why, const Now& now);

  /// Some look of the run succeeded.
  [[nodiscard]] bool looked() const { return !looks_.empty(); }
  /// The directory says the same for long enough, and nothing is under way in it.
  [[nodiscard]] bool IsQuiet(const Now& now) const;
  /// Something that changed at some look may be settled by now.
  [[nodiscard]] bool MaySettle(const Now& now) const;
  /// Whether the last change at `look` is settled. Never kAsk.
  [[nodiscard]] EvidenceVerdict Judge(std::int32_t look, const Now& now) const;
  /// The same where the time to settle is waived: a git command is waited for, and a look that does
  /// not fail.
  [[nodiscard]] EvidenceVerdict JudgeUrgent(const Now& now) const;
  /// When a look at everything could settle something that waits; nothing: only a change could.
  [[nodiscard]] std::optional<MonoTime> NextLook() const;

 private:
  /// Whether time stamps prove the rest of the directory.
  enum class Stamps {
    kUnseen,  ///< There was no look at everything.
    kOld,     ///< The first found none younger than `settle_`, and all is as it was.
    kOfNoUse,
  };

  /// What the first look at everything says by its stamps.
  struct StampProof {
    Stamps verdict = Stamps::kUnseen;                    ///< By the local clock.
    bool trusts_clock = false;                           ///< That clock alone is asked.
    WallTime newest{};                                   ///< At that look.
    MonoTime begun{};                                    ///< When the look began.
    std::optional<std::pair<WallTime, MonoTime>> heard;  ///< The services' time, and when it was.
    /// Whether the newest was older than `settle` when the look began.
    [[nodiscard]] bool AreOld(std::chrono::milliseconds settle) const;
  };

  struct UnderWay {
    std::vector<manifests::Disturbance> work;
    std::optional<MonoTime> since;  ///< By the clock.
  };

  void RestFrom();
  void RestAgain();
  [[nodiscard]] EvidenceVerdict WaitsFor(const manifests::Disturbance& work, const Now& now) const;
  [[nodiscard]] bool WasDisturbed(const Now& now) const;
  [[nodiscard]] bool IsOld(std::int32_t look, const Now& now) const;
  [[nodiscard]] std::chrono::milliseconds Long() const { return settle_ * kBusyFactor; }

  std::chrono::milliseconds settle_{0};
  int full_looks_ = 0;  ///< At everything, that found the same and nothing under way.
  StampProof stamps_;
  std::string digest_;
  /// As DirectoryFacts::newest, of the last look at everything; nothing: there was none.
  std::optional<WallTime> newest_;
  CountedTime time_;  ///< Those below are such times.
  std::optional<MonoTime> quiet_since_;
  UnderWay under_way_;
  bool disturbed_ = false;  ///< By the last look: something was under way, or it failed.
  /// The first look after the disturbance, or the last look during the disturbance.
  std::optional<MonoTime> disturbed_at_;
  std::string failure_;                                  ///< Of the last look; empty: it succeeded.
  std::deque<std::pair<std::int32_t, MonoTime>> looks_;  ///< When they were, as far back as Long().
};

}  // namespace bindery::controller
